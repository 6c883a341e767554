/** The emitters of the sessions of this window, at the gateway. */
import * as l10n from '../../base/l10n.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { englishOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { EmittersOfSessions, SessionEmitters } from '../../pages/emitters/sessionEmitters.ts';
import type { OwnedSession } from '../../tap/owner/ownerClient.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { StreamDump } from '../../tap/wire/owner/ownerMessages.ts';
import type { StreamView } from '../../views/emitters/emitterRequest.ts';
import { isActive } from '../../views/emitters/emitterView.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { BridgeInfo } from '../../webviews/session/protocol.ts';
import { gatewayOffLine } from '../bridge/gateway/gatewayHealth.ts';
import { lendingLine } from '../bridge/session/lending.ts';
import type { SessionBridge } from '../bridge/session/sessionBridge.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';

/** How long a session may need to be registered at the gateway, which may have to be started. */
const REGISTER_MS = 15_000;
/** Of each stream, and characters of an event, in the page. */
const SHOWN_EVENTS = 50;
const MAX_TEXT = 1_000;

/** What of the bridge it needs. */
export interface JoinedWindow extends Pick<WindowBridge, 'health' | 'onDidChange'> {
  readonly bridge: Pick<WindowBridge['bridge'], 'get' | 'open' | 'onOwnerEvent'> & {
    readonly sessions: readonly { readonly bridge: Pick<SessionBridge, 'sessionId' | 'registered'> }[];
  };
}

export class WindowEmitters implements EmittersOfSessions, Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** How many a session has, and how many of them are active. */
  readonly onDidChange = this.#didChange.event;
  /** By the ids of sessions, by name: whether it is active. */
  readonly #known = new Map<string, Map<string, boolean>>();
  #registered: ReadonlySet<string> = new Set<string>();

  constructor(
    private readonly bridge: JoinedWindow,
    private readonly keep: (emitter: EmitterStatus, cwd: string | undefined) => Promise<void>,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {
    this.#store.add(bridge.onDidChange(() => this.#follow()));
    this.#store.add(
      bridge.bridge.onOwnerEvent((event) => {
        if (event.event === 'emitter/state') this.#heard(event.params.sessionId, event.params.emitter);
      }),
    );
  }

  whyNone(): string | undefined {
    const off = gatewayOffLine(this.bridge.health);
    return off === undefined ? undefined : l10n.sentencesText([l10n.t('Nothing can be watched.'), off]);
  }

  async of(session: SessionRef): Promise<SessionEmitters> {
    const why = this.whyNone();
    if (why !== undefined) throw new UserError(why);
    // A page asks each second. Only the user's own look makes a session the newest.
    if (!this.bridge.bridge.get(session)) this.bridge.bridge.open(session);
    const owned = await this.#owned(session);
    return ofOwned(owned, (emitter) => this.keep(emitter, this.bridge.bridge.get(session)?.cwd));
  }

  /** Of a session, for its page. Absent: it has none. */
  countOf(session: SessionRef): BridgeInfo['emitters'] {
    const joined = this.bridge.bridge.get(session);
    const known = joined && this.#known.get(joined.sessionId);
    if (!known || known.size === 0) return undefined;
    return { active: [...known.values()].filter(Boolean).length, all: known.size };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #owned(session: SessionRef): Promise<OwnedSession> {
    const { bridge } = this.bridge;
    const find = () => bridge.get(session)?.registered;
    const found = find();
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const listening = this.bridge.onDidChange(() => {
        const registered = find();
        if (!registered) return;
        end();
        resolve(registered);
      });
      const timer = this.clock.setTimer(() => {
        end();
        const joined = bridge.get(session);
        const why = joined ? lendingLine(joined.lending) : l10n.t('Its agent host is not connected.');
        const text = l10n.t('The tap gateway does not have this session, so nothing can be watched for it.');
        reject(new UserError(l10n.sentencesText([text, why])));
      }, REGISTER_MS);
      const end = () => {
        timer.dispose();
        listening.dispose();
      };
    });
  }

  /** What a session had before this window, and what it has once another gateway has it. */
  #follow(): void {
    const before = this.#registered;
    const now = this.bridge.bridge.sessions.flatMap(({ bridge: { sessionId, registered } }) =>
      registered ? [{ sessionId, registered }] : [],
    );
    this.#registered = new Set(now.map(({ sessionId }) => sessionId));
    for (const { sessionId, registered } of now.filter((one) => !before.has(one.sessionId)))
      registered.emitters.list().then(
        (all) => this.#set(sessionId, all),
        (error: unknown) => this.logger.debug(`The emitters of a session are not known: ${englishOf(error)}`),
      );
  }

  #set(sessionId: string, all: readonly EmitterStatus[]): void {
    this.#known.set(sessionId, new Map(all.map((emitter) => [emitter.name, isActive(emitter)])));
    this.#didChange.fire();
  }

  #heard(sessionId: string, emitter: EmitterStatus): void {
    const known = this.#known.get(sessionId) ?? new Map<string, boolean>();
    this.#known.set(sessionId, known);
    if (known.get(emitter.name) === isActive(emitter)) return;
    known.set(emitter.name, isActive(emitter));
    this.#didChange.fire();
  }
}

function ofOwned(owned: OwnedSession, keep: (emitter: EmitterStatus) => Promise<void>): SessionEmitters {
  const { emitters } = owned;
  return {
    list: () => emitters.list(),
    streams: async () => (await owned.streams(SHOWN_EVENTS)).map(streamView),
    start: (emitter) => emitters.start(emitter),
    stop: (name) => emitters.stop(name),
    run: (name) => emitters.run(name),
    setFilter: (name, filter) => emitters.setFilter(name, filter),
    preview: (name, filter) => emitters.preview(name, filter),
    setInjector: (name, enabled) => emitters.setInjector(name, enabled),
    keep: async (name) => {
      const emitter = (await emitters.list()).find((one) => one.name === name);
      if (!emitter) throw new UserError(l10n.t`“${name}” is not watched for this session any more.`);
      await keep(emitter);
    },
  };
}

function streamView({ provider, stream, entries }: StreamDump): StreamView {
  const events = entries.map(({ ts, level, event }) => ({
    at: ts,
    level,
    text: event.length > MAX_TEXT ? `${event.slice(0, MAX_TEXT)}…` : event,
  }));
  return { provider, name: stream, events };
}
