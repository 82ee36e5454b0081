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
  | fork l x r => join (walk l) (cons x (walk r))
  end.

Fixpoint height (t : tree) : nat :=
  match t with
  | leaf => 0
  | fork l _ r => S (Nat.max (height l) (height r))
  end.

Lemma size_mirror : forall t, size (mirror t) = size t.
Proof.
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite IHl, IHr, !Nat.add_succ_r, Nat.add_comm. reflexivity.
Qed.

Lemma mirror_mirror : forall t, mirror (mirror t) = t.
Proof.
(* BEGIN PROOF *)
(* END PROOF *)
Qed.

Lemma len_walk : forall t, len (walk t) = size t.
Proof.
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite len_join. simpl. rewrite IHl, IHr. reflexivity.
Qed.

Lemma height_mirror : forall t, height (mirror t) = height t.
Proof.
  induction t as [| l IHl x r IHr].
  - reflexivity.
  - simpl. rewrite IHl, IHr, Nat.max_comm. reflexivity.
Qed.

Lemma height_le_size : forall t, height t <= size t.
Proof.
  induction t as [| l IHl x r IHr].
  - apply le_n.
  - simpl. rewrite Nat.add_succ_r. apply le_n_S. apply Nat.max_lub.
    + apply Nat.le_trans with (size l). assumption. apply Nat.le_add_r.
    + apply Nat.le_trans with (size r). assumption. apply Nat.le_add_l.
Qed.
