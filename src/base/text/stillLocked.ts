import { type Phrase, phrase, type Words } from './phrase.ts';

/** Why Git could do nothing. `lock`: the file that was in the way. */
export function stillLocked(lock: Words, seconds: Words): Phrase {
  return phrase`Another Git works here, or was ended in the middle: ${lock} was still there after ${seconds} s. Delete that file if no Git runs.`;
}
