/** Sends a prompt to its session as its plan says, when the session is idle. */
import type { Span } from '@opentelemetry/api';
import type { Disposable } from '../../base/lifecycle.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { InjectQueue, Inject } from '../sessions/injectQueue.ts';
import type { Runner, RunnerHost } from './commandEmitter.ts';
import { PromptSource } from './promptSource.ts';
import { RunPlan, scheduleOf } from './runPlan.ts';

export interface PromptHost extends RunnerHost {
  /** See {@link PromptSource.account}. What a model has written is not given to the agent as the user's words. */
  readonly account: string | undefined;
  readonly inbox: InjectQueue;
  /** It is being sent, in this span. */
  sent(run: number): Span | undefined;
}

const BUSY = 'the session is busy';

export class PromptEmitter implements Runner {
  #plan: RunPlan;
  #state: EmitterStatus['state'] = 'stopped';
  readonly #source: PromptSource;
  #attached: Disposable | undefined;
  readonly pid = undefined;
  readonly lastEnd = undefined;

  constructor(
    private readonly spec: EmitterSpec & { readonly prompt: string },
    about: Pick<Inject, 'provider' | 'stream'>,
    private readonly host: PromptHost,
  ) {
    this.#plan = this.#newPlan();
    const { account } = host;
    const inject = { ...about, text: cleanText(spec.prompt, Limit.emitterText), isPrompt: account === undefined };
    this.#source = new PromptSource({ inject, account, whenIdle: spec.runInterval === 'idle', taken: () => this.#taken() });
  }

  get state(): EmitterStatus['state'] {
    return this.#state;
  }
  get plan(): RunPlan {
    return this.#plan;
  }
  get isPaused(): boolean {
    return this.#source.isPaused;
  }

  runNow(): string | undefined {
    const isFirst = this.#state !== 'waiting';
    if (isFirst) {
      this.#plan = this.#newPlan();
      this.#attached = this.host.inbox.attach(this.#source);
      this.#enter('waiting');
    }
    const { runs, schedule } = this.#plan;
    if (schedule === 'timed') this.#plan.runNow();
    else {
      this.#source.want();
      this.host.inbox.poke();
    }
    return isFirst || this.#plan.runs > runs ? undefined : BUSY;
  }

  async stop(): Promise<void> {
    this.#end();
    if (this.#state === 'waiting') this.#enter('stopped');
  }

  #newPlan(): RunPlan {
    const { clock } = this.host;
    return new RunPlan({ schedule: scheduleOf(this.spec), maxRuns: this.spec.maxRuns, clock, run: () => this.#run() });
  }

  /** With an interval a busy session is left alone until the next one has passed. */
  #run(): void {
    if (this.#plan.schedule !== 'timed') return this.#plan.ended();
    this.#source.want();
    this.host.inbox.poke();
    this.#plan.ended(!this.#source.giveUp());
    if (this.#plan.isOver) this.#over();
    else this.host.changed();
  }

  #taken(): Span | undefined {
    if (this.#plan.schedule !== 'timed') this.#plan.runNow();
    const span = this.host.sent(this.#plan.runs);
    if (this.#plan.schedule === 'timed') return span;
    if (this.#plan.isOver) this.#over();
    else this.host.changed();
    return span;
  }

  #over(): void {
    this.#end();
    this.#enter('ended');
    this.host.over('its last run is over', 'keep');
  }

  #end(): void {
    this.#plan.stop();
    this.#source.giveUp();
    this.#attached?.dispose();
    this.#attached = undefined;
  }

  #enter(state: EmitterStatus['state']): void {
    this.#state = state;
    this.host.changed();
  }
}
