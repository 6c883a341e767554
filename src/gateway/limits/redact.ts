/** The pattern of a token: its class, and at least half of its random part. */
const token = /\b(own|ptk|ext|tok)-[\w-]{20,}/g;

/**
 * A safety net for logs and diagnostics. Our own texts hold no tokens, but a peer may put one in the wrong place, and errors quote what
 * peers sent.
 */
export function withoutTokens(text: string): string {
  return text.replace(token, '$1-…');
}
