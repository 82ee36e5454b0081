import type { z } from 'zod';
import type { Contract } from '../../schemas/contract.ts';
import type { Files } from './contract-case.ts';
import { lruBase, lruContract, withBody } from './lru-fixture.ts';

/** A base tree, the contract over it, and the tree with another body in its region. */
type Fixture = {
  readonly base: Files;
  readonly contract: Partial<z.input<typeof Contract>>;
  readonly withBody: (body: string) => Files;
};

type Parts = {
  readonly file: string;
  /** Everything before and after the body, marker lines included. */
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  readonly others?: Files;
  readonly kind?: 'statements' | 'members';
  readonly packs?: readonly string[];
};

/** A fixture with one region; its markers are the last line of `head` and the first of `tail`. */
export function fixtureOf({ file, head, body, tail, others = {}, kind, packs }: Parts): Fixture {
  const start = head.trimEnd().split('\n').at(-1) ?? '';
  const end = tail.split('\n')[0] ?? '';
  const tree = (text: string): Files => ({ ...others, [file]: head + text + tail });
  return {
    base: tree(body),
    contract: {
      editable: [
        { id: 'r1', file, region: { start, end }, ...(kind ? { region_kind: kind } : {}) },
      ],
      ...(packs ? { forbidden: { packs: [...packs] } } : {}),
    },
    withBody: tree,
  };
}

/** F-TS of the contract cases: a method of `src/lru.ts`, with the rest of a tree around it. */
export const fTs: Fixture = { base: lruBase, contract: lruContract, withBody };

/** F-PY: the body of `slugify` in `slug/core.py`. */
export const fPy: Fixture = fixtureOf({
  file: 'slug/core.py',
  head: 'import os\ndef slugify(text):\n    # BEGIN EDITABLE\n',
  body: '    return text\n',
  tail: `    # END EDITABLE

def guard():
    raise SystemExit('guard ran')

doc = (
    'x'
)
`,
  others: {
    'tests/test_core.py': 'from slug.core import slugify\ndef test_x():\n    assert slugify("a")\n',
  },
  packs: ['py/skip', 'py/suppress', 'py/exit', 'py/reflect', 'py/env'],
});

/** F-TAIL: the region first in a function, protected statements after it in the same block. */
export const fTail: Fixture = fixtureOf({
  file: 'src/tail.ts',
  head: `export function run(input: number): number {
  let r = 0;
  // BEGIN EDITABLE
`,
  body: '  r = input;\n',
  tail: `  // END EDITABLE
  guard(r);
  return r;
}
function guard(r: number): void { if (r === 99) throw new Error('guard ran'); }
`,
});

/** Members of a class, a protected method after them. */
export const fClass: Fixture = fixtureOf({
  file: 'src/box.ts',
  head: `export class Box {
  value = 0;
  // BEGIN EDITABLE
`,
  body: '  read(): number { return this.value; }\n',
  tail: `  // END EDITABLE
  guard(): void { throw new Error('guard ran'); }
}
`,
  kind: 'members',
});

/** Members of a Python class, a protected method after them. */
export const fPyClass: Fixture = fixtureOf({
  file: 'slug/box.py',
  head: 'class Box:\n    # BEGIN EDITABLE\n',
  body: '    def read(self):\n        return 1\n',
  tail: "    # END EDITABLE\n    def guard(self):\n        raise SystemExit('guard ran')\n",
  kind: 'members',
});

/** F-PY-TAIL: the region first in a Python function, protected statements after it in the same block. */
export const fPyTail: Fixture = fixtureOf({
  file: 'slug/tail.py',
  head: `def guard(r):
    if r == 99:
        raise SystemExit('guard ran')

def run(value):
    r = 0
    # BEGIN EDITABLE
`,
  body: '    r = value\n',
  tail: '    # END EDITABLE\n    guard(r)\n    return r\n',
});
