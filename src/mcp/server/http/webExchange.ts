/** Requests and answers of Node as those of the web, which the SDK's transport takes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** `headers`: in place of the request's own. */
export function webRequest(request: IncomingMessage, headers: Record<string, string> = {}): Request {
  const { method = 'GET', url = '/' } = request;
  const all = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) for (const value of values) all.append(name, value);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  const body = method === 'GET' || method === 'HEAD' ? undefined : Readable.toWeb(request);
  // The types of browsers know neither such a body nor that it is sent before the answer comes.
  return new Request(new URL(url, 'http://localhost'), { method, headers: all, body, duplex: 'half' } as RequestInit);
}

/** `first` goes before the body. Resolves when all is sent, or the client has gone. */
export async function sendWeb(answer: Response, response: ServerResponse, first = ''): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  response.flushHeaders();
  if (first) response.write(first);
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
