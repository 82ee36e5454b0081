import type { SyntaxNode } from '../../../schemas/syntax.ts';

/** One small change of a text: the bytes [start, end) become `text`. Lines from 1. */
export type Mutation = {
  readonly operator: string;
  readonly line: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

export type Source = { readonly language: string; readonly text: (node: SyntaxNode) => string };

/** What a node's text becomes, or null where the operator has nothing to change. */
export type Operator = {
  readonly name: string;
  /** The set that every recorded choice was drawn from; the others only come in where all are asked for. */
  readonly isCore: boolean;
  readonly rewrite: (node: SyntaxNode, parent: SyntaxNode | null, source: Source) => string | null;
};

export const isPython = ({ language }: Source): boolean => language === 'python';

export const namedChildren = ({ children }: SyntaxNode): readonly SyntaxNode[] =>
  children.filter(({ named, type }) => named && type !== 'comment');
