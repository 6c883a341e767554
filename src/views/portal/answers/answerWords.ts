/** The English texts of answers for people of other languages. */
import * as z from 'zod/mini';
import { type Phrase, phraseFrom } from '../../../base/text/phrase.ts';

const phrase = z.custom<Phrase>((value) => phraseFrom(value) !== undefined);

/** Of one text. Where it cannot be read, the English text is shown. */
export const textWords = z.catch(z.optional(phrase), undefined);
/** Of a list of texts, in its order. */
export const listWords = z.catch(z.optional(z.array(phrase)), undefined);
