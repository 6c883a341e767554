/** A secret that is a part of a path: at least so many characters of base64url or hex. */
const SECRET = /^[\w-]{24,}$/;

/** An address as people, logs and models may read it: without a password, a query, and parts of its path that may be a token. Other texts as they are. */
export function shownAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { protocol, host, pathname, search } = new URL(address);
  const path = pathname.split('/').map((part) => (SECRET.test(part) ? '…' : part));
  return `${protocol}//${host}${path.join('/')}${search === '' ? '' : '?…'}`;
}
