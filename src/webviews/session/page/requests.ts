/** Requests to the extension, answered by `response` messages. */
import type { ResponseMessage, WebviewRequestMessage, WebviewRequestMethod, WebviewRequests } from '../protocol.ts';
import { post } from './vscodeApi.ts';

/** A file of a remote host may take long; a picker waits for a person. */
const READ_TIMEOUT_MS = 30_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}
const waiting = new Map<number, Waiting>();
let lastId = 0;

/** Rejects with a message for the user. A picker has no time limit, everything else has 30 s. */
export function request<M extends WebviewRequestMethod>(
  method: M,
  params: WebviewRequests[M]['params'],
): Promise<WebviewRequests[M]['result']> {
  const id = ++lastId;
  return new Promise<unknown>((resolve, reject) => {
    const timer =
      method === 'pickAttachments'
        ? undefined
        : setTimeout(() => settle(id)?.reject(new Error('The host did not answer within 30 seconds.')), READ_TIMEOUT_MS);
    const settled =
      <T>(then: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        then(value);
      };
    waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
    post({ type: 'request', id, method, params } as WebviewRequestMessage);
  }) as Promise<WebviewRequests[M]['result']>;
}

export function receiveResponse(message: ResponseMessage): void {
  const call = settle(message.id);
  if ('error' in message) call?.reject(new Error(message.error));
  else call?.resolve(message.result);
}

/** Takes a call out; undefined when it was given up before. */
function settle(id: number): Waiting | undefined {
  const call = waiting.get(id);
  waiting.delete(id);
  return call;
}
