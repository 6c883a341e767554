/** The host's side of one session, as its agent sees it. */
import type { ContentRef, FileEdit, URI, UserMessage } from '../../ahp/v1/common.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type { ToolDefinition } from '../../ahp/v1/toolCall.ts';
import type { Logger } from '../../base/log.ts';
import type { AgentSessionHost, RunCommandOptions, RunningCommand, StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import type { Contents } from '../files/contentStore.ts';
import type { LentFiles, LentText } from '../hooks/lentFiles.ts';
import { metaChanged } from './sessionMeta.ts';
import type { Lender, Lenders } from '../state/lenders.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { Terminals } from '../terminals/terminals.ts';

export interface SessionHostServices {
  store: StateStore;
  lenders: Lenders;
  logger: Logger;
  contents: Contents;
  lent: Pick<LentFiles, 'read'>;
  terminals: Terminals;
  startSubagent(parent: URI, options: StartSubagentOptions): SubagentTurn;
}

export class SessionHost implements AgentSessionHost {
  readonly logger: Logger;
  #lastState: SessionState;

  /** `state`: the one that the session starts with. */
  constructor(
    private readonly services: SessionHostServices,
    readonly uri: URI,
    readonly workingDirectory: string,
    state: SessionState,
  ) {
    this.logger = services.logger;
    this.#lastState = state;
  }

  /** After the session was disposed: its last state. */
  get state(): SessionState {
    return (this.#lastState = this.services.store.session(this.uri) ?? this.#lastState);
  }

  get lenders(): readonly Lender[] {
    return this.services.lenders.of(this.uri);
  }

  setTitle(title: string): void {
    this.services.store.dispatch({ type: 'session/titleChanged', session: this.uri, title });
  }
  setActivity(activity: string | undefined): void {
    this.services.store.dispatch({ type: 'session/activityChanged', session: this.uri, ...(activity !== undefined && { activity }) });
  }
  setDiffs(diffs: FileEdit[]): void {
    this.services.store.dispatch({ type: 'session/diffsChanged', session: this.uri, diffs });
  }
  setServerTools(tools: ToolDefinition[]): void {
    this.services.store.dispatch({ type: 'session/serverToolsChanged', session: this.uri, tools });
  }
  setConfigValues(config: Record<string, unknown>): void {
    this.services.store.dispatch({ type: 'session/configChanged', session: this.uri, config });
  }
  setMeta(key: string, value: unknown): void {
    const state = this.services.store.session(this.uri);
    if (state) this.services.store.dispatch(metaChanged(state, key, value));
  }

  storeContent(data: string | Uint8Array, contentType: string): ContentRef {
    this.#requireLiving();
    return this.services.contents.put(this.uri, data, contentType);
  }
  readContent(uri: URI): Uint8Array | undefined {
    return this.services.contents.read(uri)?.data;
  }
  readLent(message: UserMessage, signal: AbortSignal): Promise<LentText> {
    return this.services.lent.read(message, signal);
  }
  async runCommand({ turn, ...options }: RunCommandOptions): Promise<RunningCommand> {
    this.#requireLiving();
    const { id: turnId, session, signal } = turn;
    return this.services.terminals.runCommand({ ...options, session, turnId, signal, workingDirectory: this.workingDirectory });
  }
  startSubagent(options: StartSubagentOptions): SubagentTurn {
    this.#requireLiving();
    return this.services.startSubagent(this.uri, options);
  }

  /** What is created for a disposed session would never be disposed. */
  #requireLiving(): void {
    if (!this.services.store.session(this.uri)) throw new Error(`the session ${this.uri} was disposed`);
  }
}
