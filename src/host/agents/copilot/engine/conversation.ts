/**
 * The conversation of one chat in the engine. It is resumed or created whenever the engine, the model or the tools have changed, and
 * truncated where the chat's history was.
 */
import type { CopilotSession as EngineSession, ResumeSessionConfig } from '@github/copilot-sdk';
import type { Turn } from '../../../../ahp/channels/chat/state.ts';
import { englishOf, withTimeout } from '../../../../base/errors.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import type { AgentChatHost, ChatName } from '../../agent.ts';
import { commentToolNames } from '../comments/commentTools.ts';
import { clientTools, type ClientTools } from '../asking/clientTools.ts';
import { sideSource } from '../../sideSource.ts';
import { asideOf, recapOf } from '../turn/recap.ts';
import type { URI } from '../../../../ahp/common/shapes.ts';
import type { ForkedSessions } from './forkedSessions.ts';
import type { RunningEngine } from './engine.ts';
import { leftOff, offered } from './offeredTools.ts';
import type { SystemMessage } from './systemSections.ts';

/** For one request to the engine. */
export const CALL_TIMEOUT_MS = 30_000;

/** A model, with the settings that a session is opened with. */
export interface ChosenModel {
  name: string;
  /** True when the model accepts images. */
  vision: boolean;
  config: Pick<ResumeSessionConfig, 'model' | 'provider' | 'modelCapabilities' | 'reasoningEffort' | 'gitHubToken'>;
}

export interface LiveConversation {
  session: EngineSession;
  engine: RunningEngine;
  /** A key for the model, the tools, the system message and the files that it was opened with. */
  opened: string;
}

/** A conversation that is ready for a turn. */
export interface OpenedConversation {
  live: LiveConversation;
  /** A summary of what the engine does not have of the conversation. */
  recap: string | undefined;
  /** There are turns of which it has only that. */
  isRebuilt: boolean;
  tools: ClientTools;
}

export interface TurnRecord {
  id: string;
  /**
   * The engine's event for the user's message. `null`: the engine did not get it. `undefined`: not known, because another process ran the
   * turn.
   */
  eventId: string | null | undefined;
}

/** Where the engine's session of one chat is forked for another. */
export interface ForkPoint {
  sessionId: string;
  /** The first event that the fork does not have. */
  toEventId?: string;
}

export class Conversation {
  /** The id of the engine's session. */
  #id: string;
  #turns: TurnRecord[];
  #live: LiveConversation | undefined;
  /** Where the engine's history must be truncated before its next use. `all`: the place is not known. */
  #cut: { eventId: string } | 'all' | undefined;
  #hasOpened = false;
  #opening: Promise<OpenedConversation> | undefined;
  #left: Promise<void> | undefined;

  constructor(
    private readonly host: AgentChatHost,
    /** The options to open it with, besides the model. */
    private readonly configFor: (tools: ClientTools) => ResumeSessionConfig,
    private readonly forks: ForkedSessions,
    /** Undefined where the engine has no session of that chat that ends there. */
    private readonly forkPointOf: (chat: URI, turnId: string) => ForkPoint | undefined,
  ) {
    this.#id = forks.idOf(engineSessionId(host));
    this.#turns = host.chatState.turns.map(({ id }) => ({ id, eventId: undefined }));
  }

  get id(): string {
    return this.#id;
  }

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  /** Opens the conversation if it is not open already with this engine, model, tools and files (`revision`) that the engine has read. */
  async open(engine: RunningEngine, model: ChosenModel, system: SystemMessage, revision: string): Promise<OpenedConversation> {
    try {
      return await (this.#opening = this.#open(engine, model, system, revision));
    } finally {
      this.#opening = undefined;
    }
  }

  /** Adds a turn, or replaces what was known of it. */
  add(record: TurnRecord): void {
    const known = this.#turns.findIndex(({ id }) => id === record.id);
    if (known < 0) this.#turns.push(record);
    else this.#turns[known] = record;
  }

  /** A turn that was interrupted, and goes on. */
  interrupted(id: string): TurnRecord {
    const known = this.#turns.find((record) => record.id === id) ?? { id, eventId: undefined };
    this.add(known);
    return known;
  }

  /** The engine's history is truncated before its next use. */
  truncate(turnId: string | undefined): void {
    const kept = turnId === undefined ? 0 : this.#turns.findIndex(({ id }) => id === turnId) + 1;
    const removed = this.#turns.slice(kept).find(({ eventId }) => eventId !== null);
    this.#turns = this.#turns.slice(0, kept);
    // Before the first opening here, the state may have been truncated in another process. Then it is not known what the engine has.
    // What the engine was told when it began goes with the first message that it got.
    const isLeft = this.#turns.some(({ eventId }) => eventId !== null);
    if ((!removed && this.#hasOpened && isLeft) || this.#cut === 'all') return;
    this.#cut = removed?.eventId && isLeft ? { eventId: removed.eventId } : 'all';
  }

  /** Undefined where it is not known what the engine has up to this turn. */
  forkPoint(turnId: string): ForkPoint | undefined {
    const end = this.#turns.findIndex(({ id }) => id === turnId) + 1;
    const isThere = this.#turns.slice(0, end).some(({ eventId }) => eventId !== null);
    if (!isThere || !this.#hasOpened || this.#cut) return undefined;
    const next = this.#turns.slice(end).find(({ eventId }) => eventId !== null);
    if (next) return typeof next.eventId === 'string' ? { sessionId: this.id, toEventId: next.eventId } : undefined;
    return this.host.chatState.activeTurn ? undefined : { sessionId: this.id };
  }

  /** The next turn opens the conversation again, because the engine is in an unknown state. */
  abandon(live: LiveConversation): void {
    if (this.#live === live) this.#live = undefined;
  }

  /** Closes it for good. Resolves when the engine has released it. Never rejects. */
  leave(): Promise<void> {
    return (this.#left ??= this.#letGo());
  }

  async #letGo(): Promise<void> {
    try {
      await this.#opening;
    } catch {
      // The turn that opened it gets this error.
    }
    const live = this.#live;
    this.#live = undefined;
    try {
      if (live && !live.engine.death) await withTimeout(live.session.disconnect(), CALL_TIMEOUT_MS, phrase`leaving the session`);
    } catch (error) {
      this.host.logger.debug(`leaving ${this.id}: ${englishOf(error)}`);
    }
  }

  async #open(engine: RunningEngine, model: ChosenModel, system: SystemMessage, revision: string): Promise<OpenedConversation> {
    const { client } = engine;
    const { tools: builtIn } = await withTimeout(client.rpc.tools.list({}), CALL_TIMEOUT_MS, phrase`the list of the engine’s tools`);
    const tools = clientTools(
      this.host.lenders,
      new Set([...builtIn.map(({ name }) => name), ...offered, ...leftOff, ...commentToolNames]),
    );
    const opened = JSON.stringify([model.config, [...tools.values()], system.key, revision]);
    if (this.#live?.engine === engine && this.#live.opened === opened && !this.#cut)
      return { live: this.#live, recap: undefined, isRebuilt: false, tools };
    await this.#leave(engine);
    // The engine keeps what it has read of that file once.
    await withTimeout(client.rpc.mcp.config.reload(), CALL_TIMEOUT_MS, phrase`reading the list of MCP servers again`);
    const config = { ...model.config, ...this.configFor(tools), ...(system.config && { systemMessage: system.config }) };
    const recap = this.#recap();
    const isLong = this.#told().length > 0;
    const resumed = this.#turns.length > 0 ? ((await this.#resume(engine, config)) ?? (await this.#fork(engine, config))) : undefined;
    const session = resumed ?? (await this.#create(engine, config));
    const live: LiveConversation = { session, engine, opened };
    if (this.#left) {
      await withTimeout(session.disconnect(), CALL_TIMEOUT_MS, phrase`leaving the session`);
      throw new Error('the session was disposed');
    }
    this.#live = live;
    this.#hasOpened = true;
    return { live, recap: resumed ? undefined : recap, isRebuilt: !resumed && isLong, tools };
  }

  /** What the engine is told when it begins anew. */
  #recap(): string | undefined {
    const side = sideSource(this.host);
    const told = [side && asideOf(side), recapOf(this.#told())].filter((text) => text !== undefined);
    return told.length > 0 ? told.join('\n\n') : undefined;
  }

  /** The conversation without the message that comes next. */
  #told(): readonly Turn[] {
    const { turns, activeTurn } = this.host.chatState;
    const isBegun = this.#turns.some(({ id, eventId }) => id === activeTurn?.id && eventId !== null);
    return activeTurn && isBegun ? [...turns, { ...activeTurn, state: 'error' }] : turns;
  }

  /** Undefined when the engine has nothing that can be resumed. */
  async #resume(engine: RunningEngine, config: ResumeSessionConfig): Promise<EngineSession | undefined> {
    if (this.#cut === 'all') return undefined;
    const { client } = engine;
    const known = await withTimeout(client.getSessionMetadata(this.id), CALL_TIMEOUT_MS, phrase`looking for the session`);
    // A record from before the session was created belongs to an earlier session with this name.
    if (!known || known.startTime.getTime() < this.host.createdAt) return undefined;
    try {
      const session = await withTimeout(client.resumeSession(this.id, config), CALL_TIMEOUT_MS, phrase`resuming the session`);
      if (this.#cut) await withTimeout(session.rpc.history.truncate(this.#cut), CALL_TIMEOUT_MS, phrase`cutting the conversation`);
      this.#cut = undefined;
      return session;
    } catch (error) {
      if (engine.death) throw engine.death;
      this.host.logger.warn(`the engine could not resume ${this.id}, so it starts again with the host’s record: ${englishOf(error)}`);
      return undefined;
    }
  }

  /** Of a chat in which nothing was said since it was forked. Undefined when the engine cannot do it. */
  async #fork(engine: RunningEngine, config: ResumeSessionConfig): Promise<EngineSession | undefined> {
    const { origin, turns } = this.host.chatState;
    if (origin?.kind !== 'fork' || !('turnId' in origin) || turns.at(-1)?.id !== origin.turnId || this.#cut) return undefined;
    const point = this.forkPointOf(origin.chat, origin.turnId);
    if (!point) return undefined;
    try {
      const { sessionId } = await withTimeout(engine.client.rpc.sessions.fork(point), CALL_TIMEOUT_MS, phrase`forking the session`);
      const session = await withTimeout(engine.client.resumeSession(sessionId, config), CALL_TIMEOUT_MS, phrase`resuming the session`);
      this.forks.keep(engineSessionId(this.host), sessionId);
      this.#id = sessionId;
      return session;
    } catch (error) {
      if (engine.death) throw engine.death;
      this.host.logger.warn(`the engine could not fork ${point.sessionId}, so it starts again with the host’s record: ${englishOf(error)}`);
      return undefined;
    }
  }

  async #create({ client }: RunningEngine, config: ResumeSessionConfig): Promise<EngineSession> {
    const left = await withTimeout(client.getSessionMetadata(this.id), CALL_TIMEOUT_MS, phrase`looking for the session`);
    if (left) await withTimeout(client.deleteSession(this.id), CALL_TIMEOUT_MS, phrase`deleting the earlier conversation`);
    const session = await withTimeout(
      client.createSession({ ...config, sessionId: this.id }),
      CALL_TIMEOUT_MS,
      phrase`creating the session`,
    );
    this.#cut = undefined;
    // Of earlier turns, the engine gets no messages.
    this.#turns = this.#turns.map(({ id }) => ({ id, eventId: null }));
    return session;
  }

  async #leave(engine: RunningEngine): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    if (live?.engine === engine) await withTimeout(live.session.disconnect(), CALL_TIMEOUT_MS, phrase`leaving the session`);
  }
}

/**
 * The same in every process, so that a chat is found again. Clients choose the URIs, so it is made safe for the name of a folder. A session's
 * first chat has the id that the session has had since before there were chats.
 */
export function engineSessionId({ session, chat, isDefault }: ChatName): string {
  const name = session.slice(session.indexOf(':') + 1).replace(/^\/+/, '');
  if (isDefault && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return name;
  return `tapline-${sha256(isDefault ? session : chat).slice(0, 32)}`;
}
