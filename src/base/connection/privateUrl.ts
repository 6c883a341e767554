/** What is sent there over HTTP can be read by nobody on the way: over TLS, or to this computer. */
export function isPrivateUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  // A URL has an IPv4 address in its plain form, however it was written.
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname));
}

/** As URLs have them: IPv4 in its plain form, and within IPv6 as two hexadecimal groups. */
const thisComputer = [
  /^(?:.+\.)?localhost\.?$/,
  /^127(?:\.\d+){3}$/,
  /^0\.0\.0\.0$/,
  /^\[::1?\]$/,
  /^\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\]$/,
];

/** Whatever its protocol. Names are not looked up. */
export function isThisComputer({ hostname }: URL): boolean {
  return thisComputer.some((form) => form.test(hostname));
}

/** True for an address that `server` may name. One elsewhere has no say about the programs of this computer. */
export function mayName(server: URL, url: URL): boolean {
  return isPrivateUrl(url) && (isThisComputer(server) || !isThisComputer(url));
}
