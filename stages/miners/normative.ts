/** Words by which a sentence asks for a behaviour or states one. */
const NORMATIVE =
  /\b(?:must|shall|should|ought to|expect(?:s|ed)?|instead of|rather than|throws?|raises?|returns?|rejects?|accepts?|allows?|supports?|ignores?|prevents?|ensures?|keeps?|needs? to|has to|have to|is required|are required|no longer|never|always|cannot|can't|must not|by default|so that)\b/i;

/** Words that describe what is wrong today; with "should" and its like the sentence still asks. */
const COMPLAINT =
  /\b(?:currently|right now|at the moment|at present|actual(?:ly)?|as of now|today)\b/i;
const ASKS = /\b(?:must|shall|should|ought to|expect(?:s|ed)?|instead of|rather than)\b/i;

/** Sections of issue forms that hold no wish: the host, the steps, what goes wrong. */
const SECTION_TO_SKIP =
  /\b(?:environment|versions?|system|setup|reproduc\w*|steps?|actual|current|screenshots?|logs?|output|stack ?trace|traceback|checklist|additional|context|related|references?|how (?:was|has) this|test plan|type of change)\b/i;
const WISH_SECTION =
  /\b(?:expected|desired|proposal|proposed|wanted|requirements?|acceptance|solution)\b/i;

/** Lines that people write about the work, not about the behaviour. */
const ABOUT_WORK =
  /^(?:address|apply|fix(?:es|ed)?|correct|tweak|update|add|remove|clean|run|bump|merge|rebase|format|wip|nit|review|lint|typo|rename|move|bump)\b[^.]{0,40}\b(?:review|comments?|feedback|lint\w*|typos?|tests?|ci|format\w*|changelog|docs?|readme|suggestions?|conflicts?|imports?|types?|version|formatting)\b/i;
const FORM_LINE =
  /\b(?:I have|I've|contributing|code of conduct|search(?:ed)? (?:the|existing)|this PR|checklist|pull request template)\b/i;
const HOST_LINE =
  /^[*_`]*(?:node|npm|python|os|version|browser|platform|package|runtime)\b[^.]{0,30}[:=]/i;

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Whether a section under this heading is no place for wishes. */
export const isSkipped = (heading: string): boolean =>
  SECTION_TO_SKIP.test(heading) && !WISH_SECTION.test(heading);

/** Whether a sentence asks for a behaviour; below "Expected behaviour" every sentence does. */
export function asks(sentence: string, heading: string): boolean {
  if (!isSpeech(sentence)) return false;
  if (WISH_SECTION.test(heading)) return true;
  return NORMATIVE.test(sentence) && (!COMPLAINT.test(sentence) || ASKS.test(sentence));
}

/** Whether a line says something at all: three words, not about the work, not a form's own text. */
export const isSpeech = (text: string): boolean =>
  countWords(text) >= 3 &&
  text.length <= 600 &&
  !ABOUT_WORK.test(text) &&
  !FORM_LINE.test(text) &&
  !HOST_LINE.test(text);

/** The words of a quote on one line, without Markdown emphasis around the whole. */
export const plainText = (quote: string): string => quote.replace(/\s+/g, ' ').trim();
