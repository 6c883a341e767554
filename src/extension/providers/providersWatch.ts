/** What is shown of providers. Some of it only the gateway knows, which is asked while the rows are visible. */
import { englishOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { StreamDump } from '../../tap/wire/owner/ownerMessages.ts';
import type { ProvidersFacts, WindowSession } from '../../views/providers/facts.ts';
import { lendingLine } from '../bridge/session/lending.ts';
import type { SessionBridge } from '../bridge/session/sessionBridge.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

/** The gateway does not report events that a provider only keeps in a stream, so the streams are read again and again. */
const ASK_EVERY_MS = 2_000;
/** After a report of the gateway. A burst of them is followed by one question. */
const ASK_SOON_MS = 300;
const SHOWN_EVENTS = 5;

export class ProvidersWatch implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  readonly #streams = new WeakMap<SessionBridge, StreamDump[]>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly window: WindowBridge,
    private readonly logger: Logger,
  ) {
    this.#store.add(window.onDidChange(() => this.#didChange.fire()));
    this.#store.add(window.bridge.switches.onDidChange(() => this.#didChange.fire()));
    this.#store.add(
      window.bridge.onOwnerEvent(({ event }) => {
        // Nobody looks, or these come often and change nothing here.
        if (this.#timer === undefined || event === 'provider/output' || event === 'tool/progress') return;
        this.#soon ??= setTimeout(() => this.refresh(), ASK_SOON_MS);
      }),
    );
  }

  /** The user has, or has had, a provider, or has asked for them. */
  get areProvidersShown(): boolean {
    return this.window.areProvidersShown;
  }

  get facts(): ProvidersFacts {
    const { health, url, bridge } = this.window;
    return {
      gateway: health,
      url,
      sessions: bridge.sessions.map(({ ref, bridge: session }) => this.#session(ref, session)),
      isProviderOn: (provider) => bridge.switches.isProviderOn(provider),
      now: Date.now(),
    };
  }

  setVisible(isVisible: boolean): void {
    clearInterval(this.#timer);
    this.#timer = isVisible ? setInterval(() => this.refresh(), ASK_EVERY_MS) : undefined;
    if (isVisible) this.refresh();
  }

  /** Asks the gateway again, if the rows are visible. */
  refresh(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#timer === undefined) return;
    this.window.askHealth();
    for (const { bridge } of this.window.bridge.sessions) void this.#readStreams(bridge);
  }

  dispose(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#store.dispose();
  }

  #session({ hostId, uri }: SessionRef, session: SessionBridge): WindowSession {
    const { switches } = this.window.bridge;
    const leftOut = new Map(session.selection.leftOut.map(({ tool, why }) => [tool, why]));
    return {
      hostId,
      uri,
      sessionId: session.sessionId,
      title: session.title,
      isForeground: session.isForeground,
      lending: session.lending.kind,
      lendingLine: lendingLine(session.lending),
      tools: session.offered.map((tool) => ({ tool, state: leftOut.get(tool) ?? switches.of(tool) })),
      streams: this.#streams.get(session) ?? [],
    };
  }

  async #readStreams(session: SessionBridge): Promise<void> {
    try {
      this.#streams.set(session, await session.streams(SHOWN_EVENTS));
      this.#didChange.fire();
    } catch (error) {
      this.logger.debug(`Reading the streams of a session: ${englishOf(error)}`);
    }
  }
}
