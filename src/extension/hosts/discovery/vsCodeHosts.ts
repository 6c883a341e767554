/** The agent hosts of VS Code on this computer: which are offered, which the user has agreed to, and how to connect to those. */
import * as l10n from '../../../base/l10n.ts';
import { connectNodeTransport } from '../../../ahp/client/nodeTransport.ts';
import { parseHostUrl } from '../../../ahp/client/connection/hostUrl.ts';
import type { TransportFactory } from '../../../ahp/client/transport.ts';
import type { Clock } from '../../../base/clock.ts';
import { englishOf, messageOf, UserError } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { CountedWarnings } from '../../../base/connection/countedWarnings.ts';
import type { HostAnswer, HostAnswers } from './hostAnswers.ts';
import type { LocalHost } from './localHosts.ts';

const LOOK_MS = 30_000;

export interface VsCodeHostsOptions {
  find(): Promise<LocalHost[]>;
  answers: Pick<HostAnswers, 'all' | 'of' | 'set'>;
  /** Hosts may be offered. */
  offers(): boolean;
  clock: Clock;
  logger: Logger;
}

export type NamedHost = Pick<LocalHost, 'id' | 'label'>;

export class VsCodeHosts implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Hosts were found or are gone, or the user has answered. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #warnings: CountedWarnings;
  #found: NamedHost[] = [];
  /** As they were last read. */
  #answers: readonly HostAnswer[] = [];
  /** What `onDidChange` has told of. */
  #told = '';
  #timer: Disposable | undefined;

  constructor(private readonly options: VsCodeHostsOptions) {
    this.#warnings = new CountedWarnings(options.logger);
  }

  /** Those that run and whose entry passes all checks, as they were last seen. */
  get found(): readonly NamedHost[] {
    return this.#found;
  }

  /** About which the user has not been asked. */
  get offered(): readonly NamedHost[] {
    const answered = new Set(this.#answers.map(({ id }) => id));
    return this.options.offers() ? this.#found.filter(({ id }) => !answered.has(id)) : [];
  }

  /** To which the user wants to be connected, whether they run or not. */
  get accepted(): readonly NamedHost[] {
    return this.#answers.flatMap(({ id, label, answer }) => (answer === 'connect' ? [{ id, label }] : []));
  }

  /**
   * Looks now, and from then on every half minute: for answers that were given in other windows, and for hosts where they may be offered or the
   * user asks for them.
   */
  async look(isAsked = false): Promise<void> {
    this.#timer?.dispose();
    if (this.#store.isDisposed) return;
    this.#timer = this.options.clock.setTimer(() => void this.look(), LOOK_MS);
    // Their tokens are read when they are needed.
    if (isAsked || this.options.offers()) this.#found = (await this.options.find()).map(({ id, label }) => ({ id, label }));
    try {
      this.#answers = await this.options.answers.all();
    } catch (error) {
      this.#warnings.warn('answers', `What you have answered about agent hosts of VS Code cannot be read: ${englishOf(error)}`);
    }
    this.#tell();
  }

  /** Remembered for all windows on this computer. */
  async answer({ id, label }: NamedHost, answer: HostAnswer['answer']): Promise<void> {
    await this.options.answers.set({ id, label, answer });
    this.#answers = await this.options.answers.all();
    this.#tell();
  }

  /**
   * Each attempt asks again whether the user wants it, because another window may have taken that back, and reads the entry anew, with all
   * checks: a host that has started again has another address and another token. The token is kept nowhere else.
   */
  transport({ id, label }: NamedHost): TransportFactory {
    return async (_url, signal) => {
      if ((await this.options.answers.of(id)) !== 'connect')
        throw new UserError(l10n.t`You have not agreed to connect to the agent host of ${label}.`);
      const host = (await this.options.find()).find((one) => one.id === id);
      if (!host)
        throw new UserError(
          l10n.t`The agent host of ${label} is not running here, or what it wrote about itself is not safe to use. Start it.`,
        );
      const url = parseHostUrl(host.address, host.token);
      try {
        return await connectNodeTransport()(url?.connect ?? '', signal);
      } catch (error) {
        // Neither the address nor the token is something that the user could correct.
        throw new UserError(l10n.t`The agent host of ${label} cannot be reached: ${messageOf(error)}. Start it again.`);
      }
    };
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #tell(): void {
    const now = JSON.stringify([this.#found, this.#answers]);
    if (now !== this.#told) this.#onDidChange.fire();
    this.#told = now;
  }
}
