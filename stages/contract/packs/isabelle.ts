import { diagnosticCommands, mlCommands, theoryCommands } from '../scanners/isabelle-commands.ts';
import { packOf } from './pack.ts';

const pack = packOf('isabelle');

const choice = (words: readonly string[]) => words.join('|');

/** `@word`, `^ name` and `[[ name` are marks of the scanner, see `isabelleMarks`. Source: contracts.md 8.3. */
export const isabelle = {
  // The published set, exactly.
  'isabelle/capri': pack(['sorry|oops|axiomatization|oracle']),
  'isabelle/alias': pack([
    '\\<proof>',
    'quick_and_dirty|skip_proofs',
    '^ quick_and_dirty|skip_proofs',
    '[[ *',
  ]),
  'isabelle/ml': pack([
    choice(mlCommands),
    'tactic|raw_tactic|ML_tactic',
    '^ tactic|raw_tactic|ML_tactic',
    '@Skip_Proof|@cheat_tac|@make_thm|@add_oracle|@add_axiom|@add_axiom_global|@OS|@TextIO|@Isabelle_System',
    '@ML',
  ]),
  'isabelle/oracle-options': pack([
    'smt_oracle|smt_certificates',
    'eval|normalization',
    '^ smt_oracle|smt_certificates|eval|normalization',
    'code_printing|code_reflect',
    '( unchecked )',
  ]),
  'isabelle/theory-level': pack([choice(theoryCommands), 'axiomatization']),
  'isabelle/nondet': pack([choice(diagnosticCommands)]),
};
