(** Binary trees with numbers at their forks, and their walk as a sequence. *)
Require Import Lem.Seqs.
Require Import Arith.

Inductive tree : Type :=
| leaf : tree
| fork : tree -> nat -> tree -> tree.

Fixpoint size (t : tree) : nat :=
  match t with
  | leaf => 0
  | fork l _ r => size l + S (size r)
  end.

Fixpoint mirror (t : tree) : tree :=
  match t with
  | leaf => leaf
  | fork l x r => fork (mirror r) x (mirror l)
  end.

Fixpoint walk (t : tree) : seq :=
  match t with
  | leaf => nil
  | fork l x r => cons x (join (walk l) (walk r))
  end.

Lemma size_mirror : forall t, size (mirror t) = size t.
Proof.
(* BEGIN PROOF *)
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite IHl, IHr, Nat.add_comm. reflexivity.
(* END PROOF *)
Qed.

Lemma mirror_mirror : forall t, mirror (mirror t) = t.
Proof.
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite IHl, IHr. reflexivity.
Qed.

Lemma len_walk : forall t, len (walk t) = size t.
Proof.
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite len_join, IHl, IHr, Nat.add_succ_r. reflexivity.
Qed.
