/** The text of the bytes, with a byte order mark if there is one. Undefined when they are not valid UTF-8. */
export function utf8Of(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
