/**
 * The body of a request as text, read to the limit, whether it says how long it is or not. Undefined: it has more than `maxBytes`; what is left of
 * it stays unread. Rejects when the client goes before the end. Not Hono's own: that makes a `Request` anew, which takes no request of its Node.js server.
 */
export async function bodyText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
