import { packOf } from './pack.ts';

const pack = packOf('isabelle');

/** Words inside a cartouche that may hold ML come with an `@`. Source: contracts.md 8.3. */
export const isabelle = {
  // The published set, exactly.
  'isabelle/capri': pack(['sorry|oops|axiomatization|oracle']),
  'isabelle/alias': pack(['\\<proof>', 'quick_and_dirty', 'skip_proofs', '[[other]]']),
  'isabelle/ml': pack([
    'ML|ML_prf|ML_val|ML_command|ML_export|ML_file|ML_file_debug|ML_file_no_debug',
    'SML_file|SML_file_debug|SML_file_no_debug|SML_import|SML_export',
    'setup|local_setup|method_setup|attribute_setup|simproc_setup|declaration|syntax_declaration',
    'parse_translation|print_translation|typed_print_translation|parse_ast_translation|print_ast_translation',
    'tactic|raw_tactic|ML_tactic',
    '@Skip_Proof|@cheat_tac|@make_thm|@add_oracle|@add_axiom|@add_axiom_global|@OS|@TextIO|@Isabelle_System',
    '@ML',
  ]),
  'isabelle/oracle-options': pack([
    'smt_oracle|smt_certificates',
    'eval|normalization',
    'code_printing|code_reflect',
    '( unchecked )',
  ]),
  'isabelle/theory-level': pack([
    `lemma|theorem|corollary|proposition|schematic_goal|definition|fun|function|primrec|inductive|coinductive|datatype|record`,
    'axiomatization|typedef|typedecl|type_synonym|consts|class|instantiation|instance|locale|sublocale',
    'notation|no_notation|abbreviation|syntax|no_syntax|translations|no_translations',
    'hide_const|hide_fact|hide_type|hide_class|declare|bundle|unbundle|include|write|experiment',
    'context|interpretation|global_interpretation|end|private|qualified|keywords|theory|imports',
    'export_code|generate_file|external_file|lemmas|named_theorems|setup_lifting|overloading',
  ]),
  'isabelle/nondet': pack([
    'sledgehammer|nitpick|quickcheck|nunchaku|try|try0|solve_direct',
    'find_theorems|find_consts|thm|term|prop|typ|value|values',
    'print_theorems|print_state|print_facts|print_cases|print_context|print_methods',
  ]),
};
