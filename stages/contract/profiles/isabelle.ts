import { bodyHits, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { scanIsabelle } from '../scanners/isabelle.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

/** Commands that may start a span in a proof. Everything else that is a command is refused. Source: contracts.md 8.3. */
const allowed =
  words(`proof qed by .. . done apply apply_end prefer defer back subgoal supply have show hence thus obtain consider
  case next fix assume presume define let note from with using unfolding moreover ultimately also finally then interpret { } text
  txt`);

/** Commands of the pinned release that a proof may not hold; a protected header's own keywords come on top. */
const denied =
  words(`sorry oops \\<proof> axiomatization oracle ML ML_prf ML_val ML_command ML_export ML_file SML_file SML_import
  SML_export setup local_setup method_setup attribute_setup simproc_setup declaration syntax_declaration parse_translation
  print_translation typed_print_translation parse_ast_translation print_ast_translation lemma theorem corollary proposition
  schematic_goal lemmas theorems definition fun function termination primrec primcorec corec inductive inductive_set coinductive
  datatype codatatype record typedef typedecl type_synonym class instantiation instance subclass locale sublocale interpretation
  global_interpretation context begin end consts notation no_notation type_notation abbreviation syntax no_syntax translations
  no_translations hide_const hide_fact hide_type hide_class declare bundle unbundle include including open_bundle write experiment
  export_code code_printing code_reflect code_datatype code_identifier generate_file external_file export_generated_files private
  qualified keywords theory imports named_theorems method attribute overloading adhoc_overloading no_adhoc_overloading judgment
  default_sort sledgehammer sledgehammer_params nitpick nitpick_params nunchaku quickcheck quickcheck_params try try0
  solve_direct find_theorems find_consts print_theorems print_state print_facts print_cases print_methods thm thm_deps thm_oracles
  term typ prop prf full_prf value values help welcome guess proposition chapter section subsection subsubsection paragraph
  subparagraph text_raw lift_definition setup_lifting quotient_type free_constructors partial_function nominal_datatype print_context`);

const modifiers = words('private qualified');

/** Names that a theory's header adds to the commands: `keywords "foo" :: thy_decl`. */
function headerKeywords(text: string): Set<string> {
  const header = /\bkeywords\b([\s\S]*?)\bbegin\b/u.exec(text)?.[1] ?? '';
  return new Set(
    [...header.matchAll(/"([^"\n]+)"/gu)].flatMap(([, name]) => (name === undefined ? [] : [name])),
  );
}

function judge(body: string, own: ReadonlySet<string>) {
  const { tokens } = scanIsabelle(body);
  const outer = tokens.filter(({ text }) => !text.startsWith('@') && text !== '[[other]]');
  const bad = outer.find(
    ({ text }) => denied.has(text) || own.has(text) || modifiers.has(text) || text === '{*',
  );
  if (bad) return { at: bad.at, detail: `"${bad.text}" in a proof` };
  const [first] = outer;
  if (first === undefined || allowed.has(first.text)) return null;
  return { at: first.at, detail: `"${first.text}" where a proof command begins` };
}

function regionKind(input: FrameInput) {
  const own = headerKeywords(textOrThrow(input.base));
  return bodyHits(input, (body) => judge(body, own));
}

const goals = words(
  'lemma theorem corollary proposition schematic_goal definition fun function primrec inductive abbreviation',
);

function declarations(_: string, bytes: Uint8Array): DeclarationSpan[] {
  const text = textOrThrow(bytes);
  const { tokens } = scanIsabelle(text);
  const starts = tokens.flatMap(({ text: kind, at: place }, at) => {
    const inLocale = tokens[at + 1]?.text === '(' && tokens[at + 2]?.text === 'in' ? 4 : 0;
    const name = tokens[at + 1 + inLocale]?.text ?? '';
    return goals.has(kind) && /^[A-Za-z\\]/u.test(name) ? [{ kind, name, at: place }] : [];
  });
  return declaredSpans(text, starts);
}

/** Isabelle theories, checked on their outer syntax; no Isabelle takes part. */
export const isabelle: Profile = {
  name: 'isabelle',
  extensions: ['.thy'],
  tokens: (_, bytes) => frameTokens(bytes, scanIsabelle),
  syntactic: null,
  regionKinds: { 'proof-body': regionKind, any: null },
  declarations,
};
