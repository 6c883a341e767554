/** The Copilot agent with its real engine in a real host over a real socket, and a model whose answers the test writes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AgentHostClient, type AgentHostClientOptions } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { CommandParams } from '../../../src/ahp/v1/commands.ts';
import type { ResponsePart, Turn } from '../../../src/ahp/v1/session.ts';
import type { TerminalState } from '../../../src/ahp/v1/terminal.ts';
import type { ToolCallState, ToolResultContent } from '../../../src/ahp/v1/toolCall.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { nullLogger, type Logger } from '../../../src/base/log.ts';
import { CopilotAgent } from '../../../src/host/agents/copilot/copilotAgent.ts';
import type { ModelEndpoint } from '../../../src/models/modelEndpoints.ts';
import { startHostServer, type HostServer, type HostServerOptions } from '../../../src/host/server/hostServer.ts';
import { ModelServer, type ModelRequest } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import { V1Client, type V1ClientOptions, type V1Resource } from '../../support/v1Client.ts';
import { DemoConversation, untilState } from '../host/demoHarness.ts';

export const engineFolder = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const WAIT_MS = 30_000;

type StatusOf<S extends ToolCallState['status']> = Extract<ToolCallState, { status: S }>;

/** A conversation whose calls are found by name and decided one by one. */
export class CopilotConversation extends DemoConversation {
  /** Starts a turn. Its id is new to forks too. */
  override async send(text: string): Promise<string> {
    const turnId = randomUUID();
    await this.dispatch({ type: 'session/turnStarted', turnId, userMessage: { text } });
    return turnId;
  }
  calls(): ToolCallState[] {
    const { turns, activeTurn } = this.state;
    return [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ responseParts }) => responseParts).flatMap(callOf);
  }
  async callTo<S extends ToolCallState['status']>(toolName: string, status: S): Promise<StatusOf<S>> {
    const found = await this.until(`a call of ${toolName} that is ${status}`, () =>
      this.calls().findLast((call) => call.toolName === toolName && call.status === status),
    );
    return found as StatusOf<S>;
  }
  /** Decides the waiting call of that tool by the option's id; `reason` goes to the model. */
  async decide(toolName: string, optionId: string, reason?: string): Promise<StatusOf<'pending-confirmation'>> {
    const call = await this.callTo(toolName, 'pending-confirmation');
    const option = call.options?.find(({ id }) => id === optionId);
    assert.ok(option, `no option ${optionId} among ${JSON.stringify(call.options)}`);
    assert.ok(this.state.activeTurn);
    const target = { type: 'session/toolCallConfirmed', turnId: this.state.activeTurn.id, toolCallId: call.toolCallId } as const;
    await this.dispatch(
      option.kind === 'approve'
        ? { ...target, approved: true, confirmed: 'user-action', selectedOptionId: optionId }
        : {
            ...target,
            approved: false,
            reason: 'denied',
            selectedOptionId: optionId,
            ...(reason !== undefined && { reasonMessage: reason }),
          },
    );
    return call;
  }
  /** The terminal of the newest call of that tool, once it has one. */
  async terminal(toolName = 'bash'): Promise<V1Resource<TerminalState>> {
    const uri = await this.until(`a terminal of ${toolName}`, () => {
      const call = this.calls().findLast((one) => one.toolName === toolName);
      return call && terminalOf(call);
    });
    return this.client.subscribeTerminal(uri);
  }
  /** The number that the running command has printed. */
  async printedNumber(): Promise<number> {
    return Number((await printed(await this.terminal(), /^(\d+)\r\n/))[1]);
  }
  async cancel(turnId: string): Promise<Turn> {
    await this.dispatch({ type: 'session/turnCancelled', turnId });
    return await this.ended(turnId);
  }
}

/** Waits until the terminal shows that. */
export async function printed(terminal: V1Resource<TerminalState>, what: RegExp): Promise<RegExpExecArray> {
  return await untilState(terminal, `${what} in a terminal`, ({ content }) => {
    const parts = content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : ''));
    return what.exec(parts.join(''));
  });
}

/** The URI of the call's terminal. */
export function terminalOf(call: ToolCallState): string | undefined {
  const content = ('content' in call && call.content) || [];
  return content.find((one) => one.type === 'terminal')?.resource;
}

/** The content of a completed call, without its terminal. */
export function contentOf(call: ToolCallState): ToolResultContent[] {
  assert.ok(call.status === 'completed', call.status);
  return (call.content ?? []).filter(({ type }) => type !== 'terminal');
}

function callOf(part: ResponsePart): ToolCallState[] {
  return part.kind === 'toolCall' ? [part.toolCall] : [];
}

export class CopilotHost {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-copilot-')));
  readonly directory = join(this.base, 'work');
  readonly home = join(this.base, 'engine-home');
  readonly #clients: { close(): void }[] = [];
  #model: ModelServer | undefined;
  #agent: CopilotAgent | undefined;
  #server: HostServer | undefined;
  #sessions = 0;

  get model(): ModelServer {
    assert.ok(this.#model);
    return this.#model;
  }
  get agent(): CopilotAgent {
    assert.ok(this.#agent);
    return this.#agent;
  }
  endpoint(more: Partial<ModelEndpoint> = {}): ModelEndpoint {
    return { id: 'scripted', name: 'Scripted model', baseUrl: this.model.baseUrl, wireApi: 'completions', ...more };
  }

  async start({
    endpoints,
    folders = [engineFolder],
    logger = nullLogger,
    ...options
  }: { endpoints?: ModelEndpoint[]; folders?: string[]; logger?: Logger } & Pick<
    HostServerOptions,
    'hookDecisionMs'
  > = {}): Promise<V1Client> {
    mkdirSync(this.directory, { recursive: true });
    this.#model ??= await ModelServer.start();
    this.#agent = new CopilotAgent({ logger, engineFolders: folders, home: this.home, ownFolders: [] });
    this.#agent.setEndpoints(endpoints ?? [this.endpoint()]);
    this.#server = await startHostServer({
      agents: [this.#agent],
      logger,
      defaultDirectory: pathToFileURL(this.directory).href,
      clientReturnMs: 50,
      sessionsFolder: join(this.base, 'sessions'),
      ...options,
    });
    return await this.connect();
  }
  /** A client of AHP v1. */
  async connect(options: Partial<V1ClientOptions> = {}): Promise<V1Client> {
    return this.#closedInTheEnd(await V1Client.connect({ ...this.#at, ...options }));
  }
  /** Our client, which speaks AHP 1.0 where it is not told otherwise. */
  async client(options: Partial<AgentHostClientOptions> = {}): Promise<AgentHostClient> {
    return this.#closedInTheEnd(await AgentHostClient.connect({ ...this.#at, transport: connectNodeTransport(), ...options }));
  }
  file(name: string, content?: string): string {
    const path = join(this.directory, name);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }
  async session(client: V1Client, params: Partial<CommandParams<'createSession'>> = {}): Promise<CopilotConversation> {
    const session = params.session ?? `copilot:/${++this.#sessions}`;
    await client.request('createSession', {
      provider: 'copilot',
      workingDirectory: pathToFileURL(this.directory).href,
      ...params,
      session,
    });
    const conversation = new CopilotConversation(client, session);
    await conversation.until('the session', ({ lifecycle }) => lifecycle !== 'creating');
    return conversation;
  }
  /** A session that was there already, once its state has come. */
  async reopened(client: V1Client, session: string): Promise<CopilotConversation> {
    const conversation = new CopilotConversation(client, session);
    await conversation.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    return conversation;
  }
  /** The `count`th request to the model since the test began. */
  async request(count: number): Promise<ModelRequest> {
    return await withTimeout(this.model.requested(count), WAIT_MS, `request ${count} to the model`);
  }
  async stopHost(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    const pid = this.#agent?.enginePid;
    await this.#server?.close();
    this.#server = undefined;
    if (pid !== undefined) await untilGone(pid);
  }
  async stop(): Promise<void> {
    await this.stopHost();
    await this.#model?.stop();
    rmSync(this.base, { recursive: true, maxRetries: 5, retryDelay: 100 });
  }
  get #at(): Pick<HostServer, 'url' | 'token'> {
    assert.ok(this.#server);
    return { url: this.#server.url, token: this.#server.token };
  }
  #closedInTheEnd<C extends { close(): void }>(client: C): C {
    this.#clients.push(client);
    return client;
  }
}

/** A promise and what settles it. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (open = resolve));
  return { promise, open };
}
