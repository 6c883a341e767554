/**
 * One peer of a JSON-RPC 2.0 connection over any message transport. Our requests and the answers to them are handled by the library json-rpc-2.0.
 * What the peer wants does not go through it: notifications are handled in order and in the same tick, because a host sends thousands of them a
 * second, and a request takes half as long again through the library.
 */
import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  JSONRPCClient,
  JSONRPCErrorException,
  type JSONRPCErrorResponse,
  type JSONRPCID,
  type JSONRPCRequest,
  type JSONRPCResponse,
} from 'json-rpc-2.0';
import { isRecord } from './isRecord.ts';
import { englishOf, TimeoutError } from './errors.ts';
import type { Disposable } from './lifecycle.ts';
import { Refusals } from './connection/refusals.ts';

/** An error response, received or to be sent. Not a subclass of the library's exception, whose constructor resets the prototype. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const RpcErrorCode = { ParseError: -32700, InvalidRequest: -32600, MethodNotFound: -32601, InternalError: -32603 } as const;

export interface JsonRpcHandlers {
  /** Handles a request. Throw an {@link RpcError} to answer with its code. Any other error becomes InternalError. */
  onRequest(method: string, params: unknown): unknown;
  onNotification(method: string, params: unknown): void;
  /** A frame that is not a JSON-RPC message, or a response to no request. */
  onInvalidMessage?(problem: string): void;
  /** A handler has thrown something other than an {@link RpcError}, or what it led to could not be sent. */
  onInternalError?(method: string, error: unknown): void;
}

/**
 * A server answers invalid frames with an error, as the standard says. A client never does: the peer may not speak JSON-RPC at all, and
 * answer each error with the next invalid frame.
 */
export type JsonRpcRole = 'client' | 'server';

/** Characters of a peer's error message that are looked at. */
const MAX_ERROR = 10_000;

/** The code that the library gives to requests that `rejectAllPendingRequests` rejects. */
const LIBRARY_REJECTION = 0;

/**
 * A response that never was on the wire. It carries an `Error` through the library, which no response from the wire can, because JSON
 * cannot hold one.
 */
function failedHere(id: JSONRPCID, error: Error): JSONRPCErrorResponse {
  return createJSONRPCErrorResponse(id, RpcErrorCode.InternalError, error.message, error);
}

export class JsonRpcPeer implements Disposable {
  readonly #client: JSONRPCClient;
  #closed: Error | undefined;
  readonly #refusals = new Refusals();

  constructor(
    private readonly role: JsonRpcRole,
    private readonly send: (text: string) => void,
    private readonly handlers: JsonRpcHandlers,
  ) {
    this.#client = new JSONRPCClient((request: JSONRPCRequest) => {
      try {
        this.send(JSON.stringify(request));
      } catch (error) {
        this.#client.receive(failedHere(request.id ?? null, error instanceof Error ? error : new Error(englishOf(error))));
      }
    });
  }

  /**
   * Resolves with the result; rejects with {@link RpcError}, {@link TimeoutError}, the error of `send`, or the reason of `dispose`.
   * An answer that comes after the timeout is dropped.
   */
  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#closed) throw this.#closed;
    // The library's own timeout, because it also removes the request from the library's table.
    const limited = this.#client.timeout(timeoutMs, (id) => failedHere(id, new TimeoutError(method, timeoutMs)));
    try {
      return await limited.request(method, params);
    } catch (error) {
      if (!(error instanceof JSONRPCErrorException)) throw error;
      if (error.data instanceof Error) throw error.data;
      if (this.#closed && error.code === LIBRARY_REJECTION) throw this.#closed;
      throw new RpcError(error.code, error.message, error.data);
    }
  }

  notify(method: string, params: unknown): void {
    if (this.#closed) return;
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Takes one frame from the transport. Never throws. */
  receive(text: string): void {
    if (this.#closed) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      this.refuse(RpcErrorCode.ParseError, `the frame is not JSON: ${englishOf(error)}`);
      return;
    }
    if (!isRecord(message)) {
      this.refuse(RpcErrorCode.InvalidRequest, 'a frame must hold one JSON-RPC message object');
      return;
    }
    const { method, id, params } = message;
    if (typeof method === 'string') {
      this.#refusals.reset();
      if (id === undefined) this.#receiveNotification(method, params);
      else void this.#receiveRequest(method, message);
    } else if (id !== undefined && method === undefined && ('result' in message || 'error' in message)) {
      this.#receiveAnswer(message);
    } else {
      this.refuse(RpcErrorCode.InvalidRequest, 'the frame is neither a request, nor a notification, nor an answer');
    }
  }

  /** Reports an invalid frame. Also for frames that the owner of the transport rejects without parsing. */
  refuse(code: number, problem: string): void {
    if (this.#closed) return;
    this.handlers.onInvalidMessage?.(problem);
    const message = this.role === 'server' ? this.#refusals.next(problem) : null;
    if (message !== null) this.#sendAnswer('the refusal of a frame', { jsonrpc: '2.0', id: null, error: { code, message } });
  }

  /** Fails every open request with `reason`; later frames are dropped. */
  dispose(reason: Error = new Error('the connection was closed')): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#client.rejectAllPendingRequests(reason.message);
  }

  /**
   * Brings a response into the shape that the library accepts. Some peers send `error: null` beside a result, or an error without a code.
   */
  #receiveAnswer({ id, result, error }: { id?: unknown; result?: unknown; error?: unknown }): void {
    if (typeof id !== 'number') {
      const problem = (error as { message?: unknown } | null | undefined)?.message;
      this.handlers.onInvalidMessage?.(
        `an answer to no request of ours${typeof problem === 'string' ? `: ${problem.slice(0, MAX_ERROR)}` : ''}`,
      );
      return;
    }
    if (error === undefined || error === null) {
      this.#client.receive(createJSONRPCSuccessResponse(id, result ?? null));
      return;
    }
    const { code, message, data } = (typeof error === 'object' ? error : { message: error }) as Record<string, unknown>;
    this.#client.receive(
      createJSONRPCErrorResponse(
        id,
        typeof code === 'number' ? code : RpcErrorCode.InternalError,
        typeof message === 'string' ? message.slice(0, MAX_ERROR) : 'an error without a message',
        data,
      ),
    );
  }

  async #receiveRequest(method: string, { id: given, params, result, error }: Record<string, unknown>): Promise<void> {
    const id = (given ?? null) as JSONRPCID;
    const isAnswer = result !== undefined || error !== undefined;
    const response = isAnswer
      ? createJSONRPCErrorResponse(id, RpcErrorCode.InvalidRequest, 'Invalid Request')
      : await this.#answer(id, method, params);
    if (this.#closed || this.#sendAnswer(method, response)) return;
    // The peer would wait for ever when it is only this result that cannot be sent: one that is no JSON, or too long.
    if (!this.#closed) this.#sendAnswer(method, createJSONRPCErrorResponse(id, RpcErrorCode.InternalError, 'the answer could not be sent'));
  }

  /** Never throws: nobody waits for it here. */
  #sendAnswer(method: string, response: JSONRPCResponse | { jsonrpc: string; id: null; error: object }): boolean {
    try {
      this.send(JSON.stringify(response));
      return true;
    } catch (error) {
      this.handlers.onInternalError?.(method, error);
      return false;
    }
  }

  #receiveNotification(method: string, params: unknown): void {
    try {
      this.handlers.onNotification(method, params);
    } catch (error) {
      this.handlers.onInternalError?.(method, error);
    }
  }

  async #answer(id: JSONRPCID, method: string, params: unknown): Promise<JSONRPCResponse> {
    try {
      const result = await this.handlers.onRequest(method, params);
      return { jsonrpc: '2.0', id, result: result ?? null };
    } catch (error) {
      if (error instanceof RpcError) return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
      this.handlers.onInternalError?.(method, error);
      return createJSONRPCErrorResponse(id, RpcErrorCode.InternalError, englishOf(error));
    }
  }
}
