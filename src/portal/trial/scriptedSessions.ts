/** Sessions of a trial. There is no host and no model behind them: a script says which tools are called, and nothing is done. */
import { Emitter } from '../../base/event.ts';
import { DEFAULT_LIMITS, type Limits } from '../limits/taskLimits.ts';
import type { PersonAnswer } from '../runs/personAnswer.ts';
import type { PortalSession, SessionFactory, SessionRequest, StartedTool, UnaskedCall } from '../tasks/portalSession.ts';
import { NOTHING_RUNS } from '../tasks/taskSessions.ts';
import type { ScriptedTurn } from './scriptedModel.ts';

/** What is to happen in the session with this id, which has just been sent a prompt. */
export type OnPrompt = (sessionId: string) => ScriptedTurn & { limits: Limits | undefined };

const BREATH_AFTER = 20;

export class ScriptedSessions implements SessionFactory {
  readonly #onPrompt: OnPrompt;
  readonly #folders = new Map<string, string>();
  /** All that start wait for it alike, so that none gets ahead of what runs beside it. */
  #breath: Promise<void> = Promise.resolve();

  constructor(onPrompt: OnPrompt) {
    this.#onPrompt = onPrompt;
  }

  async start({ model, workingDirectory = '' }: SessionRequest): Promise<PortalSession> {
    const session = new ScriptedSession(`scripted-${this.#folders.size}`, model, this.#onPrompt);
    this.#folders.set(session.id, workingDirectory);
    // A long trial lets others work: nothing in it waits for anything.
    if (this.#folders.size % BREATH_AFTER === 0) this.#breath = new Promise((resolve) => setTimeout(resolve));
    await this.#breath;
    return session;
  }

  folderOf(sessionId: string): string {
    return this.#folders.get(sessionId) ?? '';
  }
}

class ScriptedSession implements PortalSession {
  readonly id: string;
  readonly model: string;
  readonly #onPrompt: OnPrompt;
  readonly #tools = new Emitter<StartedTool>();
  readonly #acts = new Emitter<void>();
  readonly onDidStartTool = this.#tools.event;
  readonly onDidAct = this.#acts.event;
  /** Neither ever fires: nobody is asked anything. */
  readonly onDidRunUnasked = new Emitter<UnaskedCall>().event;
  readonly onDidAnswer = new Emitter<PersonAnswer>().event;
  readonly isWaiting = false;
  used = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

  constructor(id: string, model: string, onPrompt: OnPrompt) {
    this.id = id;
    this.model = model;
    this.#onPrompt = onPrompt;
  }

  async send(): Promise<void> {
    const { calls, isOverLimit, limits } = this.#onPrompt(this.id);
    for (const { tool, argument } of calls) this.#tools.fire({ name: tool, argument });
    if (!isOverLimit) return;
    const toolCalls = this.used.toolCalls + (limits?.toolCalls ?? DEFAULT_LIMITS.toolCalls) + 1;
    this.used = { ...this.used, toolCalls };
    this.#acts.fire();
  }

  async steer(): Promise<string> {
    return NOTHING_RUNS;
  }

  stop(): void {
    this.#tools.dispose();
    this.#acts.dispose();
  }
}
