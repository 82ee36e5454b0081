(** A little stack machine, and a compiler whose code does what the expression says. *)
Require Import Lem.Seqs.

Inductive exp : Type :=
| lit : nat -> exp
| plus : exp -> exp -> exp
| mult : exp -> exp -> exp.

Fixpoint value (e : exp) : nat :=
  match e with
  | lit n => n
  | plus a b => value a + value b
  | mult a b => value a * value b
  end.

Inductive op : Type :=
| push : nat -> op
| add : op
| mul : op.

Inductive code : Type :=
| stop : code
| next : op -> code -> code.

Fixpoint chain (p q : code) : code :=
  match p with
  | stop => q
  | next o rest => next o (chain rest q)
  end.

Definition step (o : op) (s : seq) : seq :=
  match o, s with
  | push n, _ => cons n s
  | add, cons b (cons a rest) => cons (a + b) rest
  | mul, cons b (cons a rest) => cons (a * b) rest
  | _, _ => s
  end.

Fixpoint run (p : code) (s : seq) : seq :=
  match p with
  | stop => s
  | next o rest => run rest (step o s)
  end.

Fixpoint compile (e : exp) : code :=
  match e with
  | lit n => next (push n) stop
  | plus a b => chain (compile a) (chain (compile b) (next add stop))
  | mult a b => chain (compile a) (chain (compile b) (next mul stop))
  end.

Lemma run_chain : forall p q s, run (chain p q) s = run q (run p s).
Proof.
  induction p as [| o rest IH]; intros q s.
  - reflexivity.
  - simpl. apply IH.
Qed.

Lemma compile_runs : forall e s, run (compile e) s = cons (value e) s.
Proof.
(* BEGIN PROOF *)
  induction e as [n | a IHa b IHb]; intros s; simpl.
  - reflexivity.
  - rewrite !run_chain, IHa, IHb. reflexivity.
(* END PROOF *)
Qed.
