/** Requests to the extension, answered by `response` messages. */
import * as l10n from '../../../base/l10n.ts';
import type {
  ResponseMessage,
  StartRequestMessage,
  StartRequestMethod,
  StartRequestParams,
  StartRequestResults,
  WebviewRequestMessage,
  WebviewRequestMethod,
  WebviewRequestParams,
  WebviewRequestResults,
} from '../protocol.ts';
import type { SessionPort } from './sessionPort.ts';

interface Answerer {
  seconds: number;
  /** What is said when it has not answered by then. */
  late(seconds: number): string;
}
/** A file of a remote host may take long. What waits for the user has no limit. */
const host: Answerer = { seconds: 30, late: (seconds) => l10n.t`The host did not answer within ${seconds} seconds.` };
/** A stop waits until nothing of it runs any more. */
const gateway: Answerer = { seconds: 45, late: (seconds) => l10n.t`The gateway did not answer within ${seconds} seconds.` };
const providers: Answerer = { seconds: 30, late: (seconds) => l10n.t`The context provider did not answer within ${seconds} seconds.` };
const answerers: Readonly<Record<string, Answerer>> = {
  emitters: gateway,
  findMentions: providers,
  contextOfMention: providers,
  contextOfEditor: providers,
  contextOfFiles: providers,
} satisfies Partial<Record<WebviewRequestMethod | StartRequestMethod, Answerer>>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}
const waiting = new Map<number, Waiting>();
let lastId = 0;

const withoutLimit: ReadonlySet<string> = new Set<WebviewRequestMethod | StartRequestMethod>([
  'pickAttachments',
  'chooseStartFolder',
  'goBack',
]);

/** Rejects with a message for the user. Everything that does not wait for the user has a limit. */
export function request<M extends WebviewRequestMethod>(
  post: SessionPort['post'],
  method: M,
  params: WebviewRequestParams<M>,
): Promise<WebviewRequestResults[M]> {
  return asked(method, (id) => post({ type: 'request', id, method, params } as WebviewRequestMessage)) as Promise<WebviewRequestResults[M]>;
}

/** The same for what is asked without a session. */
export function requestStart<M extends StartRequestMethod>(
  post: (message: StartRequestMessage) => void,
  method: M,
  params: StartRequestParams<M>,
): Promise<StartRequestResults[M]> {
  const send = (id: number) => post({ type: 'request', id, method, params } as StartRequestMessage);
  return asked(method, send) as Promise<StartRequestResults[M]>;
}

function asked(method: string, send: (id: number) => void): Promise<unknown> {
  const id = ++lastId;
  const { seconds, late } = answerers[method] ?? host;
  return new Promise<unknown>((resolve, reject) => {
    const timer = withoutLimit.has(method) ? undefined : setTimeout(() => settle(id)?.reject(new Error(late(seconds))), seconds * 1_000);
    const settled =
      <T>(then: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        then(value);
      };
    waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
    send(id);
  });
}

export function receiveResponse(message: ResponseMessage): void {
  const call = settle(message.id);
  if ('error' in message) call?.reject(new Error(message.error));
  else call?.resolve(message.result);
}

/** Nobody answers what was asked so far. */
export function abandonRequests(reason: string): void {
  for (const id of [...waiting.keys()]) settle(id)?.reject(new Error(reason));
}

/** Removes and returns a request; undefined when it has timed out. */
function settle(id: number): Waiting | undefined {
  const call = waiting.get(id);
  waiting.delete(id);
  return call;
}
