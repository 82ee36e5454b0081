import { describe, expect, test } from 'vitest';
import type { Kept } from '../../schemas/kept.ts';
import { Task } from '../../schemas/task.ts';
import { draft } from '../../stages/draft.ts';
import { storyContext } from '../support/context.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { type CommitFiles, memoryRepo } from '../support/memory-repo.ts';
import { littleSource, spec } from '../support/woven.ts';

const lines = (first: string, last: string) => `${first}\n1\n2\n3\n${last}\n`;
const history: readonly CommitFiles[] = [
  { 'src/a.ts': lines('const a = 1;', 'const z = 1;'), 'README.md': 'readme\n' },
  {
    'src/a.ts': lines('const a = 2;', 'const z = 1;'),
    'README.md': 'readme\n',
    'test/a.test.ts': 'f(a);\n',
  },
  {
    'src/a.ts': lines('const a = 2;', 'const z = 2;'),
    'README.md': 'readme\n',
    'test/a.test.ts': 'f(a);\n',
    'test/z.test.ts': 'f(z);\n',
  },
];

type Parts = {
  readonly commits?: readonly CommitFiles[];
  readonly group?: readonly number[];
  readonly authored?: unknown;
  readonly docs?: Readonly<Record<string, string>>;
  readonly words?: Readonly<Record<number, readonly string[]>>;
};

/** Draft a group of a history; `words` are the sentences of a seed's thread. */
async function drafted(parts: Parts = {}) {
  const { commits = history, group = [1, 2], authored = null, words = {} } = parts;
  const { repo, seed } = memoryRepo(commits);
  const ledger = memoryLedger();
  const { context } = await storyContext({ repo, ledger, merges: true });
  const encode = (text: string) => ledger.put(new TextEncoder().encode(text));
  const seeds = group.map((at) => {
    const found = seed(at);
    const said = words[at];
    if (said === undefined) return found;
    const [pattern] = found.statements;
    return { ...found, statements: said.map((text) => ({ ...pattern, text, quote: text })) };
  });
  const threads = seeds.map(({ threads: [number], statements }) => ({
    doc: `thread:${number}`,
    sha256: encode(statements.map(({ text }) => text).join('\n')),
  }));
  const more = Object.entries(parts.docs ?? {}).map(([doc, text]) => ({
    doc,
    sha256: encode(text),
  }));
  const edges = [
    { from: 's1', to: 's2', kind: 'same-file' as const, weight: 1, evidence: 'src/a.ts' },
  ];
  const facts = { source: littleSource, spec, seeds, edges, docs: [...threads, ...more], authored };
  const ending = await draft.run(facts, context);
  return { ending, ledger, encode };
}

const refusal = async (parts: Parts) => {
  const { ending } = await drafted(parts);
  return ending.kind === 'rejected' ? ending.rejection : null;
};

describe('a draft from history', () => {
  test('is a task with a requirement a seed, an edge a tie, and its lineage', async () => {
    const { ending } = await drafted();
    const facts = ending.kind === 'done' ? ending.facts : {};
    const task = Task.parse(facts.task);
    expect(task).toMatchObject({
      mode: 'history',
      seeds: ['s1', 's2'],
      couplings: [{ from: 'R1', to: 'R2', kind: 'constrains' }],
      gold: [
        { id: 'g1', needs: ['R1'] },
        { id: 'g2', needs: ['R2'] },
      ],
    });
    expect(task.statement).toContain('- R1.a: Number 1 must be delivered');
    expect(task.contract.base.manifest).toBe(`sha256:${task.base.tree}`);
    expect((facts.kept as Kept).lineage).toMatchObject([
      { revision: 0, parent: null, cause: 'drafted' },
    ]);
  });

  test('is the same task, id and all, when it is drafted again', async () => {
    const [one, two] = [await drafted(), await drafted()];
    expect(one.ending).toEqual(two.ending);
  });

  test('needs two seeds to couple', async () => {
    expect(await refusal({ group: [1] })).toMatchObject({ code: 'too-few-seeds' });
  });

  test('whose diffs do not come out is a base conflict', async () => {
    const commits = ['1', '2', '3', '4'].map((n) => ({ 'src/a.ts': `${n}\n`, [`src/${n}.ts`]: n }));
    expect(await refusal({ commits, group: [1, 3] })).toMatchObject({
      code: 'base-conflict',
      detail: 's1 does not come out of src/a.ts',
    });
  });

  test('without tests is invalid', async () => {
    const commits = history.map((files) =>
      Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('test/'))),
    );
    expect(await refusal({ commits })).toMatchObject({
      code: 'draft-invalid',
      detail: 'no test file that the runner can be given',
    });
  });

  test('states a name and a message that its tests pin, under the part that brings them', async () => {
    const named = "const peekLeft = () => 'none left';";
    const commits: CommitFiles[] = [
      history[0] ?? {},
      {
        ...history[1],
        'src/a.ts': lines(named, 'const z = 1;'),
        'test/a.test.ts': "is(peekLeft(), 'none left');\n",
      },
      {
        ...history[2],
        'src/a.ts': lines(named, 'const z = 2;'),
        'test/a.test.ts': "is(peekLeft(), 'none left');\n",
      },
    ];
    const { ending } = await drafted({ commits });
    const task = Task.parse(ending.kind === 'done' ? ending.facts.task : null);
    expect(task.requirements.map((requirement) => requirement.interface)).toEqual([
      ['the name `peekLeft`', 'the text `none left`'],
      [],
    ]);
  });
});

describe('C28: nothing of the fix is in the statement', () => {
  const hash = 'c1'.padEnd(40, '0');
  const secret: readonly CommitFiles[] = history.map((files, at) =>
    at === 0 ? files : { ...files, 'src/s.ts': 'const spareTokens = 1;\n' },
  );

  test('sentences with the hash or an inner name of gold are left out, the others stay', async () => {
    const words = {
      1: [`Fixed by ${hash}`, 'It must count spareTokens', 'It must refuse the fourth'],
    };
    const { ending } = await drafted({ commits: secret, words });
    const task = Task.parse(ending.kind === 'done' ? ending.facts.task : null);
    expect(task.statement).not.toMatch(/c1000|spareTokens/);
    expect(task.requirements[0]?.clauses.map(({ text }) => text)).toEqual([
      'It must refuse the fourth',
    ]);
  });

  test('where too little is left the draft is refused as a leak', async () => {
    expect(
      await refusal({ commits: secret, words: { 1: ['It must count spareTokens'] } }),
    ).toMatchObject({
      code: 'statement-leak',
      detail: 'R1 has no sentence left that does not leak the fix',
    });
  });
});
