/** One turn of a chat in the engine: shows what the engine's events say. */
import type { SessionEvent } from '@github/copilot-sdk';
import type { ErrorInfo, UsageInfo } from '../../../../ahp/common/shapes.ts';
import { contextMeta, type ContextUse } from '../../../../ahp/contextUse.ts';
import { type ModelCall, modelCallsMeta } from '../../../../ahp/common/modelCalls.ts';
import { messageOf, WordedError, wordsOf } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { phrase, type Words } from '../../../../base/text/phrase.ts';
import type { AgentChatHost, AgentTurn, SubagentTurn } from '../../agent.ts';
import { plain } from '../../markdown.ts';
import { contextUse } from './contextNotes.ts';
import { StreamedText } from './streamedText.ts';
import type { TurnCalls } from './turnCalls.ts';

type EventData<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>['data'];

/** In characters. */
const MIN_SECRET = 8;

/** The request to the model failed. */
export class ModelError extends WordedError {
  override readonly name = 'ModelError';
  /** `resumable`: the model may answer when it is asked again. */
  constructor(
    words: Words,
    readonly resumable: boolean,
  ) {
    super(words);
  }
}

/** The text of the main agent or of one subagent. */
class Voice {
  readonly answer: StreamedText;
  readonly thoughts: StreamedText;
  #usage: UsageInfo = {};
  #modelCalls = 0;

  constructor(readonly turn: AgentTurn) {
    this.answer = new StreamedText(
      (text) => turn.markdown(text),
      () => turn.markdown(`\n\n*${l10n.t('The connection to the model broke. It answers again:')}*\n\n`),
    );
    this.thoughts = new StreamedText(
      (text) => turn.reasoning(text),
      () => turn.reasoning(`\n\n${l10n.t('(The connection broke; the model thinks again.)')}\n\n`),
    );
  }

  break(): void {
    this.answer.break();
    this.thoughts.break();
  }

  /** A turn makes several requests. Its usage is their sum. */
  use({ model, inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, duration = 0 }: EventData<'assistant.usage'>): void {
    const { inputTokens: input = 0, outputTokens: output = 0, cacheReadTokens: read = 0 } = this.#usage;
    this.#tell(
      {
        ...{ model, inputTokens: input + inputTokens, outputTokens: output + outputTokens, cacheReadTokens: read + cacheReadTokens },
        _meta: modelCallsMeta(++this.#modelCalls),
      },
      { model, inputTokens, outputTokens, durationMs: duration },
    );
  }

  /** A request has failed; another one may follow. */
  fail({ statusCode, failureKind, durationMs = 0 }: EventData<'model.call_failure'>): void {
    this.#tell({}, { durationMs, error: statusCode === undefined ? (failureKind ?? 'failed') : String(statusCode) });
  }

  /** How full the model's context is after the latest request. */
  fill(context: ContextUse): void {
    this.#tell({ _meta: contextMeta(context) });
  }

  #tell(more: UsageInfo, call?: ModelCall): void {
    this.#usage = { ...this.#usage, ...more, _meta: { ...this.#usage._meta, ...more._meta } };
    this.turn.usage(this.#usage, call);
  }
}

export interface CopilotTurnOptions {
  host: AgentChatHost;
  turn: AgentTurn;
  calls: TurnCalls;
  /** The model's display name, for errors. */
  modelName: string;
  /** The key or token of the model. Some servers repeat the one that they refuse. */
  secret: string | undefined;
  /** The engine has a title for the chat. */
  onTitle(title: string): void;
  /** A tool call begins, so messages of the user can be passed on. */
  onToolStart(): void;
  /** The model has got a message that was sent during this turn. */
  onMessageHeard(): void;
}

export class CopilotTurn {
  readonly turn: AgentTurn;
  readonly calls: TurnCalls;
  /** The engine's id of the message that began the turn. */
  eventId: string | undefined;
  readonly #main: Voice;
  readonly #subagents = new Map<string, { voice: Voice; turn: SubagentTurn }>();
  /** Prompts of `task` calls. */
  readonly #prompts = new Map<string, string>();
  /** Messages that were sent during this turn and are not in it yet. */
  #undelivered = 0;
  #activity: string | undefined;
  #error: Error | undefined;
  #work: Promise<void> = Promise.resolve();
  #isOver = false;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  /** Settles when the engine has finished the turn. */
  readonly finished: Promise<void>;

  constructor(private readonly options: CopilotTurnOptions) {
    this.turn = options.turn;
    this.calls = options.calls;
    this.#main = new Voice(options.turn);
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.turn.signal.addEventListener('abort', () => this.#setActivity(undefined), { once: true });
    // It may fail before anybody waits for it.
    this.finished.catch(() => undefined);
  }

  /** A message is sent during this turn. The turn ends only after it was heard. */
  expectMessage(): void {
    this.#undelivered++;
  }
  /** The message could not be sent. */
  messageLost(why: unknown): void {
    this.#undelivered--;
    const text = l10n.t`Your message could not be passed on, and waits for the end of the turn: ${plain(messageOf(why))}`;
    this.turn.markdown(`\n\n*${text}*\n\n`);
  }

  /** The turn cannot go on. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#end({ errorType: error.name, message: messageOf(error) });
    this.#reject(error);
  }

  handle(event: SessionEvent): void {
    if (this.#isOver) return;
    const { agentId } = event;
    if (agentId === undefined) this.#handleOwn(event);
    const voice = agentId === undefined ? this.#main : this.#voiceOf(agentId, event);
    if (voice) this.#handleVoice(voice, event);
  }

  /** Events of the whole session and not of one agent. */
  #handleOwn(event: SessionEvent): void {
    switch (event.type) {
      case 'user.message':
        if (event.data.source !== undefined) break;
        if (this.eventId === undefined) this.eventId = event.id;
        else {
          this.#undelivered--;
          this.options.onMessageHeard();
          // The protocol removes a steering message when it is taken. This shows it at the place where the model heard it.
          this.turn.markdown(`\n\n> **${l10n.t('You:')}** ${event.data.content.replaceAll('\n', '\n> ')}\n\n`);
        }
        break;
      case 'session.title_changed':
        this.options.onTitle(event.data.title);
        break;
      case 'session.error':
        this.#error = modelError({ ...event.data, message: this.#concealed(event.data.message) }, this.options.modelName);
        break;
      case 'session.usage_info':
        this.#main.fill(contextUse(event.data));
        break;
      case 'session.compaction_start':
        this.#setActivity(l10n.t('Compacting the conversation'));
        break;
      case 'session.compaction_complete':
        this.#setActivity(undefined);
        break;
      case 'session.idle':
        if (event.data.aborted || (this.eventId !== undefined && this.#undelivered <= 0)) this.#settle();
        break;
      default:
    }
  }

  #handleVoice(voice: Voice, event: SessionEvent): void {
    const { calls } = this;
    switch (event.type) {
      case 'assistant.intent':
        this.#setActivity(event.data.intent);
        break;
      case 'assistant.reasoning_delta':
        voice.thoughts.delta(event.data.reasoningId, event.data.deltaContent);
        break;
      case 'assistant.reasoning':
        voice.thoughts.complete(event.data.reasoningId, event.data.content);
        break;
      case 'assistant.message_delta':
        voice.answer.delta(event.data.messageId, event.data.deltaContent);
        break;
      case 'assistant.message':
        voice.answer.complete(event.data.messageId, event.data.content);
        calls.requested(
          voice.turn,
          (event.data.toolRequests ?? []).map(({ toolCallId }) => toolCallId),
        );
        break;
      case 'assistant.usage':
        voice.use(event.data);
        break;
      case 'model.call_failure':
        voice.break();
        voice.fail(event.data);
        this.#setActivity(l10n.t`The model failed (${this.#concealed(failureText(event.data)).slice(0, 100)})`);
        break;
      case 'assistant.message_start':
        this.#setActivity(undefined);
        break;
      case 'assistant.tool_call_delta':
        calls.inputDelta(voice.turn, event.data);
        break;
      case 'tool.execution_start': {
        const call = calls.start(voice.turn, event.data);
        const { prompt } = (event.data.arguments ?? {}) as { prompt?: unknown };
        if (typeof prompt === 'string') this.#prompts.set(event.data.toolCallId, prompt);
        this.#setActivity(call.texts.displayName);
        this.options.onToolStart();
        break;
      }
      case 'tool.execution_progress':
        this.#setActivity(event.data.progressMessage);
        break;
      case 'tool.execution_complete': {
        const { data } = event;
        this.#setActivity(undefined);
        this.#work = Promise.all([this.#work, calls.complete(data)]).then(() => undefined);
        break;
      }
      case 'subagent.completed':
      case 'subagent.failed':
        this.#endSubagent(event.agentId, event.type === 'subagent.failed' ? this.#concealed(event.data.error) : undefined);
        break;
      default:
    }
  }

  #concealed(text: string): string {
    const { secret = '' } = this.options;
    // A short key is a placeholder for a server that needs none, and may be an ordinary word.
    return secret.length < MIN_SECRET ? text : text.replaceAll(secret, '…');
  }

  /** Undefined after the turn was cancelled, though the engine may need a moment to stop. */
  #setActivity(wanted: string | undefined): void {
    const activity = this.turn.signal.aborted ? undefined : wanted;
    if (activity === this.#activity) return;
    this.#activity = activity;
    this.options.host.setActivity(activity);
  }

  /** The subagent's text. It begins with the event that starts the subagent. */
  #voiceOf(agentId: string, event: SessionEvent): Voice | undefined {
    const known = this.#subagents.get(agentId);
    if (known || event.type !== 'subagent.started') return known?.voice;
    const { toolCallId, agentDisplayName, agentName, agentDescription } = event.data;
    const title = agentDescription || agentDisplayName || agentName;
    const prompt = this.#prompts.get(toolCallId) ?? agentDescription;
    const call = this.calls.get(toolCallId);
    const turn = this.options.host.startSubagent({ toolCallId: call?.call.id ?? toolCallId, title, prompt });
    const voice = new Voice(turn);
    this.#subagents.set(agentId, { voice, turn });
    this.calls
      .get(toolCallId)
      ?.pin({ type: 'subagent', resource: turn.chat, title, agentName: agentDisplayName || agentName, description: agentDescription });
    return voice;
  }

  #endSubagent(agentId: string | undefined, error: string | undefined): void {
    const subagent = agentId === undefined ? undefined : this.#subagents.get(agentId);
    if (!subagent || agentId === undefined) return;
    this.#subagents.delete(agentId);
    if (error === undefined) this.#work = this.#work.then(() => subagent.turn.complete());
    else subagent.turn.fail({ errorType: 'SubagentError', message: error });
  }

  /** The engine has finished. What is still being read of its work comes first. */
  #settle(): void {
    const error = this.#error;
    void this.#work.then(
      () => {
        if (this.#isOver) return;
        this.#end({ errorType: 'SubagentError', message: l10n.t('The turn ended before the subagent did.') });
        if (error) this.#reject(error);
        else this.#resolve();
      },
      (failed: unknown) => this.fail(failed instanceof Error ? failed : new WordedError(wordsOf(failed))),
    );
  }

  #end(ofSubagents: ErrorInfo): void {
    this.#isOver = true;
    for (const { turn } of this.#subagents.values()) turn.fail(ofSubagents);
    this.#subagents.clear();
    this.calls.end();
    this.#setActivity(undefined);
  }
}

function modelError({ errorType, message, statusCode }: EventData<'session.error'>, modelName: string): ModelError {
  const why = message.replace(/\.$/, '');
  const isRefused = statusCode === 401 || statusCode === 403 || errorType === 'authentication';
  return new ModelError(
    isRefused
      ? phrase`The model “${modelName}” did not answer: ${why}. Check the key or the account that the model is used with. Send the message again to retry.`
      : statusCode === 404
        ? phrase`The model “${modelName}” did not answer: ${why}. Check the address and the id of the model. Send the message again to retry.`
        : phrase`The model “${modelName}” did not answer: ${why}. Send the message again to retry.`,
    mayPass(statusCode),
  );
}

/** Without a status there was no connection. */
function mayPass(statusCode: number | undefined): boolean {
  return statusCode === undefined || statusCode === 408 || statusCode === 429 || statusCode >= 500;
}

function failureText({ statusCode, errorMessage, failureKind }: EventData<'model.call_failure'>): string {
  if (statusCode !== undefined) return l10n.t`status ${statusCode}`;
  return failureKind === 'transport' ? l10n.t('no connection') : (errorMessage ?? l10n.t('unknown'));
}
