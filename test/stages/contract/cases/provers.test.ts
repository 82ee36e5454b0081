import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../../schemas/contract.ts';
import { reportOn } from '../../../support/contract-case.ts';

type Parts = {
  readonly file: string;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  readonly profile: Contract['editable'][number]['profile'];
  readonly kind: 'proof-body' | 'proof-script' | 'any';
  readonly packs: readonly string[];
};

/** Codes on a body between the markers of a prover's file. */
function codesOn(
  { file, head, body: old, tail, profile, kind, packs }: Parts,
  body: string,
): string[] {
  const [start, end] = [head.trimEnd().split('\n').at(-1) ?? '', tail.split('\n')[0] ?? ''];
  const editable = [
    { file, region: { start, end }, region_kind: kind, ...(profile ? { profile } : {}) },
  ];
  const step = [{ [file]: head + old + tail }, { [file]: head + body + tail }] as const;
  return reportOn(...step, { editable, forbidden: { packs: [...packs] } }).reasons.map(
    ({ code }) => code,
  );
}

const isa: Parts = {
  file: 'Demo.thy',
  profile: 'isabelle',
  kind: 'proof-body',
  head: 'theory Demo imports Main begin\nlemma target: "a + b = b + (a::nat)"\n(* BEGIN AUTHORISED PROOF *)\n',
  body: '  by simp\n',
  tail: '(* END AUTHORISED PROOF *)\nlemma neighbour: "x = (x::nat)" by simp\ntext \\<open>note\\<close>\nend\n',
  packs: [
    'isabelle/capri',
    'isabelle/alias',
    'isabelle/ml',
    'isabelle/oracle-options',
    'isabelle/theory-level',
    'isabelle/nondet',
  ],
};

const rocq: Parts = {
  file: 'L.v',
  profile: 'rocq',
  kind: 'proof-script',
  head: 'Lemma target : forall n, n = n :> nat.\nProof.\n(* BEGIN PROOF *)\n',
  body: '  reflexivity.\n',
  tail: '(* END PROOF *)\nQed.\nLemma neighbour : True. Proof. exact I. Qed.\n',
  packs: ['rocq/holes', 'rocq/assume', 'rocq/kernel', 'rocq/io', 'rocq/toplevel', 'rocq/meaning'],
};

const lean: Parts = {
  file: 'L.lean',
  profile: 'lean4',
  kind: 'proof-script',
  head: 'theorem target (n : Nat) : n = n := by\n-- BEGIN PROOF\n',
  body: '  rfl\n',
  tail: '-- END PROOF\ntheorem neighbour : True := trivial\n',
  packs: ['lean/holes', 'lean/axioms', 'lean/code', 'lean/kernel', 'lean/toplevel'],
};

test.each<[string, Parts, string, string]>([
  ['66: an unclosed comment in Isabelle', isa, '  by simp (*\n', 'frame.lexical'],
  ['67: an unclosed cartouche', isa, '  text \\<open>\n', 'frame.lexical'],
  ['68: an unclosed string in Isabelle', isa, '  have "a\n', 'frame.lexical'],
  ['A7: a modifier for the next command', isa, '  by simp\n  private\n', 'frame.region-kind'],
  [
    'A7: an open … in at the end of a proof in Lean',
    lean,
    '  rfl\n  open Foo in\n',
    'frame.region-kind',
  ],
])('case %s violates', (_, parts, body, code) => {
  expect(codesOn(parts, body)[0]).toBe(code);
});

const anyKind = { ...isa, kind: 'any' as const };

test.each<[string, string, string]>([
  ['72: sorry as code', '  sorry\n', 'forbidden:isabelle/capri'],
  ['73: the alias of sorry', '  \\<proof>\n', 'forbidden:isabelle/alias'],
  [
    '74: ML in the cartouche of a method',
    '  by (tactic \\<open>ALLGOALS (Skip_Proof.cheat_tac \\<^context>)\\<close>)\n',
    'forbidden:isabelle/ml',
  ],
  ['75: an option in place', '  using [[quick_and_dirty]] by simp\n', 'forbidden:isabelle/alias'],
  [
    '75: an oracle option in place',
    '  using [[smt_oracle = true]] by smt\n',
    'forbidden:isabelle/oracle-options',
  ],
])('case %s violates', (_, body, code) => {
  expect(codesOn(isa, body)).toContain(code);
  expect(codesOn(anyKind, body).every((found) => found.startsWith('forbidden:'))).toBe(true);
});

test.each([
  ['a comment', '  by simp (* sorry *)\n'],
  ['a string', '  have "sorry = (sorry::nat)" by simp\n  then show ?thesis by simp\n'],
  ['document text', '  txt \\<open>sorry\\<close> by simp\n'],
  ['a nested comment', '  by simp (* (* oops *) sorry *)\n'],
])('case 71: a forbidden word in %s conforms', (_, body) => {
  expect(codesOn(isa, body)).toEqual([]);
});

describe('Isabelle proofs', () => {
  test.each([
    [
      'a structured proof',
      'proof (induct a)\n  case 0\n  then show ?case by simp\nnext\n  case (Suc a)\n  then show ?case by simp\nqed\n',
    ],
    ['a tuned search', '  using [[simp_depth_limit = 5]] by simp\n'],
    [
      'a comment sign in a cartouche',
      '  have \\<open>x = (*) 1 x\\<close> for x by simp\n  then show ?thesis by simp\n',
    ],
    [
      'greek names and subscripts',
      '  obtain \\<alpha>\\<^sub>1 where "\\<alpha>\\<^sub>1 = a" by blast\n  then show ?thesis by simp\n',
    ],
    ['two dots', '  ..\n'],
  ])('%s conforms', (_, body) => expect(codesOn(isa, body)).toEqual([]));

  test.each([
    ['text that goes on with the statement', '  and "False"\n', 'frame.region-kind'],
    ['another lemma', '  by simp\nlemma evil: "False" sorry\n', 'frame.region-kind'],
    ['old verbatim text', '  by (tactic {* all_tac *})\n', 'frame.region-kind'],
    [
      'an ML antiquotation in text',
      '  txt \\<open>@{ML "1"}\\<close> by simp\n',
      'forbidden:isabelle/ml',
    ],
    ['a search command', '  sledgehammer by simp\n', 'frame.region-kind'],
    ['evaluation by code', '  by eval\n', 'forbidden:isabelle/oracle-options'],
    ['an unknown escape', '  have "\\q" by simp\n', 'frame.lexical'],
  ])('%s violates', (_, body, code) => expect(codesOn(isa, body)).toContain(code));

  test('a keyword of the protected header is a command', () => {
    const head = isa.head.replace('begin', 'keywords "cheat" :: thy_decl begin');
    expect(codesOn({ ...isa, head }, '  by simp cheat\n')).toEqual(['frame.region-kind']);
    expect(codesOn(isa, '  by simp cheat\n')).toEqual([]);
  });
});

describe('Rocq proofs', () => {
  test.each([
    [
      'tactics',
      '  intros n. induction n as [| k IH].\n  - reflexivity.\n  - simpl. now rewrite IH.\n',
    ],
    ['braces and selectors', '  assert (H : True). { exact I. }\n  1: idtac. all: auto.\n'],
    ['a match', '  match goal with |- ?x = ?x => reflexivity end.\n'],
    [
      'words in comments and strings',
      '  (* Admitted. "*)" *) idtac "Qed. Admitted". reflexivity.\n',
    ],
    ['a qualified name', '  apply Nat.add_comm.\n'],
  ])('%s conform', (_, body) => expect(codesOn(rocq, body)).toEqual([]));

  test.each([
    ['Admitted', '  Admitted.\n', 'forbidden:rocq/holes'],
    ['admit', '  admit.\n', 'forbidden:rocq/holes'],
    [
      'an axiom',
      '  reflexivity. Qed. Axiom evil : False. Lemma x : True.\n',
      'forbidden:rocq/assume',
    ],
    ['another sentence of the vernacular', '  Time reflexivity.\n', 'frame.region-kind'],
    ['an open sentence', '  exact (eq_refl\n', 'frame.syntactic'],
    ['an open comment', '  reflexivity. (*\n', 'frame.lexical'],
    ['a string that hides the end of a comment', '  reflexivity. (* "*)\n', 'frame.lexical'],
    ['an attribute', '  #[local] reflexivity.\n', 'frame.region-kind'],
    ['a check that is switched off', '  Unset Guard Checking.\n', 'forbidden:rocq/kernel'],
  ])('%s violates', (_, body, code) => expect(codesOn(rocq, body)).toContain(code));
});

describe('Lean proofs', () => {
  test.each([
    ['tactics', '  induction n with\n  | zero => rfl\n  | succ k ih => rfl\n'],
    [
      'words in comments and strings',
      '  /- sorry /- axiom -/ -/\n  exact (fun _ => rfl) "sorry"\n',
    ],
  ])('%s conform', (_, body) => expect(codesOn(lean, body)).toEqual([]));

  test.each([
    ['sorry', '  sorry\n', 'forbidden:lean/holes'],
    ['an option', '  set_option debug.skipKernelTC true in rfl\n', 'forbidden:lean/kernel'],
    ['native evaluation', '  native_decide\n', 'forbidden:lean/axioms'],
    ['a command at the margin', '  rfl\ntheorem evil : False := by\n  rfl\n', 'frame.region-kind'],
    ['code in a string', '  exact s!"{sorry}"\n', 'forbidden:lean/holes'],
    ['an open comment', '  rfl /-\n', 'frame.lexical'],
    ['an attribute', '  @[simp] rfl\n', 'frame.region-kind'],
  ])('%s violates', (_, body, code) => expect(codesOn(lean, body)).toContain(code));
});

describe('declared once', () => {
  test.each([
    [isa, 'lemma', 'target', 'lemma target'],
    [rocq, 'lemma', 'target', 'Lemma target'],
    [lean, 'theorem', 'target', 'theorem target'],
  ] as const)('the target of file %#', (parts, kind, name, text) => {
    const target = {
      declarations: [
        { file: parts.file, kind, name, ...(parts.profile ? { profile: parts.profile } : {}) },
      ],
    };
    const whole = parts.head + parts.body + parts.tail;
    const contract = {
      target,
      editable: [
        {
          file: parts.file,
          whole_file: true as const,
          ...(parts.profile ? { profile: parts.profile } : {}),
        },
      ],
    };
    const codes = (after: string) =>
      reportOn({ [parts.file]: whole }, { [parts.file]: after }, contract).reasons.map(
        ({ code }) => code,
      );
    expect(codes(whole.replace('END', 'END OF'))).toEqual([]);
    expect(codes(whole.replace(text, `${text}_`))).toEqual(['target.missing']);
    expect(
      codes(
        whole
          .replace('neighbour', 'target')
          .replace('lemma target: "x', 'lemma target: "x')
          .replaceAll('theorem neighbour', 'theorem target'),
      ),
    ).toEqual(['target.duplicate']);
  });
});
