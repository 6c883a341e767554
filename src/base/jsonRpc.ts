/**
 * One peer of a JSON-RPC 2.0 connection over any message transport. Requests, answers and errors are the library's (json-rpc-2.0);
 * notifications take the direct way, in order and in the same tick, because a host streams thousands of them a second.
 */
import { JSONRPCClient, JSONRPCErrorException, JSONRPCServer, type JSONRPCRequest, type JSONRPCResponse } from 'json-rpc-2.0';
import { messageOf, TimeoutError } from './errors.ts';
import type { Disposable } from './lifecycle.ts';

/** An error answer of the other side, or one to give to it. */
export class RpcError extends JSONRPCErrorException {
  override readonly name = 'RpcError';
  constructor(code: number, message: string, data?: unknown) {
    super(message, code, data);
  }
}

export const RpcErrorCode = { ParseError: -32700, InvalidRequest: -32600, MethodNotFound: -32601, InternalError: -32603 } as const;

export interface JsonRpcHandlers {
  /** Answers a request of the other side. Throw an {@link RpcError} to answer with its code; any other error becomes InternalError. */
  onRequest(method: string, params: unknown): unknown;
  onNotification(method: string, params: unknown): void;
  /** A frame that is no JSON-RPC message; it has been answered where the standard says so. */
  onInvalidMessage?(problem: string): void;
  /** A request handler of ours failed with something that is not an {@link RpcError}. */
  onInternalError?(method: string, error: unknown): void;
}

export class JsonRpcPeer implements Disposable {
  readonly #client: JSONRPCClient;
  readonly #server = new JSONRPCServer();
  #closed: Error | undefined;

  constructor(
    private readonly send: (text: string) => void,
    private readonly handlers: JsonRpcHandlers,
  ) {
    this.#client = new JSONRPCClient((message: unknown) => this.send(JSON.stringify(message)));
    // One handler for every method; the library's own table would need each registered.
    this.#server.applyMiddleware(async (_next, request) => this.#answer(request));
  }

  /** Resolves with the result; rejects with {@link RpcError}, {@link TimeoutError}, or the reason of `dispose`. */
  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#closed) throw this.#closed;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TimeoutError(method, timeoutMs)), timeoutMs);
    });
    try {
      return await Promise.race([this.#client.request(method, params as object), timeout]);
    } catch (error) {
      if (this.#closed) throw this.#closed;
      if (error instanceof JSONRPCErrorException) throw new RpcError(error.code, error.message, error.data);
      throw error;
    } finally {
      clearTimeout(timer);
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
      this.#refuse(RpcErrorCode.ParseError, `the frame is not JSON: ${messageOf(error)}`);
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      this.#refuse(RpcErrorCode.InvalidRequest, 'a frame must hold one JSON-RPC message object');
      return;
    }
    const { method, id } = message as { method?: unknown; id?: unknown };
    if (typeof method === 'string') {
      if (id === undefined) this.handlers.onNotification(method, (message as { params?: unknown }).params);
      else void this.#receiveRequest(message as JSONRPCRequest);
    } else if (id !== undefined && method === undefined && ('result' in message || 'error' in message)) {
      this.#client.receive(message as JSONRPCResponse);
    } else {
      this.#refuse(RpcErrorCode.InvalidRequest, 'the frame is neither a request, nor a notification, nor an answer');
    }
  }

  /** Fails every open request with `reason`; later frames are dropped. */
  dispose(reason: Error = new Error('the connection was closed')): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#client.rejectAllPendingRequests(reason.message);
  }

  async #receiveRequest(request: JSONRPCRequest): Promise<void> {
    // Some peers leave `jsonrpc` out; the library insists on it.
    const response = await this.#server.receive({ ...request, jsonrpc: '2.0' });
    if (response && !this.#closed) this.send(JSON.stringify(response));
  }

  async #answer(request: JSONRPCRequest): Promise<JSONRPCResponse> {
    const id = request.id ?? null;
    try {
      const result = await this.handlers.onRequest(request.method, request.params);
      return { jsonrpc: '2.0', id, result: result ?? null };
    } catch (error) {
      if (error instanceof RpcError) return { jsonrpc: '2.0', id, error: error.toObject() };
      this.handlers.onInternalError?.(request.method, error);
      return { jsonrpc: '2.0', id, error: { code: RpcErrorCode.InternalError, message: messageOf(error) } };
    }
  }

  #refuse(code: number, problem: string): void {
    this.handlers.onInvalidMessage?.(problem);
    this.send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: problem } }));
  }
}
