import type { Parse } from '../../schemas/syntax.ts';

/** For contracts of whole files, which ask for no grammar. */
export const noParse: Parse = () => null;
