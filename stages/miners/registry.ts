import type { Statement } from '../../schemas/seed.ts';
import { changelogIn } from './changelog-lines.ts';
import type { Doc } from './docs.ts';
import { itemsIn } from './list-items.ts';
import type { Span } from './mask.ts';
import { sentencesAskingIn } from './normative-sentences.ts';
import { signaturesIn } from './signatures.ts';
import { titleIn } from './titles.ts';

/** What finds statements of one kind in a text: pure, spans in any order. */
export type StatementMiner = (doc: Doc) => readonly Span[];

/** In order of worth: where two miners find overlapping words, the earlier one has them. */
export const miners = {
  title: titleIn,
  changelog: changelogIn,
  'list-item': itemsIn,
  sentence: sentencesAskingIn,
  signature: signaturesIn,
} satisfies Record<Statement['kind'], StatementMiner>;
