/**
 * The SDK's transport of a session over HTTP, with streams to which a client that lost one can come back:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isJSONRPCRequest, type RequestId, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { EventLog } from './eventLog.ts';
import { sendWeb, webRequest } from './webExchange.ts';

/** The time after which a client is to come back. */
const RETRY_MS = 1_000;
/** Clients of older versions cannot read an event without data. */
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';
const EVENTS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };
const VERSION = 'mcp-protocol-version';

export class ResumableTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #log: EventLog;
  /** The version of the session, once it is agreed. */
  #version = '';

  /** `maxBody`: bytes of a request. */
  constructor(maxBody: number) {
    const log = new EventLog();
    super({ sessionIdGenerator: randomUUID, maxRequestBodySize: maxBody, eventStore: log, retryInterval: RETRY_MS });
    this.#log = log;
    // Whoever connects to the transport calls this one first. All messages of one POST come with the same object.
    const requests = new WeakMap<object, Set<RequestId>>();
    this.onmessage = (message, { requestInfo = {} } = {}) => {
      if (!isJSONRPCRequest(message)) return;
      const ids = requests.get(requestInfo) ?? new Set();
      requests.set(requestInfo, ids);
      log.requested(message.id, ids);
    };
  }

  override send(...[message, options]: Parameters<WebStandardStreamableHTTPServerTransport['send']>): Promise<void> {
    if (this.#version === '' && 'result' in message && typeof message.result.protocolVersion === 'string')
      this.#version = message.result.protocolVersion;
    return super.send(message, options);
  }

  /** Resolves when the answer is sent, or the client has gone. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isGet = request.method === 'GET';
    const lost = isGet ? request.headers['last-event-id']?.toString() : undefined;
    if (lost !== undefined && !this.#log.knows(lost)) return sendWeb(unknownEvent(), response);
    const answer = await this.handleRequest(webRequest(request, this.#agreedVersion(request)));
    // The answer may have come at any time until now. The SDK's transport leaves the stream open then, with nothing more to come.
    const rest = lost === undefined ? undefined : this.#log.restOfEnded(lost);
    if (rest !== undefined && answer.status === 200) {
      await answer.body?.cancel();
      return sendWeb(new Response(rest, { headers: EVENTS }), response);
    }
    // The SDK's transport begins so at POST alone.
    const isNew = isGet && lost === undefined && answer.status === 200 && this.#version >= FIRST_WITH_EMPTY_EVENTS;
    await sendWeb(answer, response, isNew ? `id: ${await this.#log.beginStandalone()}\nretry: ${RETRY_MS}\ndata: \n\n` : '');
  }

  /** What was agreed counts, also for a client that names an older version in its later requests. */
  #agreedVersion({ headers }: IncomingMessage): Record<string, string> {
    const given = headers[VERSION]?.toString();
    const isTaken = this.#version !== '' && (given === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(given));
    return isTaken ? { [VERSION]: this.#version } : {};
  }
}

function unknownEvent(): Response {
  const error = { code: -32000, message: 'Nothing is kept of this stream any more' };
  return new Response(JSON.stringify({ jsonrpc: '2.0', error, id: null }), {
    status: 400,
    headers: { 'Content-Type': 'application/json' },
  });
}
