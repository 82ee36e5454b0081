import type { Files } from './contract-case.ts';

/** Markers of the fixture's one region. */
export const start = '    // BEGIN EDITABLE get';
export const end = '    // END EDITABLE get';

export const head = `import { now } from './clock.ts';
export class LruCache {
  get(key: string): number {
${start}
`;
export const tail = `${end}
  }
}
// guard must stay
export function guard(): void { throw new Error('guard ran'); }
`;

/** The fixture F-TS of the contract cases: one editable region, everything else protected. */
export const lruBase: Files = {
  'src/lru.ts': `${head}    return 0;\n${tail}`,
  'src/clock.ts': 'export const now = () => 1;\n',
  'src/aux.c': 'int x;\n',
  'test/lru.test.ts': 'test\n',
  'package.json': '{}\n',
  'vitest.config.ts': 'export default {};\n',
  'README.md': '# lru\n',
  '.gitattributes': '* text\n',
  '.gitignore': 'conftest.py\n',
  '.gitmodules': '[submodule "x"]\n',
  'third/x': ['gitlink', 'a'.repeat(40)],
  'docs/latest': ['link', 'v1'],
  'docs/v1': 'one\n',
};

/** The contract over it. */
export const lruContract = {
  editable: [{ id: 'r1', file: 'src/lru.ts', region: { start, end }, max_bytes: 16384 }],
  forbidden: { packs: ['ts/skip', 'ts/suppress', 'ts/exit', 'ts/reflect', 'ts/env'] },
};

/** The base with another body between the markers. */
export const withBody = (body: string): Files => ({ ...lruBase, 'src/lru.ts': head + body + tail });
