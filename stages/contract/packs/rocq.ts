import { packOf } from './pack.ts';

const pack = packOf('rocq');

/** `^ Word` is a word that begins a sentence of the vernacular, prefixes passed over. Source: contracts.md 8.4. */
export const rocq = {
  'rocq/holes': pack(['admit|give_up|proof_admitted', '^ Admitted|Abort', '^ Admit Obligations']),
  'rocq/assume': pack([
    '^ Axiom|Axioms|Parameter|Parameters|Conjecture|Conjectures|Variable|Variables|Hypothesis|Hypotheses|Context',
    '^ Declare Module',
    '^ Module * (',
    '^ Module Type|Import|Export * (',
    '^ Include',
  ]),
  'rocq/kernel': pack([
    '^ Unset|Set Guard|Positivity|Universe Checking',
    'Definitional UIP',
    'Allow Rewrite Rules',
    '^ Symbol|Symbols',
    '^ Rewrite Rule|Rules',
    'bypass_check',
    'native_compute|vm_cast_no_check|native_cast_no_check|exact_no_check|change_no_check|convert_concl_no_check',
    'type - in - type',
    '- impredicative - set',
    '- indices - matter',
    '- noinit',
  ]),
  'rocq/io': pack([
    '^ Declare ML Module',
    '^ Load|Cd|Redirect|Extraction|Register|Primitive|Reset|Back|BackTo|Undo|Require|From|Drop|Quit|Restart',
    '^ Separate|Recursive Extraction',
    '^ Extract',
    '^ Add LoadPath|Rec|ML',
  ]),
  'rocq/toplevel': pack(['^ *']),
  'rocq/meaning': pack([
    '^ Notation|Infix|Coercion|Canonical|Arguments|Instance|Existing|Hint|Bind|Delimit|Undelimit|Declare|Identity|Implicit',
    '^ Generalizable|Reserved|Tactic|Typeclasses|Ltac|Ltac2',
    '^ Open|Close Scope',
    '^ Local|Global',
  ]),
};
