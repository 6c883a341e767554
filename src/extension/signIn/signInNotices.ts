/** Tells the user when a host says that it needs a sign-in, once for each thing and not too often: a host may say so as often as it wants. */
import * as l10n from '../../base/l10n.ts';
import type { ProtectedResourceMetadata } from '../../ahp/common/shapes.ts';
import type { HostNotification } from '../../ahp/dialects/dialect.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { resourceName, signInReason } from '../../views/hosts/signInRequest.ts';
import type { ClosableNotification } from '../notifications.ts';

/** For the same thing of the same host, also after the notification was closed. */
const QUIET_MS = 10 * 60_000;
/** Of one host at a time. */
const MAX_OPEN = 3;
/** Things of one host that are remembered. */
const MAX_KNOWN = 100;

export interface NoticeHost {
  readonly label: string;
  readonly readOnly: string | undefined;
  readonly client: { readonly onNotification: Event<HostNotification>; readonly onDidChangeState: Event<{ readonly kind: string }> };
}

export interface SignInNoticesOptions<H extends NoticeHost> {
  readonly hosts: { readonly all: readonly H[]; readonly onDidChange: Event<void> };
  readonly clock: Clock;
  /** Gives the host what the user has agreed to before. True when it has taken that. Must not reject. */
  giveAgain(host: H, resource: ProtectedResourceMetadata): Promise<boolean>;
  signIn(host: H, resource: ProtectedResourceMetadata): Promise<boolean>;
  show(notification: ClosableNotification): Disposable;
}

interface Heard extends Disposable {
  /** When the user was last told, by resource, in ms. */
  readonly toldAt: Map<string, number>;
  /** What was given again over this connection. Whoever asks for it once more has no use for that. */
  givenAgain: Set<string>;
  readonly open: Map<string, Disposable>;
}

export class SignInNotices<H extends NoticeHost> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #heard = new Map<H, Heard>();

  constructor(private readonly options: SignInNoticesOptions<H>) {
    this.#store.add(options.hosts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  dispose(): void {
    this.#store.dispose();
    for (const host of [...this.#heard.keys()]) this.#leave(host);
  }

  #follow(): void {
    const { all } = this.options.hosts;
    for (const host of [...this.#heard.keys()]) if (!all.includes(host)) this.#leave(host);
    for (const host of all) {
      if (this.#heard.has(host) || host.readOnly !== undefined) continue;
      const open = new Map<string, Disposable>();
      const listening = new DisposableStore();
      const heard: Heard = {
        toldAt: new Map(),
        givenAgain: new Set(),
        open,
        dispose() {
          listening.dispose();
          for (const one of open.values()) one.dispose();
        },
      };
      listening.add(host.client.onNotification((notification) => this.#receive(host, notification)));
      listening.add(host.client.onDidChangeState(({ kind }) => kind !== 'connected' && (heard.givenAgain = new Set())));
      this.#heard.set(host, heard);
    }
  }

  #leave(host: H): void {
    this.#heard.get(host)?.dispose();
    this.#heard.delete(host);
  }

  #receive(host: H, notification: HostNotification): void {
    const heard = this.#heard.get(host);
    if (!heard || notification.type !== 'notify/authRequired') return;
    const resource = notification.metadata ?? { resource: notification.resource };
    const key = resource.resource;
    const now = this.options.clock.now();
    const { toldAt, open } = heard;
    const before = toldAt.get(key);
    if (open.has(key) || open.size >= MAX_OPEN || (before !== undefined && now - before < QUIET_MS)) return;
    if (before === undefined && toldAt.size >= MAX_KNOWN) return;
    toldAt.set(key, now);
    void this.#tell(host, heard, resource, notification.reason ?? 'required');
  }

  async #tell(host: H, heard: Heard, resource: ProtectedResourceMetadata, reason: string): Promise<void> {
    const { toldAt, givenAgain, open } = heard;
    const key = resource.resource;
    const mayGive = reason !== 'insufficientScope' && !givenAgain.has(key);
    const isGiven = mayGive && (await this.options.giveAgain(host, resource));
    if (isGiven) givenAgain.add(key);
    if (this.#heard.get(host) !== heard) return;
    // After a lost connection the host says again what it lacks.
    if (isGiven || heard.givenAgain !== givenAgain || open.size >= MAX_OPEN) {
      toldAt.delete(key);
      return;
    }
    const close = () => {
      open.get(key)?.dispose();
      open.delete(key);
    };
    const signIn = async () => {
      close();
      await this.options.signIn(host, resource);
    };
    const text = `${host.label}: ${resourceName(resource)}. ${signInReason({ reason })}`;
    open.set(key, this.options.show({ text, links: [{ label: l10n.t('Sign in'), run: signIn }], onDismissed: close }));
  }
}
