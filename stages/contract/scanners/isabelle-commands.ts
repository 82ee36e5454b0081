const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Commands that may start a span in a proof. Everything else that is a command is refused. Source: contracts.md 8.3. */
export const proofCommands: ReadonlySet<string> = new Set(
  words(`proof qed by .. . done apply apply_end prefer defer back subgoal supply have show hence thus obtain consider
  case next fix assume presume define let note from with using unfolding moreover ultimately also finally then interpret { } text
  txt`),
);

/** Commands with a method after them. */
export const methodCommands: ReadonlySet<string> = new Set(words('by apply apply_end proof qed'));

/** Commands that run ML or change what the parser, the printer or the prover does. */
export const mlCommands =
  words(`ML ML_prf ML_val ML_command ML_export ML_file ML_file_debug ML_file_no_debug SML_file SML_file_debug
  SML_file_no_debug SML_import SML_export setup local_setup method_setup attribute_setup simproc_setup declaration
  syntax_declaration parse_translation print_translation typed_print_translation parse_ast_translation print_ast_translation`);

/** Commands of a theory, of Pure and of HOL's main session, and the two modifiers that attach to the next command. */
export const theoryCommands =
  words(`lemma theorem corollary proposition schematic_goal lemmas definition fun function termination
  primrec primcorec primcorecursive inductive inductive_set coinductive coinductive_set
  inductive_cases inductive_simps fun_cases datatype codatatype datatype_compat old_rep_datatype record typedef typedecl
  type_synonym nonterminal class instantiation instance subclass locale sublocale interpretation global_interpretation context
  begin end consts notation no_notation type_notation no_type_notation abbreviation syntax no_syntax syntax_consts syntax_types
  translations no_translations hide_const hide_fact hide_type hide_class alias type_alias declare bundle open_bundle unbundle
  include including write experiment export_code code_datatype code_identifier code_pred code_deps code_thms
  print_codesetup generate_file external_file bibtex_file ROOTS_file export_generated_files compile_generated_files
  scala_build_generated_files private qualified keywords theory imports abbrevs named_theorems method overloading
  adhoc_overloading no_adhoc_overloading judgment default_sort specification lift_definition lift_bnf copy_bnf bnf functor
  setup_lifting lifting_update lifting_forget quotient_type quotient_definition free_constructors partial_function
  extract extract_type realizers realizability unused_thms quickcheck_generator chapter section subsection
  subsubsection paragraph subparagraph text_raw guess`);

/** Commands that search or print and prove nothing by themselves. */
export const diagnosticCommands =
  words(`sledgehammer sledgehammer_params nitpick nitpick_params nunchaku nunchaku_params quickcheck quickcheck_params
  refute refute_params try try0 solve_direct find_theorems find_consts find_unused_assms thm thm_deps thm_oracles thy_deps
  locale_deps class_deps term typ prop prf full_prf value values help welcome smt_status print_theory
  print_theorems print_state print_facts print_cases print_context print_methods print_attributes print_antiquotations
  print_ML_antiquotations print_commands print_bundles print_syntax print_abbrevs print_defn_rules print_term_bindings
  print_trans_rules print_claset print_simpset print_rules print_induct_rules print_interps print_locale print_locales
  print_dependencies print_definitions print_options print_classes print_coercions print_case_translations print_record
  print_inductives print_bnfs print_quotients print_quotmaps print_quotconsts print_codeproc print_orders print_statement`);

/** Words that begin no proof command: those of the packs and the lists above. */
export const refusedCommands: ReadonlySet<string> = new Set([
  ...words('sorry oops \\<proof> axiomatization oracle code_printing code_reflect'),
  ...mlCommands,
  ...theoryCommands,
  ...diagnosticCommands,
]);
