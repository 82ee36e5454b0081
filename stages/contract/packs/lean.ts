import { packOf } from './pack.ts';

const pack = packOf('lean');

/** Source: contracts.md 8.4. */
export const lean = {
  'lean/holes': pack(['sorry|admit|sorryAx|stop']),
  'lean/axioms': pack([
    'axiom|opaque|native_decide|bv_decide',
    'decide + native',
    'Lean.ofReduceBool|Lean.trustCompiler|Lean.reduceBool',
  ]),
  'lean/code': pack([
    'unsafe|partial|implemented_by|extern|export|csimp|init|initialize|builtin_initialize',
    'run_cmd|run_tac|#eval|elab|elab_rules|macro|macro_rules|addDecl|IO',
  ]),
  'lean/kernel': pack(['set_option']),
  'lean/toplevel': pack([
    'open|namespace|section|import|attribute|local|scoped|notation|syntax|instance|deriving|theorem|lemma|def|end',
    'abbrev|inductive|structure|class|mutual|universe|variable|example|private|protected|noncomputable',
  ]),
};
