import { systemClock } from '../base/clock.ts';
import { endWhenIdle } from '../base/server/endWhenIdle.ts';
import type { HostServer } from './server/hostServer.ts';

type Activity = Pick<HostServer, 'clientCount' | 'isBusy' | 'onDidChangeActivity'>;

/** Decides when a daemon ends: after it was idle for a while, or at once when it is idle and another one waits. */
export class DaemonLife {
  #server: Activity | undefined;
  /** A newer version waits. */
  #isRetiring = false;

  constructor(
    private readonly idleMs: number,
    private readonly end: (why: string) => void,
  ) {}

  watch(server: Activity): void {
    this.#server = server;
    const isInUse = () => this.#isInUse;
    const onDidChange = server.onDidChangeActivity;
    endWhenIdle({ isInUse, onDidChange }, systemClock, this.idleMs, () => this.end(`nobody has used it for ${this.idleMs / 1000} s`));
    onDidChange(() => this.#retireIfIdle());
    this.#retireIfIdle();
  }

  /**
   * True when it ends now. One that is in use ends for a newer version once nobody uses it any more. It forgets a wish for another language: the window
   * that had it uses this one now, and the next window may want its language.
   */
  retire(answered: Promise<void>, isForLanguage: boolean): boolean {
    this.#isRetiring ||= !isForLanguage;
    if (!this.#server || this.#isInUse) return false;
    const why = isForLanguage ? 'one in another language takes over' : 'a newer version takes over';
    void answered.then(() => this.end(why));
    return true;
  }

  get #isInUse(): boolean {
    return this.#server !== undefined && (this.#server.clientCount > 0 || this.#server.isBusy);
  }

  #retireIfIdle(): void {
    if (this.#isRetiring && !this.#isInUse) this.end('a newer version takes over');
  }
}
