/** Answers the host's questions about calls and system messages (`ahp/hookRequests`), each with the answers that were added for its session. */
import { RpcError, RpcErrorCode } from '../../base/jsonRpc.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { hookRequests, type HookParams, type HookRequest, type HookResult } from '../schemas/hookSchemas.ts';
import { ErrorCode } from '../v1/errors.ts';

/** Questions that are worked on at a time. A host asks once for each call, so more come from one that wants to keep this client busy. */
const MAX_OPEN = 100;

export type HookAnswers = { readonly [M in HookRequest]: (params: HookParams<M>) => Promise<HookResult<M>> };

export class HookServer {
  readonly #sessions = new Map<string, HookAnswers>();
  #open = 0;

  /** Answers until the result is disposed. Of several for one session, the last one answers. */
  add(session: string, answers: HookAnswers): Disposable {
    this.#sessions.set(session, answers);
    return toDisposable(() => {
      if (this.#sessions.get(session) === answers) this.#sessions.delete(session);
    });
  }

  /** For `onHostRequest` of the client. Throws an {@link RpcError} for what it cannot answer. */
  readonly answer = (method: string, params: unknown): Promise<unknown> => {
    if (!isHookRequest(method)) throw new RpcError(RpcErrorCode.MethodNotFound, `this client does not serve ${method}`);
    const checked = hookRequests[method].safeParse(params);
    if (!checked.success) throw new RpcError(ErrorCode.InvalidParams, `${method}: wrong parameters`);
    const answers = this.#sessions.get(checked.data.session);
    if (!answers) throw new RpcError(ErrorCode.NotFound, 'this client does not have the session any more');
    if (this.#open >= MAX_OPEN) throw new RpcError(RpcErrorCode.InternalError, `more than ${MAX_OPEN} questions at a time`);
    this.#open++;
    return (answers[method] as (params: unknown) => Promise<unknown>)(checked.data).finally(() => this.#open--);
  };
}

function isHookRequest(method: string): method is HookRequest {
  return Object.hasOwn(hookRequests, method);
}
