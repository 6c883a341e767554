/** Joins the sessions of this window with the tap gateway: which sessions those are, the connection to the gateway, and the user's switch for it all. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sha256 } from '../../base/node/sha256.ts';
import type { Logger } from '../../base/log.ts';
import type { OwnerClient, OwnerEndpoint, OwnerEvent } from '../../tap/owner/ownerClient.ts';
import { type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import type { AskUser } from '../questions/toolQuestions.ts';
import type { HostSession } from './hosted/hostedSession.ts';
import type { SessionBridge } from './session/sessionBridge.ts';
import type { TraceChoice } from './session/turnTraces.ts';
import { CallMemory } from './storage/callMemory.ts';
import { ProviderMemory } from './storage/providerMemory.ts';
import { TurnMemory } from './storage/turnMemory.ts';
import { keep, type Storage } from './storage/storage.ts';
import { ToolSwitches } from './tools/toolSwitches.ts';

/** A host that this window is connected to. Another object once there is another connection. */
export interface BridgedHost {
  openSession(uri: string): HostSession;
  /** As far as its list of sessions says. */
  isRunning(uri: string): boolean;
}

/** What joins a session to the gateway. */
export interface BridgeParts {
  readonly OwnerClient: typeof OwnerClient;
  readonly SessionBridge: typeof SessionBridge;
}

export interface BridgeOptions {
  /** Undefined while the host is not listed, and for one that nothing can be sent to. */
  host(hostId: string): BridgedHost | undefined;
  /** Finds the gateway, or starts it. */
  findGateway(): Promise<OwnerEndpoint>;
  ask: AskUser;
  /** Whether there are to be traces. Absent: there are none. */
  traces?(): TraceChoice;
  /** Absent: they are loaded with the first session. */
  parts?: BridgeParts;
  loadParts?(): Promise<BridgeParts>;
  /** The parts could not be loaded, so that no session has its tools. They are loaded again with the next session or host, or by `tryAgain`. */
  onLoadFailure?(error: unknown, tryAgain: () => void): void;
  /** The secret of this window, so that the gateway keeps its calls while it is loaded again. Absent: it keeps none. */
  ownerKey?: string;
  /** The workspace is. Otherwise nothing starts again by itself. Absent: it is. */
  isTrusted?(): boolean;
  /** Of the workspace. */
  storage: Storage;
  logger: Logger;
  clock?: Clock;
}

/** Sessions that are kept at the gateway. The one that the user has not looked at for the longest time goes first. */
const MAX_SESSIONS = 30;
const STORAGE_KEY = 'tapline.bridgedSessions';
const NO_TRACES: TraceChoice = { isOn: false, hasContent: false };

interface Entry {
  readonly ref: SessionRef;
  readonly host: BridgedHost;
  readonly bridge: SessionBridge;
  readonly store: DisposableStore;
}

export class Bridge implements Disposable {
  readonly switches: ToolSwitches;
  readonly #memory: CallMemory;
  readonly #providerMemory: ProviderMemory;
  readonly #turnMemory: TurnMemory;
  readonly #didChange = new Emitter<void>();
  /** The gateway, the sessions, or what one of them is lent changed. */
  readonly onDidChange = this.#didChange.event;
  readonly #didTell = new Emitter<void>();
  /** A session has something to say, in its timeline or of its calls. */
  readonly onDidTell = this.#didTell.event;
  readonly #ownerEvent = new Emitter<OwnerEvent>();
  /** The gateway's events, also after it was connected again. */
  readonly onOwnerEvent = this.#ownerEvent.event;
  readonly #clock: Clock;
  /** Of the sessions that the user has opened here, by key; the newest last. */
  readonly #opened = new Map<string, SessionRef>();
  /** From before the window was reloaded. They are joined again if their turn still runs. */
  readonly #before = new Map<string, SessionRef>();
  readonly #entries = new Map<string, Entry>();
  #foreground: string | undefined;
  #owner: OwnerClient | undefined;
  #parts: BridgeParts | undefined;
  #loading: Promise<void> | undefined;
  #isDisposed = false;
  #isOn = false;

  constructor(private readonly options: BridgeOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#parts = options.parts;
    this.switches = new ToolSwitches(options.storage);
    const where = { storage: options.storage, clock: this.#clock, logger: options.logger };
    this.#memory = new CallMemory(where);
    this.#providerMemory = new ProviderMemory(where);
    this.#turnMemory = new TurnMemory(where);
    const kept = options.storage.get(STORAGE_KEY);
    for (const key of Array.isArray(kept) ? kept.slice(-MAX_SESSIONS) : []) {
      const ref = typeof key === 'string' ? refOf(key) : undefined;
      if (ref) this.#before.set(key as string, ref);
    }
  }

  /** The connection to the gateway; undefined while it is not needed, or switched off. */
  get owner(): OwnerClient | undefined {
    return this.#owner;
  }
  get sessions(): { ref: SessionRef; bridge: SessionBridge }[] {
    return [...this.#entries.values()];
  }
  get(ref: SessionRef): SessionBridge | undefined {
    return this.#entries.get(sessionKey(ref))?.bridge;
  }

  /** Off: the tools are withdrawn at once, what runs is ended, and there is no connection to the gateway. `reason` is for the models of calls that run. */
  setOn(isOn: boolean, reason: string): void {
    if (this.#isOn === isOn) return;
    this.#isOn = isOn;
    if (isOn) {
      for (const key of this.#memory.sessions) {
        const ref = refOf(key);
        if (ref && !this.#opened.has(key)) this.#opened.set(key, ref);
      }
      this.hostsChanged();
      return;
    }
    for (const key of [...this.#entries.keys()]) this.#drop(key, reason);
    this.#owner?.dispose();
    this.#owner = undefined;
    this.#didChange.fire();
  }

  /** The user has opened this session here. */
  open(ref: SessionRef): void {
    const key = sessionKey(ref);
    const isNewest = [...this.#opened.keys()].at(-1) === key;
    if (isNewest && this.#entries.has(key)) return;
    this.#opened.delete(key);
    this.#opened.set(key, ref);
    this.#before.delete(key);
    for (const oldest of [...this.#opened.keys()].slice(0, -MAX_SESSIONS)) {
      this.#opened.delete(oldest);
      // eslint-disable-next-line texts/translated -- for the model
      this.#drop(oldest, 'The window that ran this tool has left the session.');
    }
    if (!isNewest) this.#keepOpened();
    this.hostsChanged();
  }

  /** The user looks at this session; undefined: at none. */
  setForeground(ref: SessionRef | undefined): void {
    this.#foreground = ref && sessionKey(ref);
    for (const [key, { bridge }] of this.#entries) bridge.setForeground(key === this.#foreground);
  }

  /** Hosts have come or gone, or are reached by another connection. */
  hostsChanged(): void {
    if (!this.#isOn) return;
    for (const [key, ref] of this.#before) {
      if (!this.options.host(ref.hostId)?.isRunning(ref.uri)) continue;
      this.#before.delete(key);
      if (!this.#opened.has(key)) this.#opened.set(key, ref);
    }
    for (const [key, ref] of this.#opened) {
      const host = this.options.host(ref.hostId);
      const entry = this.#entries.get(key);
      if (entry && entry.host !== host) this.#drop(key, undefined);
      if (!host || this.#entries.has(key)) continue;
      if (this.#parts) this.#add(key, ref, host, this.#parts);
      else this.#loading ??= this.#load();
    }
  }

  /** The window goes. Running calls stay remembered for the next one. */
  dispose(): void {
    this.#isDisposed = true;
    for (const key of [...this.#entries.keys()]) this.#drop(key, undefined);
    this.#owner?.dispose();
    for (const memory of [this.#memory, this.#providerMemory, this.#turnMemory]) memory.dispose();
    this.#didChange.dispose();
    this.#didTell.dispose();
    this.#ownerEvent.dispose();
  }

  #keepOpened(): void {
    const keys = [...this.#before.keys(), ...this.#opened.keys()].slice(-MAX_SESSIONS);
    keep(this.options.storage, STORAGE_KEY, keys, this.options.logger);
  }

  async #load(): Promise<void> {
    try {
      this.#parts = await (this.options.loadParts ?? loadParts)();
    } catch (error) {
      this.options.logger.error(`Sessions cannot be joined to the gateway: ${englishOf(error)}`);
      if (!this.#isDisposed) this.options.onLoadFailure?.(error, () => this.#isDisposed || this.hostsChanged());
      return;
    } finally {
      this.#loading = undefined;
    }
    if (!this.#isDisposed) this.hostsChanged();
  }

  #add(key: string, ref: SessionRef, host: BridgedHost, parts: BridgeParts): void {
    const { logger } = this.options;
    const store = new DisposableStore();
    const bridge = store.add(
      new parts.SessionBridge({
        key,
        sessionId: sessionIdOf(key),
        host: host.openSession(ref.uri),
        owner: this.#connect(parts),
        switches: this.switches,
        memory: this.#memory,
        providerMemory: this.#providerMemory,
        turnMemory: this.#turnMemory,
        traces: () => this.options.traces?.() ?? NO_TRACES,
        ask: this.options.ask,
        clock: this.#clock,
        logger,
      }),
    );
    store.add(bridge.onDidChange(() => this.#didChange.fire()));
    for (const event of [bridge.timeline.onDidChange, bridge.onDidChangeCallProviders]) store.add(event(() => this.#didTell.fire()));
    this.#entries.set(key, { ref, host, bridge, store });
    bridge.setForeground(key === this.#foreground);
    this.#didChange.fire();
  }

  /** With a reason for its models, its tools are withdrawn and what runs is ended. */
  #drop(key: string, reason: string | undefined): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    if (reason === undefined) entry.bridge.leave();
    else entry.bridge.close(reason);
    entry.store.dispose();
    this.#didChange.fire();
  }

  /** Connects only once there is a session, because a window without one needs no gateway. */
  #connect({ OwnerClient }: BridgeParts): OwnerClient {
    if (this.#owner) return this.#owner;
    const { findGateway: find, isTrusted = () => true, logger, ownerKey: key } = this.options;
    // eslint-disable-next-line texts/translated -- for the gateway
    const about = { name: 'VS Code window', find, isTrusted, logger, clock: this.#clock };
    const owner = new OwnerClient({ ...about, ...(key !== undefined && { key }) });
    owner.onDidChangeState(() => this.#didChange.fire());
    owner.onEvent((event) => this.#ownerEvent.fire(event));
    this.#owner = owner;
    return owner;
  }
}

async function loadParts(): Promise<BridgeParts> {
  const [{ OwnerClient }, { SessionBridge }] = await Promise.all([
    import('../../tap/owner/ownerClient.ts'),
    import('./session/sessionBridge.ts'),
  ]);
  return { OwnerClient, SessionBridge };
}

function refOf(key: string): SessionRef | undefined {
  const [hostId, uri, ...more] = key.split('\n');
  return hostId !== undefined && uri !== undefined && more.length === 0 ? { hostId, uri } : undefined;
}

/** Stable: providers that come back ask for the session that they were bound to. */
export function sessionIdOf(key: string): string {
  return `tapline-${sha256(key).slice(0, 32)}`;
}
