import { type Pack, packOf } from './pack.ts';

const builtins =
  'Object|Array|String|Number|Boolean|Map|Set|WeakMap|Promise|Symbol|JSON|Math|Date|RegExp|Error|Function';
const modules = [
  'fs',
  'fs/promises',
  'child_process',
  'net',
  'http',
  'https',
  'http2',
  'tls',
  'dgram',
  'cluster',
  'worker_threads',
];
const specifier = (names: readonly string[]) =>
  names.flatMap((name) => [`"${name}"`, `"node:${name}"`]).join('|');
const loads = (names: readonly string[]) => [
  `from ${specifier(names)}`,
  `require|import ( ${specifier(names)}`,
  `import ${specifier(names)}`,
];

const pack = packOf('javascript');

/** Packs for TypeScript and JavaScript (contracts.md 8.2). A bare `.skip` or `this.skip()` is an ordinary word in parsers and is not listed. */
export const javascript: Readonly<Record<string, Pack>> = {
  'ts/skip': pack([
    'test|it|describe|suite|bench . skip|only|todo|fails|failing|skipIf|runIf',
    't . skip|todo (',
    '!.|function xit|xtest|xdescribe|fit|fdescribe|pending (',
  ]),
  'ts/suppress': pack(
    ['as any', 'as unknown as'],
    [
      /@ts-(?:ignore|expect-error|nocheck)/u,
      /eslint-disable/u,
      /biome-ignore/u,
      /(?:istanbul|c8|v8) ignore/u,
    ],
  ),
  'ts/exit': pack([
    'process . exit|abort|kill|reallyExit',
    'process [',
    '} = process',
    'Deno|Bun . exit',
    'Deno|Bun [',
    ...loads(['process']),
  ]),
  'ts/reflect': {
    ...pack([
      'globalThis . * =',
      'globalThis [',
      `Object|Reflect . defineProperty|defineProperties|setPrototypeOf|assign ( globalThis|${builtins}`,
      `Object|Reflect . set ( globalThis|${builtins}`,
      `${builtins} . * =`,
      `${builtins} . prototype . * =`,
      `${builtins} . prototype [`,
      'vi|jest . mock|doMock|spyOn',
      'require . cache',
      'Module . _load',
      'process . binding',
      '!.|function eval (',
      '!.|function Function (',
      '!.|const|let|var|,|( ~name =',
    ]),
    keepsNames: true,
  },
  'ts/oracle': pack([
    'expect . extend|addEqualityTesters|addSnapshotSerializer',
    'asymmetricMatch',
    'Symbol . toPrimitive',
    '!.|?. valueOf|toString|equals ( ) {',
    '!.|?. equals ( * ) {',
  ]),
  'ts/env': pack([
    'process . env . VITEST|VITEST_WORKER_ID|VITEST_POOL_ID|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_ENV|CI',
    'process . env [ "VITEST"|"VITEST_WORKER_ID"|"JEST_WORKER_ID"|"NODE_TEST_CONTEXT"|"NODE_ENV"|"CI"',
    '__vitest_worker__',
    'import . meta . vitest',
  ]),
  'ts/io': pack([
    ...loads(modules),
    '!.|function fetch (',
    'Date . now',
    'new Date ( )',
    'performance . now',
  ]),
};
