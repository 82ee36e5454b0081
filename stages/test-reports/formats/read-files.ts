import { decode } from './decode.ts';
import { type Naming, nameCases } from './name-cases.ts';
import type { Case, Part, ReportContext, ReportReading, Trust } from './reading.ts';

/** Reads report files of one format. Never throws; what cannot be read is `unreadable`, never a list of failures. */
export type ReportFormat = (files: readonly Uint8Array[], context: ReportContext) => ReportReading;

type Rules = {
  readonly trust: Trust;
  readonly naming: Naming;
  read(text: string): Part;
};

/** A runner that writes more than this is not reporting. */
const MOST_BYTES = 128 * 1024 * 1024;
const isBlank = (text: string) => text.trim() === '';

const empty = (status: ReportReading['status'], trust: Trust, problem: string): ReportReading => ({
  status,
  trust,
  results: [],
  problem,
});

/** The parts of all files; one that is not whole spoils the run, so reading ends there. */
function partsOf(texts: readonly string[], rules: Rules): Part {
  const cases: Case[] = [];
  let crash: string | null = null;
  for (const text of texts) {
    if (isBlank(text)) return { bad: 'crashed', why: 'one of the files is empty' };
    const part = rules.read(text);
    if ('bad' in part) return part;
    // Not by spreading: a hundred thousand arguments overflow the stack.
    for (const one of part.cases) cases.push(one);
    crash ??= part.crash;
  }
  return { cases, crash };
}

/** Why there is nothing to read in the files, or their texts. */
function textsOf(files: readonly Uint8Array[], trust: Trust): ReportReading | string[] {
  const size = files.reduce((sum, { length }) => sum + length, 0);
  if (size === 0) return empty('no-report', trust, 'there is no report');
  if (size > MOST_BYTES) {
    return empty('unreadable', trust, `the report is larger than ${MOST_BYTES} bytes`);
  }
  const texts = files.map(decode).filter((text) => text !== null);
  if (texts.length < files.length) {
    return empty('unreadable', trust, 'the report is not text in its encoding');
  }
  return texts.every(isBlank) ? empty('no-report', trust, 'the report is blank') : texts;
}

/** A format that reads each file by itself. Files stand in the order in which repeated names are counted. */
export const formatOf =
  (rules: Rules): ReportFormat =>
  (files, context) => {
    const { trust } = rules;
    const texts = textsOf(files, trust);
    if (!Array.isArray(texts)) return texts;
    const part = partsOf(texts, rules);
    if ('bad' in part) return empty(part.bad, trust, part.why);
    const results = nameCases(part.cases, context, rules.naming);
    if (part.crash !== null) return { status: 'crashed', trust, results, problem: part.crash };
    if (results.length === 0) return empty('no-report', trust, 'the report has no test in it');
    return { status: 'completed', trust, results, problem: null };
  };
