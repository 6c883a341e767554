/** Connects the editor to the gateway as an internal provider, once for each session that may use it. */
import { WebSocket } from 'ws';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { Challenge } from '../../base/server/challenge.ts';
import type { OwnedSession } from '../../tap/owner/ownerClient.ts';
import { connectProvider } from '../../tap/provider/provider.ts';
import type { GatewayEndpoint, ProviderHandle, ToolCallRequest } from '../../tap/provider/providerApi.ts';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import type { EditorTool } from './shared/editorTool.ts';

/** Its name at the gateway and in the views. */
const NAME = 'editor';
const HANDSHAKE_TIMEOUT_MS = 5_000;

export class EditorProviders implements Disposable {
  readonly #handles = new Map<OwnedSession, ProviderHandle>();

  constructor(
    private readonly tools: readonly EditorTool[],
    private readonly logger: Logger,
  ) {}

  /** `sessions`: all that may use the editor now. They are registered at the gateway. */
  follow(sessions: ReadonlySet<OwnedSession>): void {
    for (const [session, handle] of this.#handles) {
      if (sessions.has(session)) continue;
      this.#handles.delete(session);
      handle.close();
    }
    for (const session of sessions) if (!this.#handles.has(session)) this.#handles.set(session, this.#lend(session));
  }

  dispose(): void {
    this.follow(new Set());
  }

  #lend(session: OwnedSession): ProviderHandle {
    return connectProvider(NAME, {
      session: session.id,
      tools: this.tools.map(({ definition }) => definition),
      connect: () => connect(session),
      onToolCall: (call) => this.#call(session, call),
      onError: (error) => this.logger.warn(`The editor’s tools: ${error.message}`),
    });
  }

  #call(session: OwnedSession, { tool: name, args, signal }: ToolCallRequest): Promise<unknown> {
    // The connection of a session that may not use the editor any more is being closed.
    // eslint-disable-next-line texts/translated -- for the model
    if (!this.#handles.has(session)) throw new ToolError('UNAUTHORIZED', 'The editor is not lent to this session any more.');
    const tool = this.tools.find(({ definition }) => definition.name === name);
    // eslint-disable-next-line texts/translated -- for the model
    if (!tool) throw new ToolError('NOT_FOUND', `The editor has no tool ${name}.`);
    return tool.run(args, signal);
  }
}

/** Sends the token only to a listener that has proved to be the gateway. */
async function connect(session: OwnedSession): Promise<GatewayEndpoint> {
  const { url, token } = await session.internalAccess();
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    finishRequest: (request) => new Challenge(token).send(request),
  });
  return { socket, token };
}
