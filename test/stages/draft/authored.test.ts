import { describe, expect, test } from 'vitest';
import { AuthoredDraft } from '../../../schemas/seed-pack.ts';
import { Task } from '../../../schemas/task.ts';
import { draft } from '../../../stages/draft.ts';
import { storyContext } from '../../support/context.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { memoryRepo } from '../../support/memory-repo.ts';
import { littleSource, spec } from '../../support/woven.ts';

const lines = (first: string, last: string) => `${first}\n1\n2\n3\n${last}\n`;
const history = [{ 'src/a.ts': lines('const a = 1;', 'const z = 1;'), 'README.md': 'readme\n' }];

describe('a draft that was written', () => {
  const put = memoryLedger();
  const file = (path: string, text: string) => ({
    path,
    sha256: put.put(new TextEncoder().encode(text)),
  });
  const clause = (id: string, text: string) => ({
    id,
    text,
    quotes: [{ doc: 'thread:9', quote: 'wanted for long', seed: 's9' }],
  });
  const requirement = (id: string, text: string) => ({
    id,
    title: `${id} of the draft`,
    clauses: [clause(`${id}.a`, text)],
    interface: [],
  });
  const gold = (a: number, z: number) =>
    file('src/a.ts', lines(`const a = ${a};`, `const z = ${z};`));

  const authored = (change: object = {}) =>
    AuthoredDraft.parse({
      id: 'written',
      base: 'c0'.padEnd(40, '0'),
      requirements: [
        requirement('R1', 'The first must be two.'),
        requirement('R2', 'The last must be two.'),
      ],
      couplings: [{ from: 'R1', to: 'R2', kind: 'constrains', text: 'Both at once.' }],
      parts: [
        { id: 'g1', needs: ['R1'], files: [gold(2, 1)], delete: [] },
        { id: 'g2', needs: ['R2'], files: [gold(2, 2)], delete: ['README.md'] },
      ],
      tests: { files: [file('test/w.test.ts', 'f(a, z);\n')], traces: [] },
      solos: [{ requirement: 'R1', files: [gold(2, 1)] }],
      probes: [{ id: 'p1', clause: 'R1.a', ...file('test/p.test.ts', 'f(a);\n') }],
      variants: [{ id: 'v1', claim: 'wrong', files: [gold(3, 2)] }],
      regions: [],
      ...change,
    });

  async function written(change: object = {}) {
    const { repo } = memoryRepo(history);
    const { context, ledger } = await storyContext({ repo, ledger: put });
    const docs = [{ doc: 'thread:9', sha256: file('', 'It is wanted for long.').sha256 }];
    const facts = {
      source: littleSource,
      spec,
      seeds: [],
      edges: [],
      docs,
      authored: authored(change),
    };
    const ending = await draft.run(facts, context);
    const refused = ending.kind === 'rejected' ? ending.rejection : null;
    return {
      refused,
      task: refused ? null : Task.parse(ending.kind === 'done' && ending.facts.task),
      ledger,
    };
  }

  test('lies part by part on its base, with solos, probes and variants', async () => {
    const { task } = await written();
    expect(task).toMatchObject({
      id: 'little-written',
      mode: 'forward',
      tests: { files: ['test/w.test.ts'], regression: [] },
      solos: [{ requirement: 'R1', by: 'authored' }],
      probes: [{ id: 'p1', clause: 'R1.a', file: { path: 'test/p.test.ts' } }],
      variants: [{ id: 'v1', claim: 'wrong' }],
    });
    expect(task?.solos[0]?.tree).toBe(task?.gold[0]?.after);
    expect(task?.statement).toContain('- R1 and R2: Both at once.');
  });

  test.each<[string, object, string]>([
    [
      'a quote that nobody said',
      {
        requirements: [
          requirement('R1', 'x'),
          {
            ...requirement('R2', 'y'),
            clauses: [
              {
                ...clause('R2.a', 'y'),
                quotes: [{ doc: 'thread:9', quote: 'never said', seed: 's9' }],
              },
            ],
          },
        ],
      },
      'draft-invalid',
    ],
    [
      'an edge to nobody',
      { couplings: [{ from: 'R1', to: 'R4', kind: 'orders', text: '' }] },
      'draft-invalid',
    ],
    [
      'a name that only gold has',
      {
        parts: [
          {
            id: 'g1',
            needs: ['R1'],
            files: [file('src/a.ts', 'const innerName = 2;\n')],
            delete: [],
          },
          {
            id: 'g2',
            needs: ['R2'],
            files: [gold(2, 2), file('src/b.ts', 'innerName;\n')],
            delete: [],
          },
        ],
        requirements: [requirement('R1', 'Set innerName to two.'), requirement('R2', 'y')],
      },
      'statement-leak',
    ],
    [
      'the title of a hidden test',
      {
        tests: {
          files: [file('test/w.test.ts', "test('gives two at both of the ends', () => {});\n")],
          traces: [],
        },
        requirements: [
          requirement('R1', 'It gives two at both of the ends.'),
          requirement('R2', 'y'),
        ],
      },
      'statement-leak',
    ],
    [
      'a message that it does not state',
      {
        tests: { files: [file('test/w.test.ts', "throws('too many at once');\n")], traces: [] },
        parts: [
          {
            id: 'g1',
            needs: ['R1'],
            files: [file('src/a.ts', "throw new Error('too many at once');\n")],
            delete: [],
          },
          { id: 'g2', needs: ['R2'], files: [file('src/b.ts', 'x\n')], delete: [] },
        ],
      },
      'statement-silent',
    ],
  ])('is refused for %s', async (_, change, code) => {
    expect((await written(change)).refused?.code).toBe(code);
  });
});
