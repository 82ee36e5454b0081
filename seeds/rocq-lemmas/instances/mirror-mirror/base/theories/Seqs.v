(** Sequences of natural numbers: joining, turning round, counting. *)
Require Import Arith.

Inductive seq : Type :=
| nil : seq
| cons : nat -> seq -> seq.

Fixpoint join (xs ys : seq) : seq :=
  match xs with
  | nil => ys
  | cons x rest => cons x (join rest ys)
  end.

Fixpoint len (xs : seq) : nat :=
  match xs with
  | nil => 0
  | cons _ rest => S (len rest)
  end.

Fixpoint snoc (xs : seq) (y : nat) : seq :=
  match xs with
  | nil => cons y nil
  | cons x rest => cons x (snoc rest y)
  end.

Fixpoint turn (xs : seq) : seq :=
  match xs with
  | nil => nil
  | cons x rest => snoc (turn rest) x
  end.

Fixpoint times (x : nat) (xs : seq) : nat :=
  match xs with
  | nil => 0
  | cons y rest => times x rest + (if Nat.eqb x y then 1 else 0)
  end.

Lemma join_nil_r : forall xs, join xs nil = xs.
Proof.
  induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma join_assoc : forall xs ys zs, join xs (join ys zs) = join (join xs ys) zs.
Proof.
  intros xs ys zs. induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma len_join : forall xs ys, len (join xs ys) = len xs + len ys.
Proof.
  intros xs ys. induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma len_snoc : forall xs y, len (snoc xs y) = S (len xs).
Proof.
  intros xs y. induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma len_turn : forall xs, len (turn xs) = len xs.
Proof.
  induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite len_snoc, IH. reflexivity.
Qed.

Lemma times_join : forall x xs ys, times x (join xs ys) = times x xs + times x ys.
Proof.
  intros x xs ys. induction xs as [| y rest IH].
  - reflexivity.
  - simpl. rewrite IH, <- !Nat.add_assoc. f_equal. apply Nat.add_comm.
Qed.

Lemma turn_snoc : forall xs y, turn (snoc xs y) = cons y (turn xs).
Proof.
  intros xs y. induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma turn_turn : forall xs, turn (turn xs) = xs.
Proof.
  induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite turn_snoc, IH. reflexivity.
Qed.

Lemma join_snoc : forall xs ys y, join xs (snoc ys y) = snoc (join xs ys) y.
Proof.
  intros xs ys y. induction xs as [| x rest IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma turn_join : forall xs ys, turn (join xs ys) = join (turn ys) (turn xs).
Proof.
  intros xs ys. induction xs as [| x rest IH].
  - simpl. rewrite join_nil_r. reflexivity.
  - simpl. rewrite IH, join_snoc. reflexivity.
Qed.
