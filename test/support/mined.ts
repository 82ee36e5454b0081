import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { openSource } from '../../pipeline/repos/registry.ts';
import { Seed } from '../../schemas/seed.ts';
import { Thread } from '../../schemas/thread.ts';
import { mineSource } from '../../stages/mine.ts';
import type { Doc } from '../../stages/miners/docs.ts';
import { type TempCommit, tempFolder, tempRepo } from './temp-repo.ts';

const parse = await openParse();
const languageRules = { testFiles: ['test/**'], sourceFiles: ['src/**/*.ts'] };

/** A closed issue with a title, unless told otherwise. */
export const thread = (number: number, rest: Partial<Thread>): Thread =>
  Thread.parse({
    number,
    kind: 'issue',
    title: `Title of number ${number}`,
    body: '',
    author: 'ada',
    state: 'closed',
    createdAt: '2023-01-01T00:00:00Z',
    ...rest,
  });

/** Seeds of a history as the product mines them, newest first, with the texts that they quote. */
export async function mine(
  commits: readonly TempCommit[],
  threads: readonly Thread[] = [],
  max = 100,
): Promise<{ readonly seeds: readonly Seed[]; readonly docs: ReadonlyMap<string, string> }> {
  const opened = await openSource(`git:${tempRepo(commits)}`, { cache: tempFolder() });
  const { source, repo } = opened;
  const docs = new Map<string, string>();
  const onDoc = ({ doc, text }: Doc) => docs.set(doc, text);
  const seeds: Seed[] = [];
  const request = { source, threads, repo, parse, languageRules, max, onDoc };
  for await (const seed of mineSource(request)) seeds.push(Seed.parse(seed));
  await opened.close();
  return { seeds, docs };
}

/** A function of the mined source. */
export const code = (name: string, body: string): string =>
  `export function ${name}() {\n  return ${body};\n}\n`;

/** A change of the function `take` together with its tests. */
export const change = (n: number): Record<string, string> => ({
  'src/limit.ts': code('take', `${n}`),
  'test/limit.test.ts': `// ${n}\n`,
});

/** The codes of a seed's rejections, the one that counts first. */
export const codes = (seed: Seed | undefined): readonly string[] =>
  seed?.rejections.map((rejection) => rejection.code) ?? [];
