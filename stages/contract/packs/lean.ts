import { leanCommands } from '../scanners/lean-commands.ts';
import { packOf } from './pack.ts';

const pack = packOf('lean');

/** `^ name` and `^. name` are parts of a dotted name, guillemets taken off. Source: contracts.md 8.4. */
export const lean = {
  'lean/holes': pack(['sorry|admit|sorryAx|stop', '^ sorryAx']),
  'lean/axioms': pack([
    'axiom|opaque|native_decide|bv_decide',
    '+ native',
    'native : = true',
    'ofReduceBool|ofReduceNat|trustCompiler|reduceBool|reduceNat',
    '^ ofReduceBool|ofReduceNat|trustCompiler|reduceBool|reduceNat',
  ]),
  'lean/code': pack([
    'unsafe|partial|implemented_by|extern|export|csimp|init|initialize|builtin_initialize',
    'run_cmd|run_tac|run_elab|run_meta|by_elab|#eval|#eval!|elab|elab_rules|macro|macro_rules|addDecl|IO',
    '^ addDecl|unsafeCast|unsafeIO|unsafeBaseIO',
    '^. IO',
  ]),
  'lean/kernel': pack(['set_option']),
  'lean/toplevel': pack([leanCommands.join('|'), '@[']),
};
