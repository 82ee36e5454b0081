const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Words that attach to the next command, and what an attribute list begins with. */
export const leanModifiers: ReadonlySet<string> = new Set(
  words('private protected public noncomputable unsafe partial nonrec local scoped @['),
);

/** Words that begin a command of Lean, its standard libraries and Mathlib; none may stand in a proof. */
export const leanCommands =
  words(`open namespace section end import attribute local scoped notation notation3 infix infixl infixr
  prefix postfix syntax declare_syntax_cat instance deriving theorem lemma def abbrev axiom opaque example inductive coinductive
  structure class mutual universe variable include omit alias export set_option private protected public noncomputable unsafe
  partial nonrec macro macro_rules elab elab_rules simproc dsimproc simproc_decl dsimproc_decl register_simp_attr register_option
  register_builtin_option register_label_attr register_error_explanation declare_config_elab declare_simp_like_tactic
  initialize builtin_initialize init_quot run_cmd run_elab run_meta add_decl_doc unif_hint gen_injective_theorems library_note
  norm_cast_add_elim proof_wanted irreducible_def initialize_simps_projections suppress_compilation unsuppress_compilation
  assert_not_exists assert_not_imported compile_inductive compile_def count_heartbeats grind_pattern recommended_spelling
  unseal whatsnew extern implemented_by csimp`);
