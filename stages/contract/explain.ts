import type { Contract } from '../../schemas/contract.ts';
import { entryIds } from './regions.ts';

function editableLine(id: string, entry: Contract['editable'][number]): string {
  const limit = `at most ${entry.max_bytes} bytes`;
  const { region } = entry;
  if (region === undefined) return `- ${entry.file} (the whole file, ${limit})`;
  if ('bytes' in region) return `- region ${id} of ${entry.file} (${limit})`;
  return `- region ${id} of ${entry.file}: the lines between "${region.start.trim()}" and "${region.end.trim()}" (${limit})`;
}

const packWords: Record<string, string> = {
  skip: 'skipping, focusing or expecting failure of tests',
  suppress: 'comments and casts that silence checkers',
  exit: 'ending the process',
  reflect: 'replacing built-ins, modules or the running frame, and evaluating text as code',
  env: 'finding out whether tests are running',
  io: 'files, network, child processes and the clock',
  oracle: 'objects that change what equality or matching means',
  capri: 'leaving a proof open and declaring axioms or oracles',
  alias: 'other spellings of an open proof, and options that allow one',
  ml: 'ML code',
  'oracle-options': 'proof by evaluation or by an oracle',
  'theory-level': 'commands of a theory',
  nondet: 'search and diagnosis commands',
  holes: 'leaving a proof open',
  assume: 'axioms, parameters and other assumptions',
  axioms: 'axioms, and proof by native evaluation',
  kernel: 'switching checks of the kernel off',
  toplevel: 'top-level commands',
  meaning: 'notations, coercions and other changes of meaning',
  code: 'code that runs while the file is read',
};

function forbiddenLine({ forbidden }: Contract): string[] {
  const words = forbidden.packs.map((name) =>
    name === 'rocq/io'
      ? 'loading, extracting and undoing'
      : (packWords[name.replace(/^.*\//u, '')] ?? name),
  );
  if (forbidden.constructs) words.push(`the tokens ${forbidden.constructs.join(', ')}`);
  return words.length === 0
    ? []
    : ['', `New uses of these are refused: ${[...new Set(words)].join('; ')}.`];
}

/** What a contract allows, in plain words, for whoever works under it. */
export function contractInWords(contract: Contract): string {
  const ids = entryIds(contract);
  const may = contract.editable.map((entry, at) => editableLine(ids[at] ?? '', entry));
  const creates = contract.create.map(
    ({ glob, max_files, max_bytes }) =>
      `- ${glob} (at most ${max_files} new files of ${max_bytes} bytes each)`,
  );
  const deletes = contract.delete.map((path) => `- ${path}`);
  return [
    may.length > 0 ? 'These may be edited:' : 'No existing file may be edited.',
    ...may,
    ...(creates.length > 0
      ? ['', 'New files may be created where these patterns fit:', ...creates]
      : ['', 'No file may be created.']),
    ...(deletes.length > 0
      ? ['', 'These may be deleted:', ...deletes]
      : ['', 'No file may be deleted.']),
    ...forbiddenLine(contract),
    '',
    'Everything else is protected: every other file, test and configuration, names, modes and links.',
  ].join('\n');
}
