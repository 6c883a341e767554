/** What a list of agent hosts may hold, in settings, in files and in entries. */

/** One line without spaces around it, of up to 100 characters. */
export const hostNamePattern = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,98}[^\p{C}\p{Z}])?$/u;

/** The address of a host without any secret in it. */
export function isPlainHostUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  return ['ws:', 'wss:'].includes(protocol) && hostname !== '' && [username, password, search, hash].every((part) => part === '');
}
