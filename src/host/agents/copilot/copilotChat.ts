/** One chat of the Copilot agent. It runs turns in the engine, and answers the engine's requests during them. */
import type { ResumeSessionConfig, SessionEvent, ToolResultObject } from '@github/copilot-sdk';
import { contextMeta } from '../../../ahp/contextUse.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { englishOf, TimeoutError, withTimeout, WordedError, wordsOf } from '../../../base/errors.ts';
import * as l10n from '../../../base/l10n.ts';
import { phrase } from '../../../base/text/phrase.ts';
import type { AgentChat, AgentChatHost, AgentTurn } from '../agent.ts';
import { engineTools, type ClientTools } from './asking/clientTools.ts';
import { commentToolNames, commentTools, runCommentTool } from './comments/commentTools.ts';
import { CommandChanges } from './files/commandChanges.ts';
import { compactFocus, contextNote, contextUse } from './turn/contextNotes.ts';
import { settingsOf, type CopilotSettings } from './copilotOptions.ts';
import { CopilotTurn } from './turn/copilotTurn.ts';
import { answerElicitation } from './asking/elicitation.ts';
import { engineMessage, type EngineMessage, goingOn, type Reading } from './turn/engineMessage.ts';
import {
  CALL_TIMEOUT_MS,
  type ChosenModel,
  Conversation,
  type ForkPoint,
  type LiveConversation,
  type OpenedConversation,
  type TurnRecord,
} from './engine/conversation.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ForkedSessions } from './engine/forkedSessions.ts';
import { EngineDied, type Engine, type RunningEngine } from './engine/engine.ts';
import { McpServers } from './engine/mcpServers.ts';
import { availableTools, UnknownTools } from './engine/offeredTools.ts';
import { EngineSections } from './engine/systemSections.ts';
import { PermissionRequests } from './permissions/permissionRequests.ts';
import { accessKey, shellAccess } from './permissions/permissions.ts';
import type { OwnModules } from './permissions/runsLater.ts';
import { askAboutPlan, askUser } from './asking/askUser.ts';
import { Remarks } from './turn/remarks.ts';
import { SessionFiles } from './files/sessionFiles.ts';
import { ShellCommands } from './shell/shellCommands.ts';
import { shellRequest, shellToolNames, shellTools } from './shell/shellTools.ts';
import { checkToolUse } from './permissions/toolRules.ts';
import { EngineTodos } from './turn/todos.ts';
import { Steering } from './turn/steering.ts';
import { type TurnCall, TurnCalls } from './turn/turnCalls.ts';

/** How long the engine may take to stop a turn. */
const ABORT_TIMEOUT_MS = 5_000;

/** For the model's summary of a long conversation. */
const COMPACT_TIMEOUT_MS = 5 * 60_000;

/** A turn that has begun. It may be tried twice. */
interface BegunTurn extends TurnRecord {
  /** Text for the model besides the message. */
  news?: string;
}

export class CopilotChat implements AgentChat {
  readonly #conversation: Conversation;
  readonly #files: SessionFiles;
  readonly #permissions: PermissionRequests;
  readonly #commands: ShellCommands;
  readonly #commandIn = (shellId: string) => this.#commands.commandIn(shellId);
  /** The engine did not respond about this chat, and may never respond again. */
  #deaf: RunningEngine | undefined;
  #current: CopilotTurn | undefined;
  /** The title that was set automatically. */
  #automaticTitle: string | undefined;
  /** The mode that the engine was given or has reported. */
  #mode: CopilotSettings['mode'] | undefined;
  /** What the engine does not have of the conversation, for the next message to it. */
  #recap: string | undefined;
  readonly #sections = new EngineSections();
  readonly #remarks = new Remarks();
  readonly #todos: EngineTodos;
  /** Of the last turn. */
  #live: LiveConversation['session'] | undefined;
  readonly #mcpServers: McpServers;
  readonly #unknownTools = new UnknownTools();

  constructor(
    private readonly host: AgentChatHost,
    private readonly engine: Engine,
    /** Throws an error that says what the user can do when the model cannot be used. */
    private readonly choose: (selection: ModelSelection | undefined) => ChosenModel,
    /** Folders of Tapline's own. */
    ownFolders: readonly string[],
    ownModules: OwnModules,
    forks: ForkedSessions,
    forkPointOf: (chat: URI, turnId: string) => ForkPoint | undefined,
  ) {
    this.#conversation = new Conversation(host, (tools) => this.#configFor(tools), forks, forkPointOf);
    this.#todos = new EngineTodos(host, CALL_TIMEOUT_MS);
    this.#files = new SessionFiles(host);
    this.#permissions = new PermissionRequests(host, this.#files, this.#commandIn, ownFolders, ownModules);
    this.#mcpServers = new McpServers(engine.home);
    const changes = new CommandChanges(host.workingDirectory, this.#files, host.logger);
    this.#commands = new ShellCommands({ host, environment: engine.commandEnvironment, followChanges: () => changes.follow() });
  }

  /** When the engine dies before it has got the turn, nothing is lost and the turn is tried once more. */
  async runTurn(turn: AgentTurn): Promise<void> {
    const record: BegunTurn = turn.isResumed ? this.#conversation.interrupted(turn.id) : { id: turn.id, eventId: null };
    let isCompleted = false;
    try {
      try {
        await this.#attempt(turn, record);
      } catch (error) {
        if (!(error instanceof EngineDied) || record.eventId !== null || turn.signal.aborted) throw error;
        this.host.logger.info(`${this.#conversation.id}: the engine had ended when the turn began; it is started again`);
        await this.#attempt(turn, record);
      }
      isCompleted = !turn.signal.aborted;
    } finally {
      await this.#commands.endTurn(turn, isCompleted);
    }
  }

  async #attempt(turn: AgentTurn, record: BegunTurn): Promise<void> {
    const model = this.choose(turn.message.model ?? this.host.model);
    if (this.#deaf) await this.engine.giveUp(this.#deaf);
    this.#deaf = undefined;
    const engine = await this.engine.start();
    let opened: OpenedConversation;
    try {
      opened = await this.#conversation.open(engine, model, await this.#sections.prepare(turn), this.#mcpServers.revision);
      // It comes with the opening alone, and this turn may be stopped before the model gets it.
      this.#recap = opened.recap ?? this.#recap;
      if (opened.isRebuilt) turn.notice(rebuiltNotice(this.host.chatState));
      // The model is told only of a mode of the session, and leaves that when a plan is accepted. It is not told of a mode of one message.
      const { mode } = settingsOf(this.host.sessionState);
      await withTimeout(opened.live.session.rpc.mode.set({ mode }), CALL_TIMEOUT_MS, phrase`setting the mode`);
      this.#mode = mode;
    } catch (error) {
      if (error instanceof TimeoutError) this.#deaf = engine;
      throw await engine.reasonOf(error);
    }
    turn.signal.throwIfAborted();
    const { live, tools } = opened;
    if (this.#conversation.isEmpty) this.#automaticTitle = this.#shownTitle;
    this.#conversation.add(record);
    const focus = compactFocus(turn.message);
    if (focus !== undefined) return await this.#compact(live, record, turn, focus);
    const { message: said, texts } = await this.host.readLent(turn.message, turn.signal);
    turn.signal.throwIfAborted();
    const recap = this.#recap;
    this.#recap = undefined;
    record.news ??= this.#commands.takeNews();
    // Of an earlier process it is not known whether the engine got the message.
    const goesOn = turn.isResumed && record.eventId !== null;
    if (recap !== undefined) record.eventId = null;
    const message = goesOn ? goingOn(said, [recap, record.news]) : engineMessage(said, this.#reading(model), [recap, record.news], texts);
    await this.#run(live, record, turn, message, new TurnCalls(this.host, this.#files, tools), model);
  }

  async #run(
    live: LiveConversation,
    record: BegunTurn,
    turn: AgentTurn,
    message: EngineMessage,
    calls: TurnCalls,
    model: ChosenModel,
  ): Promise<void> {
    const { engine, session } = live;
    const steer = () => steering.pass();
    this.#live = session;
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
    const steering = new Steering(current, async (steered) => {
      const { message: said, texts } = await this.host.readLent(steered, turn.signal);
      // The host keeps it for later. Behind the abort, the engine would take it for a new message.
      turn.signal.throwIfAborted();
      await session.send({ ...engineMessage(said, this.#reading(model), [], texts), mode: 'immediate' });
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
      // A turn that goes on has begun with an earlier message.
      if (record.eventId === null) record.eventId = current.eventId ?? null;
      turn.signal.removeEventListener('abort', abort);
      death.dispose();
      listening.dispose();
      running.dispose();
      this.#remarks.end();
      this.#current = undefined;
    }
  }

  /** The engine says by an event, and so in the turn, what it made smaller. */
  async #compact(live: LiveConversation, record: BegunTurn, turn: AgentTurn, focus: string): Promise<void> {
    const { engine, session } = live;
    record.eventId = null;
    if (this.#recap !== undefined)
      return turn.markdown(l10n.t('There is nothing to compact: the model goes on with a summary of the conversation already.'));
    const { history } = session.rpc;
    const running = engine.beginTurn();
    const stopped = new Promise<undefined>((resolve) => turn.signal.addEventListener('abort', () => resolve(undefined), { once: true }));
    this.#remarks.begin(turn);
    this.host.setActivity(l10n.t('Compacting the conversation'));
    let work: Promise<unknown> | undefined;
    try {
      const compacting = history.compact({ trigger: 'manual', ...(focus !== '' && { customInstructions: focus }) });
      work = compacting;
      const result = await Promise.race([withTimeout(compacting, COMPACT_TIMEOUT_MS, phrase`compacting the conversation`), stopped]);
      if (result) work = undefined;
      if (result?.success === false) throw new WordedError(phrase`the engine could not compact the conversation`);
      if (result?.contextWindow) turn.usage({ _meta: contextMeta(contextUse(result.contextWindow)) });
    } catch (error) {
      throw await engine.reasonOf(error);
    } finally {
      if (work) await this.#abortCompaction(live, work);
      this.host.setActivity(undefined);
      this.#remarks.end();
      running.dispose();
    }
  }

  async #abortCompaction(live: LiveConversation, work: Promise<unknown>): Promise<void> {
    const ended = work.catch((error: unknown) => this.host.logger.debug(`the compaction has ended: ${englishOf(error)}`));
    try {
      await withTimeout(live.session.rpc.history.abortManualCompaction(), ABORT_TIMEOUT_MS, 'stopping the compaction');
      await withTimeout(ended, ABORT_TIMEOUT_MS, 'the end of the compaction');
    } catch (error) {
      this.#abandon(live, error);
    }
  }

  /** Where another chat can go on from this one. */
  forkPoint(turnId: string): ForkPoint | undefined {
    return this.#conversation.forkPoint(turnId);
  }

  truncate(turnId: string | undefined): void {
    if (turnId === undefined) this.#recap = undefined;
    this.#conversation.truncate(turnId);
  }

  dispose(): void {
    this.#commands.dispose();
    void this.leave();
  }

  /** Disposes of the chat. Resolves when the engine has released it. Never rejects. */
  leave(): Promise<void> {
    return this.#conversation.leave();
  }

  /** What the engine's session is opened with, besides the model. */
  #configFor(tools: ClientTools): ResumeSessionConfig {
    const problem = this.#mcpServers.fileProblem();
    if (problem !== undefined) this.#remarks.add(problem);
    return {
      clientName: 'tapline',
      streaming: true,
      workingDirectory: this.host.workingDirectory,
      // Files of a repository must not start programs, or add servers, agents and skills, just because they exist.
      enableConfigDiscovery: false,
      enableFileHooks: false,
      enableSkills: false,
      tools: [
        ...engineTools(tools, (toolCallId) => this.#callClient(toolCallId)),
        ...shellTools((toolName, args, toolCallId) => this.#callShell(toolName, args, toolCallId)),
        ...commentTools((toolName, args, toolCallId) => this.#callComments(toolName, args, toolCallId)),
      ],
      availableTools: availableTools([...tools.keys(), ...shellToolNames, ...commentToolNames]),
      hooks: {
        onPreToolUse: async (use) => await checkToolUse(use, this.#current),
        // For subagents, `sessionId` is that of another session.
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
  }

  #heard(event: SessionEvent): void {
    const current = this.#current;
    const remark = contextNote(event) ?? this.#mcpServers.problem(event) ?? this.#unknownTools.problem(event);
    if (remark !== undefined) this.#remarks.add(remark);
    // Until the engine has got the message, the mode is the one that was set here.
    if (event.type === 'session.mode_changed' && current?.eventId !== undefined) this.#followMode(event.data.newMode);
    // Those of subagents are their own.
    if (event.type === 'session.todos_changed' && event.agentId === undefined && this.#live) void this.#todos.read(this.#live);
    try {
      current?.handle(event);
    } catch (error) {
      this.host.logger.error(`an event of the engine (${event.type}) could not be shown: ${englishOf(error)}`);
      current?.fail(asError(error));
    }
  }

  /** The engine has changed its mode, for example because the user accepted a plan. The next turn continues in it. */
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
      await requireAllowed(call);
      const request = shellRequest(toolName, args);
      const access = shellAccess(toolName, args, this.#commandIn);
      // When no command is running there, nothing is typed, and the model is told that.
      const isIdle = access?.kind === 'input' && access.command === undefined;
      if (!request || (access && !isIdle && !call.allowed.has(accessKey(access)))) throw new Error('nobody has allowed this call');
      return await this.#commands.answer(request, call, current.turn);
    });
  }

  async #callComments(toolName: string, args: unknown, toolCallId: string): Promise<string> {
    const current = this.#current;
    const call = await current?.calls.expect(toolCallId);
    if (!current || !call) throw new Error('no turn is in progress that this call belongs to');
    return await call.once(async () => {
      await requireAllowed(call);
      return runCommentTool(this.host, toolName, args, call.turn);
    });
  }

  async #callClient(toolCallId: string): Promise<ToolCallResult> {
    const call = this.#current?.calls.get(toolCallId);
    if (!call) throw new Error('no turn is in progress that this call belongs to');
    await requireAllowed(call);
    call.run();
    const result = await call.call.waitForClient();
    // The client has completed the call in the session itself.
    call.over();
    return result;
  }

  async #abort(live: LiveConversation, current: CopilotTurn): Promise<void> {
    try {
      await withTimeout(live.session.abort(), ABORT_TIMEOUT_MS, phrase`stopping the turn`);
      await withTimeout(current.finished, ABORT_TIMEOUT_MS, phrase`the end of the stopped turn`);
    } catch (error) {
      this.#abandon(live, error);
      current.fail(asError(error));
    }
  }

  /** When the engine does not stop in time, the next turn uses another one. */
  #abandon(live: LiveConversation, error: unknown): void {
    this.#conversation.abandon(live);
    if (live.engine.death) return;
    this.#deaf = live.engine;
    this.host.logger.warn(`${this.#conversation.id}: ${englishOf(error)}`);
    live.session.disconnect().catch((late: unknown) => this.host.logger.debug(`leaving ${this.#conversation.id}: ${englishOf(late)}`));
  }

  #reading({ vision }: ChosenModel): Reading {
    const { host } = this;
    return { vision, turnsOf: (chat) => host.turnsOf(chat), commentsIn: (channel) => host.annotationsIn(channel) };
  }

  get #shownTitle(): string {
    const { chat, isDefault, sessionState } = this.host;
    if (isDefault) return sessionState.title;
    return sessionState.chats.find(({ resource }) => resource === chat)?.title ?? '';
  }

  /** The engine's title replaces the one that the host made from the first message, and never one that the user chose. */
  #title(title: string, { message }: AgentTurn): void {
    const shown = this.#shownTitle;
    const isPrompt = message.text.trim().startsWith(title.replace(/(\.{3}|…)$/, '').trim());
    if (title.trim() === '' || title === shown || isPrompt || (shown !== '' && shown !== this.#automaticTitle)) return;
    this.#automaticTitle = title;
    this.host.setTitle(title);
  }
}

function rebuiltNotice({ origin }: ChatState): string {
  return origin?.kind === 'fork'
    ? l10n.t(
        'This fork is a new conversation for the engine, which was told what is written here: messages, answers and which tools were used. It does not know what the tools returned.',
      )
    : l10n.t(
        'The engine no longer has its own record of this conversation, so it was told what is written here: messages, answers and which tools were used. It does not know what the tools returned.',
      );
}

/** The engine has asked already. That does not replace this check. */
async function requireAllowed(call: TurnCall): Promise<void> {
  const verdict = await call.check();
  if (!verdict.allowed) throw new Error(verdict.message);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new WordedError(wordsOf(error));
}
