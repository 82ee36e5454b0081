import type { TestStatus } from '../../schemas/test-report.ts';
import type { Play, Read } from './context.ts';
import type { Cloth } from './woven.ts';

const source = (one: string, two: string, joint: string) => `export const one = ${one};

// between
//

export const two = ${two};

// below
//

export const joint = ${joint};
`;

export const path = 'src/limit.ts';
const hidden = 'test/hidden.test.ts';
const old = 'test/old.test.ts';

/** The file of the story with its three values. */
export const limit = (one: number, two: number, joint: number) => ({
  [path]: source(`${one}`, `${two}`, `${joint}`),
});

/** Two values and what holds where they meet: R1 wants `one = 1`, R2 wants `two = 2`, both together `joint = 12`. */
export const limiter: Cloth = {
  base: { ...limit(0, 0, 0), [old]: 'old\n', 'README.md': '# limiter\n', 'src/near.ts': '\n' },
  parts: [
    { needs: ['R1'], files: limit(1, 0, 0) },
    { needs: ['R2'], files: limit(1, 2, 0) },
    { needs: ['R1', 'R2'], files: limit(1, 2, 12) },
  ],
  tests: { [hidden]: 'hidden\n' },
  regression: [old],
  couplings: [{ from: 'R1', to: 'R2', kind: 'constrains', text: 'They meet.' }],
};

/** Solo solutions that merge cleanly and lack what holds where they meet. */
export const soloPair: NonNullable<Cloth['solos']> = [
  { requirement: 'R1', files: limit(1, 0, 0) },
  { requirement: 'R2', files: limit(0, 2, 0) },
];

/** Ids of the story's tests. */
export const ids = {
  one: `${hidden} > one`,
  two: `${hidden} > two`,
  both: `${hidden} > both`,
  old: `${old} > old`,
} as const;

export const says = (holds: boolean, otherwise: TestStatus = 'failed'): TestStatus =>
  holds ? 'passed' : otherwise;

/** What the file says of one value. */
export const holds = (read: Read, line: string): boolean => read(path).includes(`${line};`);

/** The honest runner of the story. */
export const playLimiter: Play = (read) => {
  const [one, two] = [holds(read, 'one = 1'), holds(read, 'two = 2')];
  return {
    tests: {
      [ids.one]: says(one),
      [ids.two]: says(two),
      [ids.both]: says(one && two && holds(read, 'joint = 12')),
      [ids.old]: 'passed',
    },
  };
};

/** The honest runner with some tests played otherwise. */
export const playing =
  (change: (read: Read, repeat: number) => Readonly<Record<string, TestStatus>>): Play =>
  (read, request) => {
    const played = playLimiter(read, request);
    return { ...played, tests: { ...played.tests, ...change(read, request.repeat) } };
  };
