/** The class of a token, and its random part. */
const token = /\b(own|ptk|ext|tok)-([\w-]+)/g;
/** Characters of the random part that are nearly half of it. Words with fewer are no token. */
const HALF = 20;

/**
 * A safety net for logs and diagnostics. Our own texts hold no tokens, but a peer may put one in the wrong place, and errors quote what
 * peers sent.
 */
export function withoutTokens(text: string): string {
  return text.replace(token, (found, kind: string, random: string) => (random.length < HALF ? found : `${kind}-…`));
}
