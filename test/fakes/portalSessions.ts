import { Emitter, type Event } from '../../src/base/event.ts';
import { toDisposable } from '../../src/base/lifecycle.ts';
import { nullLogger } from '../../src/base/log.ts';
import type { PersonAnswer } from '../../src/portal/runs/personAnswer.ts';
import type { PortalSession, SessionFactory, SessionRequest, StartedTool, UnaskedCall } from '../../src/portal/tasks/portalSession.ts';
import { SessionLeases } from '../../src/portal/tasks/sessionLeases.ts';
import { FakeClock } from './fakeClock.ts';

/** What a model does with a prompt: it calls tools, and then ends its turn, crashes or goes on until it is stopped. */
export interface Reply {
  tools?: [name: string, argument: unknown][];
  /** What somebody answers meanwhile. */
  answers?: PersonAnswer[];
  crash?: unknown;
  hangs?: boolean;
  /** Microtasks until the answer. */
  turns?: number;
}

export class FakeSession implements PortalSession {
  readonly prompts: string[] = [];
  readonly #tools = new Emitter<StartedTool>();
  /** Who listens to its tools. */
  listeners = 0;
  readonly onDidStartTool: Event<StartedTool> = (listener) => {
    this.listeners++;
    const listening = this.#tools.event(listener);
    return toDisposable(() => (this.listeners--, listening.dispose()));
  };
  readonly #unasked = new Emitter<UnaskedCall>();
  readonly onDidRunUnasked = this.#unasked.event;
  readonly #answers = new Emitter<PersonAnswer>();
  readonly onDidAnswer = this.#answers.event;
  readonly #acts = new Emitter<void>();
  readonly onDidAct = this.#acts.event;
  used = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };
  isWaiting = false;
  stops = 0;
  /** Turns that were cancelled. */
  cancelled = 0;
  /** Where it works. */
  folder: string | undefined;
  #reply: (prompt: string, session: FakeSession) => Reply;

  constructor(
    readonly id: string,
    readonly model: string,
    reply: (prompt: string, session: FakeSession) => Reply,
  ) {
    this.#reply = reply;
  }

  async send(prompt: string, signal: AbortSignal): Promise<void> {
    this.prompts.push(prompt);
    const { tools = [], answers = [], crash, hangs, turns = 1 } = this.#reply(prompt, this);
    const cancel = () => this.cancelled++;
    signal.addEventListener('abort', cancel);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    for (const answer of answers) this.#answers.fire(answer);
    for (const [name, argument] of tools) this.call(name, argument);
    if (hangs) await new Promise(() => undefined);
    signal.removeEventListener('abort', cancel);
    if (crash !== undefined) throw crash;
  }

  call(name: string, argument: unknown): void {
    this.#tools.fire({ name, argument });
  }

  /** Something happens in it, by which it has used so much more. */
  act({ modelCalls = 0, toolCalls = 0, inputTokens = 0, outputTokens = 0 }: Partial<FakeSession['used']> = {}): void {
    const { used } = this;
    this.used = {
      modelCalls: used.modelCalls + modelCalls,
      toolCalls: used.toolCalls + toolCalls,
      inputTokens: used.inputTokens + inputTokens,
      outputTokens: used.outputTokens + outputTokens,
    };
    this.#acts.fire();
  }

  ranUnasked(call: UnaskedCall): void {
    this.#unasked.fire(call);
  }

  answered(answer: PersonAnswer): void {
    this.#answers.fire(answer);
  }

  /** What it was told in a turn that runs. */
  readonly steered: string[] = [];

  async steer(text: string, by: string): Promise<string | undefined> {
    this.steered.push(text);
    this.#answers.fire({ about: 'turn', answer: 'steered', by, input: text });
    return undefined;
  }

  /** When what was cancelled has come to its end. */
  rested: Promise<void> | undefined;

  async atRest(): Promise<void> {
    await this.rested;
  }

  /** When a stop has come to its end. */
  stopped: Promise<void> | undefined;

  stop(): Promise<void> | void {
    this.stops++;
    return this.stopped;
  }
}

/** Sessions whose models follow a script. */
export class FakeSessions implements SessionFactory {
  readonly started: FakeSession[] = [];
  readonly requests: SessionRequest[] = [];
  /** Called before each start; throws, or makes it wait. */
  beforeStart: () => void | Promise<void> = () => undefined;
  reply: (prompt: string, session: FakeSession) => Reply;

  constructor(reply: (prompt: string, session: FakeSession) => Reply = () => ({})) {
    this.reply = reply;
  }

  async start(request: SessionRequest): Promise<FakeSession> {
    this.requests.push(request);
    await this.beforeStart();
    return this.create(request.model);
  }

  create(model: string): FakeSession {
    const session = new FakeSession(`session-${this.started.length}`, model, (prompt, own) => this.reply(prompt, own));
    this.started.push(session);
    return session;
  }

  /** Each prompt with the model that got it, in order within a session. */
  get prompts(): string[] {
    return this.started.flatMap(({ model, prompts }) => prompts.map((prompt) => `${model}: ${prompt}`));
  }

  get alive(): FakeSession[] {
    return this.started.filter(({ stops }) => stops === 0);
  }

  /** For runs of tasks and jobs. Task ids are `task-0`, `task-1` and so on. */
  context() {
    let tasks = 0;
    return { sessions: this, leases: new SessionLeases(), clock: new FakeClock(), logger: nullLogger, newId: () => `task-${tasks++}` };
  }
}
