/** Starts sessions at the agent host, over the same protocol as any client, and knows those that the portal has started. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { SessionConfigSchema } from '../../ahp/channels/shapes/config.ts';
import { FIRST_MODEL } from '../../ahp/sessionMetaKeys.ts';
import type { Clock } from '../../base/clock.ts';
import { englishOf, withTimeout, WordedError, wordsOf } from '../../base/errors.ts';
import { type Phrase, phrase } from '../../base/text/phrase.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { SessionFactory, SessionRequest } from '../tasks/portalSession.ts';
import type { Entry } from '../entry/entry.ts';
import { fault } from '../entry/faults.ts';
import { folderUri } from '../../views/newSession/folderPath.ts';
import { sessionMood, sessionTitle, timeOf } from '../../views/sessionList/sessionItem.ts';
import { Answerers } from './people/answerers.ts';
import { asking } from './approvals.ts';
import { activeClient, HostSession } from './hostSession.ts';
import { PortalHost } from './portalHost.ts';
import { quietSession } from './quietSession.ts';
import type { SessionResponse } from './sessionCallbacks.ts';
import { type SessionElsewhere, SessionsElsewhere } from './sessionsElsewhere.ts';

/** The engine of an agent may have to be started. */
const READY_TIMEOUT_MS = 120_000;
/** How long a session waits for another host that is away, and a task for its session there. */
export const HOST_WAIT_MS = 15_000;

export interface HostSessionsOptions {
  /** Of the portal's own host. */
  client: AgentHostClient;
  /** Clients of other hosts by name, which connect by themselves. Absent: there are none. */
  hosts?: ReadonlyMap<string, AgentHostClient>;
  /** What runs at other hosts is kept here. Absent: it is forgotten at the end. */
  elsewhere?: SessionsElsewhere;
  /** The agent that runs the sessions. */
  provider: string;
  clock: Clock;
  logger: Logger;
  /** The job tools, which only report what they are given, run without a question to the user. */
  allowJobTools?: boolean;
  /** What the next prompt to a session is below, for traces. Absent: nothing is. */
  traceparentOf?(sessionId: string): string | undefined;
  /** The live queue of a session. */
  live: { open(id: string): void; push(id: string, response: SessionResponse): void; close(id: string): void };
}

export interface ModelInfo {
  name: string;
  id: string;
  /** How much a prompt counts, as the host says it; 0 for the user's own models. 1 where it does not say it. */
  multiplier: number;
}

/** A session of the portal's own host. */
export interface KeptSession {
  uri: string;
  title: string;
  /** ms since the epoch. */
  modifiedAt: number;
  isWorking: boolean;
  needsUser: boolean;
}

export class HostSessions implements SessionFactory, Disposable {
  readonly #options: HostSessionsOptions;
  /** Who answers by way of the portal. */
  readonly answerers = new Answerers();
  readonly #own: PortalHost;
  readonly #hosts: ReadonlyMap<string, PortalHost>;
  readonly #elsewhere: SessionsElsewhere;
  readonly #sessions = new Map<string, HostSession>();
  readonly #didChange = new Emitter<void>();
  /** A session was started or has ended for the portal. */
  readonly onDidChange = this.#didChange.event;
  readonly #configSchema: SessionConfigSchema;

  private constructor(options: HostSessionsOptions, own: PortalHost, configSchema: SessionConfigSchema) {
    const { hosts = [], provider, clock, elsewhere = new SessionsElsewhere() } = options;
    this.#options = options;
    this.#own = own;
    this.#configSchema = configSchema;
    this.#elsewhere = elsewhere;
    this.#hosts = new Map(Array.from(hosts, ([name, client]) => [name, new PortalHost({ client, provider, clock, name })]));
    for (const left of elsewhere.all) void this.#quiet(left);
  }

  /** Rejects when the portal's own host has no such agent. */
  static async open(options: HostSessionsOptions): Promise<HostSessions> {
    const { client, provider, clock } = options;
    const own = new PortalHost({ client, provider, clock });
    try {
      await own.requireAgent();
      return new HostSessions(options, own, await own.settings());
    } catch (error) {
      own.dispose();
      throw error;
    }
  }

  /**
   * Throws an `EntryError` when a task names a host that is not in the list, or approves what the agent has no setting for. Of another host that
   * is not connected that is not known yet; it is checked when a session starts there.
   */
  check({ tasks, hosts = {} }: Entry): void {
    for (const name of Object.keys(hosts)) if (!this.#hosts.has(name)) throw fault(['hosts', name], this.#unknown(name));
    for (const [name, { approve = [], host }] of Object.entries(tasks)) {
      const place = host === undefined ? this.#own : this.#hosts.get(host);
      if (!place) throw fault(['tasks', name, 'host'], this.#unknown(host ?? ''));
      try {
        place.check(approve);
      } catch (error) {
        throw fault(['tasks', name, 'approve'], wordsOf(place.errorAt(error)));
      }
    }
  }

  /** Of the portal's own host. */
  models(): ModelInfo[] {
    return (this.#own.agent?.models ?? []).map(({ name, id, _meta }) => ({ name, id, multiplier: multiplierOf(_meta) }));
  }

  get(id: string): HostSession | undefined {
    return this.#sessions.get(id);
  }

  /** Those that have not ended for the portal. */
  list(): HostSession['overview'][] {
    return [...this.#sessions.values()].map(({ overview }) => overview);
  }

  /** Those that the portal's own host has, newest first: also those that have ended for the portal, and those of others. */
  kept(max: number): { agent: string; sessions: KeptSession[]; isComplete: boolean } {
    const { sessions, topSession } = this.#own.client;
    const all = sessions.summaries
      .filter(({ resource }) => topSession(resource) === resource)
      .map((summary) => {
        const mood = sessionMood(summary);
        const { resource: uri } = summary;
        return {
          ...{ uri, title: sessionTitle(summary), modifiedAt: timeOf(summary.modifiedAt) },
          ...{ isWorking: mood === 'running', needsUser: mood === 'needsYou' },
        };
      })
      .sort((a, b) => b.modifiedAt - a.modifiedAt);
    const isComplete = sessions.state === 'ready' && !sessions.isCut && all.length <= max;
    return { agent: this.#options.provider, sessions: all.slice(0, max), isComplete };
  }

  /** URIs of those at this other host. */
  urisAt(host: string): Set<string> {
    return new Set([...this.#sessions.values()].filter((session) => session.host === host).map(({ uri }) => uri));
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Rejects with an error that names the host, where it is not the portal's own. */
  async start(request: SessionRequest, signal: AbortSignal): Promise<HostSession> {
    signal.throwIfAborted();
    const { host } = request;
    if (host === undefined) return this.#start(this.#own, request, this.#own.configFor(this.#configSchema, request.approve), signal);
    const place = this.#hosts.get(host);
    // The job may have been started with another list.
    if (!place) throw new WordedError(this.#unknown(host));
    try {
      return await this.#start(place, request, await this.#prepare(place, request, signal), signal);
    } catch (error) {
      throw place.errorAt(error);
    }
  }

  /** The setting of a session at another host, which must be there and have agent, model and setting now. */
  async #prepare(place: PortalHost, { model, approve }: SessionRequest, signal: AbortSignal): Promise<Record<string, string>> {
    await place.connected(HOST_WAIT_MS, signal);
    await place.requireAgent();
    if (!place.agent?.models.some(({ id }) => id === model))
      throw new Error(`the agent “${this.#options.provider}” has no model “${model}” there`);
    return place.configFor(await place.settings(), approve);
  }

  async #start(
    { client, name }: PortalHost,
    { model, workingDirectory, approve }: SessionRequest,
    config: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HostSession> {
    const { provider, live, clock, allowJobTools = false } = this.#options;
    signal.throwIfAborted();
    const id = randomUUID();
    const uri = this.uriOf(id);
    const left = name === undefined ? undefined : { host: name, session: uri, hasApproval: Object.keys(config).length > 0 };
    if (left) this.#elsewhere.add(left);
    try {
      await client.command('createSession', {
        ...{ channel: uri, provider, activeClient: activeClient(client), config, _meta: { [FIRST_MODEL]: { id: model } } },
        ...(workingDirectory !== undefined && { workingDirectories: [folderAt(name, workingDirectory)] }),
      });
    } catch (error) {
      // The answer may have been lost.
      if (left) void this.#quiet(left, this.#options.clock);
      throw error;
    }
    live.open(id);
    const session = new HostSession({
      ...{
        id,
        uri,
        client,
        model,
        folder: workingDirectory,
        approve,
        config,
        clock,
        logger: this.#options.logger,
        answerers: this.answerers,
      },
      ...(left && {
        host: left.host,
        lostAfterMs: HOST_WAIT_MS,
        onStopped: (asksAgain) => (asksAgain ? this.#forget(left) : void this.#quiet(left)),
      }),
      allowJobTools: allowJobTools || approve.includes('job-tools'),
      traceparent: () => this.#options.traceparentOf?.(id),
      tell: (response) => live.push(id, response),
      onEnd: () => {
        this.#sessions.delete(id);
        live.close(id);
        this.#didChange.fire();
      },
    });
    this.#sessions.set(id, session);
    this.#didChange.fire();
    try {
      await withTimeout(session.ready(signal), READY_TIMEOUT_MS, 'starting the agent of the session');
      if (left && !session.hasItsSettings) throw new Error('the session has not got the setting that was asked for');
    } catch (error) {
      await session.stop();
      // Nobody has said anything in it.
      await client.command('disposeSession', { channel: uri }).catch((second: unknown) => this.#warn(id, second));
      throw error;
    }
    return session;
  }

  /** A session of an earlier process, which could not give back what was approved for it. */
  async askAgain(id: string): Promise<void> {
    const session = this.#options.client.session(this.uriOf(id));
    try {
      const settlement = await session.configure({ ...asking }).settled;
      if (settlement.kind !== 'confirmed')
        this.#options.logger.warn(`session ${id} keeps what was approved for it, or was deleted: ${settlement.reason}`);
    } finally {
      session.dispose();
    }
  }

  uriOf(id: string): string {
    return `${this.#options.provider}:/${id}`;
  }

  /** Ends what a session of another portal may still do at another host. Waits for that host as long as it takes. */
  async endElsewhere(host: string, id: string, hasApproval: boolean): Promise<void> {
    const left = { host, session: this.uriOf(id), hasApproval };
    this.#elsewhere.add(left);
    await this.#quiet(left);
  }

  /** Resolves when no session runs any more. */
  async stopAll(): Promise<void> {
    await Promise.all(
      [...this.#sessions.values()].map((session) => session.stop().catch((error: unknown) => this.#warn(session.id, error))),
    );
  }

  dispose(): void {
    this.#own.dispose();
    for (const host of this.#hosts.values()) host.dispose();
    this.#didChange.dispose();
  }

  #unknown(name: string): Phrase {
    const known = [...this.#hosts.keys()].map((one) => JSON.stringify(one)).join(', ');
    const words = phrase`the portal has no agent host ${JSON.stringify(name)}`;
    return known === '' ? words : phrase`${words}: it has ${known}`;
  }

  /** Ends what may still run at another host, as soon as it is there. `clock`: it may still be in the making. */
  async #quiet(left: SessionElsewhere, clock?: Clock): Promise<void> {
    const { host, session, hasApproval } = left;
    const { logger } = this.#options;
    try {
      const client = this.#hosts.get(host)?.client;
      if (!client) return logger.warn(`${session} may still work at the agent host “${host}”, which is not in the list any more`);
      if (await quietSession(client, session, hasApproval, clock)) this.#forget(left);
      else logger.warn(`${session} at the agent host “${host}” keeps what was approved for it`);
    } catch (error) {
      logger.warn(`${session} at the agent host “${host}” could not be stopped: ${englishOf(error)}`);
    }
  }

  #forget(left: SessionElsewhere): void {
    try {
      this.#elsewhere.remove(left);
    } catch (error) {
      this.#options.logger.warn(`${left.session} is stopped once more at the next start: ${englishOf(error)}`);
    }
  }

  #warn(id: string, error: unknown): void {
    this.#options.logger.warn(`session ${id} could not be stopped: ${englishOf(error)}`);
  }
}

/** As a URI. A path of another host is not that of this computer, and may be one of Windows. */
function folderAt(host: string | undefined, path: string): string {
  return host === undefined ? pathToFileURL(path).href : folderUri(/^[a-z]:/i.test(path) ? path.replaceAll('\\', '/') : path);
}

/** Where VS Code's agent hosts have it. */
function multiplierOf(meta: Readonly<Record<string, unknown>> = {}): number {
  const { multiplierNumeric: multiplier } = meta;
  return typeof multiplier === 'number' && Number.isFinite(multiplier) && multiplier >= 0 ? multiplier : 1;
}
