import { packOf } from './pack.ts';

const pack = packOf('rocq');

/** Source: contracts.md 8.4. */
export const rocq = {
  'rocq/holes': pack(['Admitted|admit|give_up|Abort', 'Admit Obligations']),
  'rocq/assume': pack([
    'Axiom|Axioms|Parameter|Parameters|Conjecture|Conjectures|Variable|Variables|Hypothesis|Hypotheses|Context',
    'Declare Module',
    'Include',
  ]),
  'rocq/kernel': pack([
    'Unset|Set Guard|Positivity|Universe Checking',
    'Definitional UIP',
    'Allow Rewrite Rules',
    'Symbol|Symbols',
    'Rewrite Rule|Rules',
    'bypass_check',
    'native_compute|vm_cast_no_check|native_cast_no_check|exact_no_check|change_no_check|convert_concl_no_check',
    'type - in - type|- impredicative - set|- indices - matter|- noinit',
  ]),
  'rocq/io': pack([
    'Declare ML Module',
    'Load|Cd|Redirect|Extraction|Register|Primitive|Reset|Back|Undo|Require',
    'Separate|Recursive Extraction',
  ]),
  'rocq/toplevel': pack([
    'Proof|Qed|Defined|Save|Goal|Theorem|Lemma|Fact|Remark|Corollary|Proposition|Example',
    'Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Record|Structure|Module|Section|End|Import|Export',
    'Ltac|Ltac2|Tactic|Obligation|Next|Print|Check|Compute|Eval|Search|About|Set|Unset|Opaque|Transparent|Strategy',
    'Fail|Time|Timeout|Succeed|Local|Global',
    '# [',
  ]),
  'rocq/meaning': pack([
    'Notation|Infix|Coercion|Canonical|Arguments|Instance|Hint|Bind|Delimit|Identity|Implicit|Generalizable|Reserved',
    'Open|Close Scope',
  ]),
};
