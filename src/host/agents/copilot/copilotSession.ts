/** One session in the engine: resumed or made anew whenever the engine, the model or the tools are not the ones that it was opened with. */
import { createHash } from 'node:crypto';
import type { CopilotSession as EngineSession, ResumeSessionConfig, SessionEvent, ToolResultObject } from '@github/copilot-sdk';
import type { ModelSelection } from '../../../ahp/v1/common.ts';
import type { ToolCallResult } from '../../../ahp/v1/toolCall.ts';
import { messageOf, TimeoutError, withTimeout } from '../../../base/errors.ts';
import type { AgentSession, AgentSessionHost, AgentTurn } from '../agent.ts';
import { clientTools, engineTools, type ClientTools } from './asking/clientTools.ts';
import { CommandChanges } from './files/commandChanges.ts';
import { contextNote } from './turn/contextNotes.ts';
import { settingsOf, type CopilotSettings } from './copilotOptions.ts';
import { CopilotTurn } from './turn/copilotTurn.ts';
import { answerElicitation } from './asking/elicitation.ts';
import { engineMessage, type EngineMessage } from './turn/engineMessage.ts';
import { EngineDied, type Engine, type RunningEngine } from './engine/engine.ts';
import { McpServers } from './engine/mcpServers.ts';
import { availableTools, leftOff, offered, UnknownTools } from './engine/offeredTools.ts';
import { PermissionRequests } from './permissions/permissionRequests.ts';
import { accessKey } from './permissions/permissions.ts';
import { askAboutPlan, askUser } from './asking/questions.ts';
import { recapOf } from './turn/recap.ts';
import { Remarks } from './turn/remarks.ts';
import { SessionFiles } from './files/sessionFiles.ts';
import { ShellCommands } from './shell/shellCommands.ts';
import { shellAccess, shellRequest, shellToolNames, shellTools } from './shell/shellTools.ts';
import { Steering } from './turn/steering.ts';
import { TurnCalls } from './turn/turnCalls.ts';

const CALL_TIMEOUT_MS = 30_000;
/** How long the engine may take to stop a turn. */
const ABORT_TIMEOUT_MS = 5_000;

/** A model as a session is opened with it. */
export interface ChosenModel {
  name: string;
  /** It can be shown images. */
  vision: boolean;
  config: Pick<ResumeSessionConfig, 'model' | 'provider' | 'modelCapabilities' | 'reasoningEffort' | 'gitHubToken'>;
}

interface Live {
  session: EngineSession;
  engine: RunningEngine;
  /** What it was opened with. */
  opened: string;
}

/** A session that can be used now. */
interface Opened {
  live: Live;
  /** What the engine does not know of the conversation. */
  recap: string | undefined;
  tools: ClientTools;
}

/** A turn that the engine has heard of: `null` when it did not come that far, `undefined` when it was in another process. */
interface TurnRecord {
  id: string;
  eventId: string | null | undefined;
  /** What the model hears besides the message. */
  news?: string;
}

export class CopilotSession implements AgentSession {
  readonly #id: string;
  readonly #files: SessionFiles;
  readonly #permissions: PermissionRequests;
  readonly #commands: ShellCommands;
  readonly #commandIn = (shellId: string) => this.#commands.commandIn(shellId);
  #turns: TurnRecord[];
  #live: Live | undefined;
  /** It did not answer about this session, and may never again. */
  #deaf: RunningEngine | undefined;
  #current: CopilotTurn | undefined;
  /** Where the engine's history is to be cut before it is used again; `all` when the place is not known. */
  #cut: { eventId: string } | 'all' | undefined;
  /** The title that nobody chose. */
  #automaticTitle: string | undefined;
  #hasOpened = false;
  /** As the engine was told, or has told. */
  #mode: CopilotSettings['mode'] | undefined;
  readonly #remarks = new Remarks();
  readonly #mcpServers: McpServers;
  readonly #unknownTools = new UnknownTools();
  /** While the engine is asked for the session. */
  #opening: Promise<Opened> | undefined;
  #left: Promise<void> | undefined;

  constructor(
    private readonly host: AgentSessionHost,
    private readonly engine: Engine,
    /** Throws what a person can do when the model cannot be used. */
    private readonly choose: (selection: ModelSelection | undefined) => ChosenModel,
    /** Folders of Tapline's own. */
    ownFolders: readonly string[],
  ) {
    this.#id = engineSessionId(host.uri);
    this.#files = new SessionFiles(host);
    this.#permissions = new PermissionRequests(host, this.#files, this.#commandIn, ownFolders);
    this.#mcpServers = new McpServers(engine.home);
    const changes = new CommandChanges(host.workingDirectory, this.#files, host.logger);
    this.#commands = new ShellCommands({ host, environment: engine.commandEnvironment, followChanges: () => changes.follow() });
    this.#turns = host.state.turns.map(({ id }) => ({ id, eventId: undefined }));
  }

  /** When the engine dies before it has heard of the turn, nothing is lost: it is asked once more. */
  async runTurn(turn: AgentTurn): Promise<void> {
    const record: TurnRecord = { id: turn.id, eventId: null };
    let isCompleted = false;
    try {
      try {
        await this.#attempt(turn, record);
      } catch (error) {
        if (!(error instanceof EngineDied) || record.eventId !== null || turn.signal.aborted) throw error;
        this.host.logger.info(`${this.#id}: the engine was gone when the turn began; it starts again`);
        await this.#attempt(turn, record);
      }
      isCompleted = !turn.signal.aborted;
    } finally {
      await this.#commands.endTurn(turn, isCompleted);
    }
  }

  async #attempt(turn: AgentTurn, record: TurnRecord): Promise<void> {
    const model = this.choose(this.host.state.summary.model);
    if (this.#deaf) await this.engine.giveUp(this.#deaf);
    this.#deaf = undefined;
    const engine = await this.engine.start();
    let opened: Opened;
    try {
      opened = await (this.#opening = this.#open(engine, model));
      // Only a mode of the session is told to the model, and left when a plan is agreed to; one of a message is not.
      const { mode } = settingsOf(this.host.state);
      await withTimeout(opened.live.session.rpc.mode.set({ mode }), CALL_TIMEOUT_MS, 'setting the mode');
      this.#mode = mode;
    } catch (error) {
      if (error instanceof TimeoutError) this.#deaf = engine;
      throw await engine.reasonOf(error);
    } finally {
      this.#opening = undefined;
    }
    turn.signal.throwIfAborted();
    const { live, recap, tools } = opened;
    if (this.#turns.length === 0) this.#automaticTitle = this.host.state.summary.title;
    if (!this.#turns.includes(record)) this.#turns.push(record);
    record.news ??= this.#commands.takeNews();
    const message = engineMessage(turn.userMessage, model.vision, [recap, record.news]);
    await this.#run(live, record, turn, message, new TurnCalls(this.host, this.#files, tools), model);
  }

  async #run(live: Live, record: TurnRecord, turn: AgentTurn, message: EngineMessage, calls: TurnCalls, model: ChosenModel): Promise<void> {
    const { engine, session } = live;
    const steer = () => steering.pass();
    const current: CopilotTurn = new CopilotTurn({
      host: this.host,
      turn,
      calls,
      modelName: model.name,
      secret: model.config.provider?.apiKey ?? model.config.gitHubToken,
      onTitle: (title) => this.#title(title, turn),
      onToolStart: steer,
      onMessageHeard: () => {
        steering.heard();
        this.#commands.heard();
      },
    });
    const steering = new Steering(current, async (said) => {
      await session.send({ ...engineMessage(said, model.vision), mode: 'immediate' });
      this.#commands.hurry();
    });
    this.#current = current;
    this.#remarks.begin(turn);
    const abort = () => void this.#abort(live, current);
    const death = engine.onDidDie((error) => current.fail(error));
    const listening = turn.onDidReceiveSteering(steer);
    const running = engine.beginTurn();
    turn.signal.addEventListener('abort', abort, { once: true });
    try {
      if (engine.death) throw engine.death;
      const sending = session.send({ ...message, mode: 'enqueue' });
      sending.catch(async (error: unknown) => current.fail(await engine.reasonOf(error)));
      await current.finished;
    } finally {
      record.eventId = current.eventId ?? null;
      turn.signal.removeEventListener('abort', abort);
      death.dispose();
      listening.dispose();
      running.dispose();
      this.#remarks.end();
      this.#current = undefined;
    }
  }

  /** The engine's history is cut when it is next used. */
  truncate(turnId: string | undefined): void {
    const kept = turnId === undefined ? 0 : this.#turns.findIndex(({ id }) => id === turnId) + 1;
    const removed = this.#turns.slice(kept).find(({ eventId }) => eventId !== null);
    this.#turns = this.#turns.slice(0, kept);
    // Before anything was opened here, the state may have been cut before this was made: what the engine has too much is not known.
    if ((!removed && this.#hasOpened) || this.#cut === 'all') return;
    this.#cut = removed?.eventId ? { eventId: removed.eventId } : 'all';
  }

  dispose(): void {
    this.#commands.dispose();
    void this.leave();
  }

  /** Disposes of it; resolves, and never rejects, when the engine has let go of the session. */
  leave(): Promise<void> {
    return (this.#left ??= this.#letGo());
  }

  async #letGo(): Promise<void> {
    try {
      await this.#opening;
    } catch {
      // It is the outcome of the turn that opened it.
    }
    const live = this.#live;
    this.#live = undefined;
    try {
      if (live && !live.engine.death) await withTimeout(live.session.disconnect(), CALL_TIMEOUT_MS, 'leaving the session');
    } catch (error) {
      this.host.logger.debug(`leaving ${this.#id}: ${messageOf(error)}`);
    }
  }

  /** The session in the running engine, resumed or made when it is not open as it is to be used now. */
  async #open(engine: RunningEngine, model: ChosenModel): Promise<Opened> {
    const { client } = engine;
    const { tools: builtIn } = await withTimeout(client.rpc.tools.list({}), CALL_TIMEOUT_MS, 'the list of the engine’s tools');
    const tools = clientTools(this.host.state.activeClient, new Set([...builtIn.map(({ name }) => name), ...offered, ...leftOff]));
    const opened = JSON.stringify([model.config, [...tools.values()]]);
    if (this.#live?.engine === engine && this.#live.opened === opened && !this.#cut) return { live: this.#live, recap: undefined, tools };
    await this.#leave(engine);
    const problem = this.#mcpServers.fileProblem();
    if (problem !== undefined) this.#remarks.add(problem);
    const config: ResumeSessionConfig = {
      ...model.config,
      clientName: 'tapline',
      streaming: true,
      workingDirectory: this.host.workingDirectory,
      // Files of a repository must not run programs by being there, nor bring servers, agents and skills along.
      enableConfigDiscovery: false,
      enableFileHooks: false,
      enableSkills: false,
      tools: [
        ...engineTools(tools, (toolCallId) => this.#callClient(toolCallId)),
        ...shellTools((toolName, args, toolCallId) => this.#callShell(toolName, args, toolCallId)),
      ],
      availableTools: availableTools([...tools.keys(), ...shellToolNames]),
      hooks: {
        // Of subagents the hook has another session's id.
        onPostToolUse: ({ sessionId }, asked) => {
          const news = sessionId === asked.sessionId ? this.#commands.takeNews() : undefined;
          return news === undefined ? undefined : { additionalContext: news };
        },
      },
      onEvent: (event) => this.#heard(event),
      onPermissionRequest: async (request) => {
        const current = this.#current;
        if (!current) return { kind: 'reject', feedback: 'Nobody can be asked now: no turn is in progress.' };
        return await this.#permissions.answer(request, current.turn, current.calls);
      },
      onUserInputRequest: async (request) => await askUser(this.#asking(), request),
      onExitPlanModeRequest: async (request) => await askAboutPlan(this.#asking(), request),
      onElicitationRequest: async (request) => await answerElicitation(this.#current?.turn, request, this.host.logger),
    };
    const resumed = this.#turns.length > 0 ? await this.#resume(engine, config) : undefined;
    const session = resumed ?? (await this.#create(engine, config));
    const live: Live = { session, engine, opened };
    if (this.#left) {
      await withTimeout(session.disconnect(), CALL_TIMEOUT_MS, 'leaving the session');
      throw new Error('the session was disposed');
    }
    this.#live = live;
    this.#hasOpened = true;
    return { live, recap: resumed ? undefined : recapOf(this.host.state.turns), tools };
  }

  /** Undefined when the engine has nothing (usable) to resume. */
  async #resume(engine: RunningEngine, config: ResumeSessionConfig): Promise<EngineSession | undefined> {
    if (this.#cut === 'all') return undefined;
    const { client } = engine;
    const known = await withTimeout(client.getSessionMetadata(this.#id), CALL_TIMEOUT_MS, 'looking for the session');
    // A record that is older than the session is of another one with its name.
    if (!known || known.startTime.getTime() < this.host.state.summary.createdAt) return undefined;
    try {
      const session = await withTimeout(client.resumeSession(this.#id, config), CALL_TIMEOUT_MS, 'resuming the session');
      if (this.#cut) await withTimeout(session.rpc.history.truncate(this.#cut), CALL_TIMEOUT_MS, 'cutting the conversation');
      this.#cut = undefined;
      return session;
    } catch (error) {
      if (engine.death) throw engine.death;
      this.host.logger.warn(`the engine could not resume ${this.#id}, which starts anew with what the host knows: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #create({ client }: RunningEngine, config: ResumeSessionConfig): Promise<EngineSession> {
    const left = await withTimeout(client.getSessionMetadata(this.#id), CALL_TIMEOUT_MS, 'looking for the session');
    if (left) await withTimeout(client.deleteSession(this.#id), CALL_TIMEOUT_MS, 'deleting the earlier conversation');
    const session = await withTimeout(client.createSession({ ...config, sessionId: this.#id }), CALL_TIMEOUT_MS, 'creating the session');
    this.#cut = undefined;
    // Of what was before, this process knows no places.
    this.#turns = this.#turns.map(({ id }) => ({ id, eventId: undefined }));
    return session;
  }

  async #leave(engine: RunningEngine): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    if (live?.engine === engine) await withTimeout(live.session.disconnect(), CALL_TIMEOUT_MS, 'leaving the session');
  }

  #heard(event: SessionEvent): void {
    const current = this.#current;
    const remark = contextNote(event) ?? this.#mcpServers.problem(event) ?? this.#unknownTools.problem(event);
    if (remark !== undefined) this.#remarks.add(remark);
    // Until the message is heard the mode is the one that was set here.
    if (event.type === 'session.mode_changed' && current?.eventId !== undefined) this.#followMode(event.data.newMode);
    try {
      current?.handle(event);
    } catch (error) {
      this.host.logger.error(`an event of the engine (${event.type}) could not be shown: ${messageOf(error)}`);
      current?.fail(asError(error));
    }
  }

  /** The engine has changed its mode, for example because the person agreed to a plan: the next turn goes on in it. */
  #followMode(newMode: string): void {
    const mode = newMode === 'plan' ? 'plan' : 'interactive';
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.host.setConfigValues({ mode } satisfies Partial<CopilotSettings>);
  }

  #asking(): AgentTurn {
    if (!this.#current) throw new Error('no turn is in progress');
    return this.#current.turn;
  }

  async #callShell(toolName: string, args: unknown, toolCallId: string): Promise<ToolResultObject> {
    const current = this.#current;
    const call = await current?.calls.expect(toolCallId);
    if (!current || !call) throw new Error('no turn is in progress that this call belongs to');
    return await call.once(async () => {
      const request = shellRequest(toolName, args);
      const access = shellAccess(toolName, args, this.#commandIn);
      // Where nothing runs any more, nothing is typed, and the model is told that.
      const isIdle = access?.kind === 'input' && access.command === undefined;
      if (!request || (access && !isIdle && !call.allowed.has(accessKey(access)))) throw new Error('nobody has allowed this call');
      return await this.#commands.answer(request, call, current.turn);
    });
  }

  async #callClient(toolCallId: string): Promise<ToolCallResult> {
    const call = this.#current?.calls.get(toolCallId);
    if (!call) throw new Error('no turn is in progress that this call belongs to');
    call.run();
    const result = await call.call.waitForClient();
    // The client has completed it in the session itself.
    call.over();
    return result;
  }

  async #abort(live: Live, current: CopilotTurn): Promise<void> {
    try {
      await withTimeout(live.session.abort(), ABORT_TIMEOUT_MS, 'stopping the turn');
      await withTimeout(current.finished, ABORT_TIMEOUT_MS, 'the end of the stopped turn');
    } catch (error) {
      // When the engine is not done in time, the next turn gets another.
      if (this.#live === live) this.#live = undefined;
      if (!live.engine.death) {
        this.#deaf = live.engine;
        this.host.logger.warn(`${this.#id}: ${messageOf(error)}`);
        live.session.disconnect().catch((late: unknown) => this.host.logger.debug(`leaving ${this.#id}: ${messageOf(late)}`));
      }
      current.fail(asError(error));
    }
  }

  /** A title of the engine replaces the one that the host made of the first message, never one that a person chose. */
  #title(title: string, { userMessage }: AgentTurn): void {
    const { title: shown } = this.host.state.summary;
    const isPrompt = userMessage.text.trim().startsWith(title.replace(/(\.{3}|…)$/, '').trim());
    if (title.trim() === '' || title === shown || isPrompt || (shown !== '' && shown !== this.#automaticTitle)) return;
    this.#automaticTitle = title;
    this.host.setTitle(title);
  }
}

/** The same in every process, so that a session is found again: what clients may choose, made safe for a folder's name. */
export function engineSessionId(uri: string): string {
  const name = uri.slice(uri.indexOf(':') + 1).replace(/^\/+/, '');
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
    ? name
    : `tapline-${createHash('sha256').update(uri).digest('hex').slice(0, 32)}`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error));
}
