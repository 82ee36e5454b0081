import { type Document, isNode, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { type UsageProblem, usageError } from './usage-problem.ts';

/** How often aliases may be copied in one file; yaml's own limit of 100 refuses honest files. */
const ALIAS_LIMIT = 1000;

type Path = readonly PropertyKey[];

/** A YAML file that was read, with the way back to what the user typed. */
export type YamlFile = {
  readonly value: unknown;
  /** File and line of a value, or of the nearest thing around it that exists. */
  placeOf(path: Path): Pick<UsageProblem, 'file' | 'line'>;
  /** A scalar as it was typed (`1.10`, not 1.1), or null where no scalar stands. */
  typedAt(path: Path): string | null;
};

/**
 * Read one YAML 1.2 document. Throws every problem of the text at once as a usage error: broken syntax, double keys,
 * directives (they would turn `on` and `no` into booleans), tags, a second document, too many aliases.
 */
export function readYaml(text: string, name: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = (expected: string, got: string, offset: number): UsageProblem => ({
    path: '',
    expected,
    got,
    file: name,
    line: lines.linePos(offset).line,
  });
  const problems = [
    ...directives(text, problem),
    ...document.errors.map(({ code, message, pos }) =>
      problem(expectations[code] ?? 'YAML', sentence(message), pos[0]),
    ),
    ...tags(document, problem),
  ];
  if (problems.length > 0) throw usageError(problems);
  return {
    value: plainValue(document, problem),
    placeOf: (path) => ({ file: name, line: lineOf(document, lines, path) }),
    typedAt: (path) => typedAt(document, path),
  };
}

type Report = (expected: string, got: string, offset: number) => UsageProblem;

const expectations: Record<string, string> = {
  DUPLICATE_KEY: 'each key once',
  MULTIPLE_DOCS: 'one document in the file',
};

const sentence = (message: string) => message.split('\n')[0]?.replace(/[.;:]$/, '') ?? message;

function directives(text: string, report: Report): UsageProblem[] {
  const found: UsageProblem[] = [];
  for (const token of new Parser().parse(text)) {
    if (token.type !== 'directive') continue;
    found.push(report('no directive', `"${token.source}"`, token.offset));
  }
  return found;
}

function tags(document: Document.Parsed, report: Report): UsageProblem[] {
  const found: UsageProblem[] = [];
  visit(document, {
    Node(_key, node) {
      if (node.tag === undefined) return;
      found.push(report('no tag', `"${node.tag}"`, node.range?.[0] ?? 0));
    },
  });
  return found;
}

function plainValue(document: Document.Parsed, report: Report): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIAS_LIMIT });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const isBomb = error.message.startsWith('Excessive alias count');
    throw usageError([
      isBomb
        ? report(`at most ${ALIAS_LIMIT} copies by aliases`, 'more', 0)
        : report('aliases of anchors that exist', sentence(error.message), 0),
    ]);
  }
}

function nodeAt(document: Document.Parsed, path: Path): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: Path): number | null {
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length));
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

function typedAt(document: Document.Parsed, path: Path): string | null {
  const node = nodeAt(document, path);
  if (!isNode(node) || !('source' in node) || typeof node.source !== 'string') return null;
  return node.source;
}
