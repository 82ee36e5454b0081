import type { Token } from '../lexer.ts';
import type { Outer } from './isabelle.ts';
import { methodCommands, proofCommands, refusedCommands } from './isabelle-commands.ts';

/** Attributes that only tune a search or what is printed, and may be set in place. */
const harmless = new Set(
  `simp_depth_limit simp_trace simp_trace_depth_limit simp_debug linarith_split_limit linarith_neq_limit linarith_verbose
  blast_depth_limit blast_trace blast_stats unify_search_bound unify_trace_bound smt_timeout smt_trace smt_verbose
  smt_random_seed smt_statistics metis_trace metis_verbose argo_timeout argo_trace presburger_trace show_types show_sorts
  show_consts show_brackets show_markup goals_limit names_long names_short names_unique`.split(
    /\s+/u,
  ),
);

const methods = new Set('tactic raw_tactic ML_tactic eval normalization'.split(' '));
const options = new Set('smt_oracle smt_certificates quick_and_dirty skip_proofs'.split(' '));
/** Methods of Pure and Eisbach whose argument is a method. */
const higherOrder = new Set('in solves fails determ all all_new_goals succeeds changed'.split(' '));

const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).trim();

/** The antiquotations of a document that hold ML or a proof; one whose name cannot be read counts, too. */
const antiquotation = /@\{|\\<\^(?:ML|SML|lemma\b)/gu;
const antiquoted = /^\s*([A-Za-z_][\w'.]*)/u;
const running = /^(?:ML|SML|lemma$|method$)/u;

function mlMarks({ inner = '', at }: Outer): Token[] {
  const hits = [...inner.matchAll(antiquotation)].filter(({ 0: found, index }) => {
    if (found !== '@{') return true;
    const name = antiquoted.exec(inner.slice(index + 2, index + 66))?.[1];
    return name === undefined || running.test(lastOf(name));
  });
  return hits.map(({ index }) => ({ text: '@ML', at: at + index }));
}

const word = /[A-Za-z][A-Za-z0-9_']*/gu;

/** Words of a cartouche that may hold ML, each as `@word`; the structure `OS` only where something is taken from it. */
function wordMarks({ inner = '', at }: Outer): Token[] {
  return [...inner.matchAll(word)].flatMap(({ 0: text, index }) => {
    const isTaken = inner[index + text.length] === '.' || inner.startsWith('open ', index - 5);
    if (text === 'OS' && !isTaken) return [];
    return text === 'ML' ? [] : [{ text: `@${text}`, at: at + index }];
  });
}

function quoteMarks(token: Outer): Token[] {
  if (token.inner === undefined) return [];
  if (token.isDocument) return mlMarks(token);
  return token.text === '\\<open>' ? [...wordMarks(token), ...mlMarks(token)] : [];
}

const piece = /\\<(?:open|close)>|[A-Za-z](?:[\w'.]|\\<\^?(?!open>|close>)\w+>)*|\S/gu;
const before = new Set(['', '(', ',', ';', '|', '\\<open>', '"', '`', 'in']);
const after = new Set([
  ...['', ')', ',', ';', '|', '+', '?', '[', '\\<open>', '\\<close>', '"', '`'],
]);

/** Methods that a quoted text names, where it stands for a method: `"tactic"`, `\<open>HOL.eval\<close>`. */
function quotedMethods({ inner = '', at }: Outer): Token[] {
  const found: Token[] = [];
  let [previous, name, place] = ['', '', 0];
  const close = (next: string) => {
    if (methods.has(name) && after.has(next))
      found.push({ text: '^', at: at + place }, { text: name, at: at + place });
    name = '';
  };
  for (const { 0: text, index } of inner.matchAll(piece)) {
    close(text);
    if (before.has(previous) || higherOrder.has(previous)) [name, place] = [lastOf(text), index];
    previous = text;
  }
  close('');
  return found;
}

type Walk = {
  readonly marks: Token[];
  /** Open brackets, innermost last; `[[` is an attribute list without a fact. */
  readonly open: string[];
  isMethod: boolean;
};

const nameOf = ({ text, inner }: Outer) => lastOf(text === '""' ? (inner ?? '') : text);

function attributeMark({ marks, open }: Walk, token: Outer, previous: string): void {
  if (previous !== '[' && previous !== ',') return;
  const name = nameOf(token);
  const { at } = token;
  if (open.at(-1) === '[[' && !harmless.has(name))
    marks.push({ text: '[[', at }, { text: name, at });
  if (options.has(name) && name !== token.text) marks.push({ text: '^', at }, { text: name, at });
}

function methodMark({ marks, open }: Walk, token: Outer, previous: string): void {
  const isPlace = open.length === 0 || before.has(previous) || higherOrder.has(previous);
  const { text, at } = token;
  if (token.inner !== undefined) marks.push(...quotedMethods(token));
  else if (isPlace && text.includes('.') && methods.has(lastOf(text)))
    marks.push({ text: '^', at }, { text: lastOf(text), at });
}

const isCommand = (text: string) => proofCommands.has(text) || refusedCommands.has(text);

function bracket({ open }: Walk, text: string, previous: string): void {
  if (text === '[') open.push(previous === '[' ? '[[' : '[');
  else if (text === '(') open.push('(');
  else if (text === ']' || text === ')') open.pop();
}

function enter(walk: Walk, text: string): void {
  if (!isCommand(text)) return;
  walk.isMethod = methodCommands.has(text);
  walk.open.length = 0;
}

function placeMark(walk: Walk, token: Outer, previous: string): void {
  const isList = walk.open.at(-1)?.startsWith('[') === true && token.text !== '[';
  if (isList) attributeMark(walk, token, previous);
  else if (walk.isMethod) methodMark(walk, token, previous);
}

/**
 * What a whole-token comparison cannot see. `@word`: a word of a quoted text that may hold ML. `^ name`: a method or an option under
 * a qualified or quoted name. `[[ name`: an attribute set in place that is not known to be harmless. `{*`: old verbatim text.
 */
export function isabelleMarks(tokens: readonly Outer[]): Token[] {
  const walk: Walk = { marks: [], open: [], isMethod: false };
  let [previous, previousEnd] = ['', -1];
  for (const token of tokens) {
    const { text, at, end } = token;
    enter(walk, text);
    placeMark(walk, token, previous);
    walk.marks.push(...quoteMarks(token));
    if (text === '*' && previous === '{' && previousEnd === at) walk.marks.push({ text: '{*', at });
    bracket(walk, text, previous);
    [previous, previousEnd] = [text, end];
  }
  return walk.marks;
}
