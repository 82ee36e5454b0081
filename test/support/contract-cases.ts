import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Contract cases 1 to 90, and the twelve added ones. */
export const contractCases: readonly string[] = [
  ...Array.from({ length: 90 }, (_, at) => String(at + 1)),
  ...Array.from({ length: 12 }, (_, at) => `A${at + 1}`),
];

const title = /^case (A?\d{1,2}): /;
const isCaseFile = ({ moduleId }: TestModule) => /[/\\](?:contract-)?cases[/\\]/.test(moduleId);

function statesOf(modules: readonly TestModule[]): Map<string, string[]> {
  const states = new Map<string, string[]>();
  const note = (test: TestCase) => {
    const number = title.exec(test.name)?.[1];
    if (number === undefined) return;
    states.set(number, [...(states.get(number) ?? []), test.result().state]);
  };
  for (const module of modules.filter(isCaseFile))
    for (const test of module.children.allTests()) note(test);
  return states;
}

function lineOf(states: ReadonlyMap<string, string[]>): string[] {
  const named = (word: string, fits: (list: readonly string[]) => boolean) => {
    const numbers = contractCases.filter((number) => fits(states.get(number) ?? []));
    return numbers.length === 0 ? [] : [`${word} ${numbers.length}: ${numbers.join(' ')}`];
  };
  const has = (state: string) => (list: readonly string[]) => list.includes(state);
  const isFailed = has('failed');
  const isPassed = (list: readonly string[]) => !isFailed(list) && has('passed')(list);
  return [
    ...named('passed', isPassed),
    ...named('failed', isFailed),
    ...named(
      'not in this run (bwrap, docker, prover)',
      (list) => !isFailed(list) && !isPassed(list),
    ),
  ];
}

/** Says after a run of several files which numbered contract cases passed in it. */
export const listContractCases: Reporter = {
  onTestRunEnd(modules) {
    const states = statesOf(modules);
    const hasRun = [...states.values()].flat().some((state) => state !== 'skipped');
    if (!hasRun) return;
    process.stdout.write(
      `\nContract cases by number\n${lineOf(states)
        .map((line) => `  ${line}\n`)
        .join('')}`,
    );
  },
};
