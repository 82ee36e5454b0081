import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from 'yaml';
import { type Contract, Contract as ContractSchema } from '../../schemas/contract.ts';
import { contractOf } from '../../stages/contract/parse-contract.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { nearest } from '../config/nearest.ts';
import { keysAt } from '../config/schema-keys.ts';
import { flagError } from '../config/usage-problem.ts';
import { contractProblem } from './contract-problem.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 12;

type Found = { readonly code: string; readonly offset: number; readonly detail: string };

/** A byte order mark, bytes that are no UTF-8, or a tab where only blanks indent. */
function textFaults(text: string | null): Found[] {
  if (text === null)
    return [{ code: 'contract.syntax', offset: 0, detail: 'bytes that are not UTF-8' }];
  if (text.startsWith('\ufeff'))
    return [{ code: 'contract.syntax', offset: 0, detail: 'a byte order mark' }];
  const tab = /^[ ]*\t/mu.exec(text);
  return tab === null
    ? []
    : [{ code: 'contract.syntax', offset: tab.index, detail: 'a tab in the indentation' }];
}

function directiveFaults(text: string): Found[] {
  return [...new Parser().parse(text)].flatMap((token) =>
    token.type === 'directive'
      ? [
          {
            code: 'contract.yaml-feature',
            offset: token.offset,
            detail: `the directive "${token.source}"`,
          },
        ]
      : [],
  );
}

const codes: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'contract.duplicate-key',
  MULTIPLE_DOCS: 'contract.yaml-feature',
};

const firstLine = (message: string) => (message.split('\n')[0] ?? message).replace(/[.:;]$/u, '');

/** The one thing about a node that plain data does not have, or null. */
function featureOf(key: unknown, node: Node): string | null {
  if (isAlias(node)) return `the alias *${node.source}`;
  if ('anchor' in node && node.anchor) return `the anchor &${node.anchor}`;
  if (node.tag !== undefined) return `the tag ${node.tag}`;
  if (key !== 'key') return null;
  if (!isScalar(node)) return 'a key that is no word';
  return node.value === '<<' ? 'a merge key' : null;
}

/** What YAML offers beyond plain data, and nesting deeper than any contract. */
function featureFaults(document: Document.Parsed): Found[] {
  const found: Found[] = [];
  visit(document, {
    Node(key, node, path) {
      const isDeep = path.filter(isCollection).length > MAX_DEPTH;
      const detail = featureOf(key, node) ?? (isDeep ? `more than ${MAX_DEPTH} levels` : null);
      if (detail !== null)
        found.push({ code: 'contract.yaml-feature', offset: node.range?.[0] ?? 0, detail });
    },
  });
  return found.slice(0, 10);
}

type Place = (offset: number) => string;

function nodeOffset(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const keysOf = (path: readonly (string | number)[]) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text}${text === '' ? '' : '.'}${part}`,
    '',
  );

const tooLarge = (name: string, size: number) =>
  contractProblem(name, [
    {
      code: 'contract.too-large',
      at: name,
      detail: `${size} bytes, at most ${MAX_BYTES}: no contract is larger`,
    },
  ]);

type Reading = {
  /** The base that is given is the one that the contract is for, so the contract need not name it. */
  readonly isBasePinned?: boolean;
};

const NO_BASE = `sha256:${'0'.repeat(64)}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A contract that names no base gets a name that no tree has; whoever pins the base puts another in its place. */
function withBase(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { base = {} } = value;
  return isObject(base) ? { ...value, base: { manifest: NO_BASE, ...base } } : value;
}

/** The key that was probably meant by one that there is not. */
function meant(value: unknown, path: readonly (string | number)[]): string {
  const key = String(path.at(-1));
  const near = nearest(key, keysAt(ContractSchema, value, path.slice(0, -1)));
  return near === null ? '' : ` (did you mean "${near}"?)`;
}

/** A contract from the bytes of a file. Throws a contract problem with every fault, its code and its line. */
export function parseContract(
  bytes: Uint8Array,
  name: string,
  { isBasePinned = false }: Reading = {},
): Contract {
  if (bytes.length > MAX_BYTES) throw tooLarge(name, bytes.length);
  const text = utf8(bytes);
  const lines = new LineCounter();
  const place: Place = (offset) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const stop = (found: readonly Found[]) =>
    contractProblem(
      name,
      found.map(({ code, offset, detail }) => ({ code, at: place(offset), detail })),
    );
  const rough = textFaults(text);
  if (text === null || rough.length > 0) throw stop(rough);
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
  });
  const marks = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    code: codes[code] ?? 'contract.syntax',
    offset: pos[0],
    detail: code === 'MULTIPLE_DOCS' ? 'a second document' : firstLine(message),
  }));
  const found = [...directiveFaults(text), ...marks, ...featureFaults(document)];
  if (found.length > 0) throw stop(found);
  const plain: unknown = document.toJS({ maxAliasCount: 0 });
  const value = isBasePinned ? withBase(plain) : plain;
  const parsed = contractOf(value);
  if (parsed.ok) return parsed.contract;
  throw contractProblem(
    name,
    parsed.issues.map(({ code, path, detail }) => ({
      code,
      at: `${place(nodeOffset(document, path))} ${keysOf(path)}`.trim(),
      detail: code === 'contract.unknown-key' ? `${detail}${meant(value, path)}` : detail,
    })),
  );
}

/** The bytes of a file that the user named. It may be a pipe that nobody writes to, a folder or a device: none of them is waited for. */
export function namedFile(
  path: string,
  maxBytes: number,
  flag = 'C',
  expected = 'a file that can be read',
): Uint8Array | { readonly size: number } {
  const wrong = (got: string) => flagError(flag, expected, `"${path}" (${got})`);
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw wrong(String((error as NodeJS.ErrnoException).code));
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw wrong('no regular file');
    return stats.size > maxBytes ? { size: stats.size } : new Uint8Array(readFileSync(handle));
  } finally {
    closeSync(handle);
  }
}

/** The bytes of a contract file. A larger file than any contract is not read. */
export function contractBytes(path: string, flag?: string): Uint8Array {
  const bytes = namedFile(path, MAX_BYTES, flag);
  if ('length' in bytes) return bytes;
  throw tooLarge(path, bytes.size);
}

/** The contract in a file. */
export const readContract = (
  path: string,
  { flag, ...reading }: Reading & { readonly flag?: string } = {},
): Contract => parseContract(contractBytes(path, flag), path, reading);
