/** What is sent there over HTTP can be read by nobody on the way: over TLS, or to this computer. */
export function isPrivateUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  // A URL has an IPv4 address in its plain form, however it was written.
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname));
}
