/** The agent hosts of the portal, as pages see them: its own whole, and of others the sessions that the portal runs there, or ran there. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { ShownHost, ShownHosts } from '../../pages/shownHost.ts';
import { hostConnectionView } from '../../views/hosts/hostConnectionView.ts';
import { hostIdOf } from '../../views/portal/wire/pageWire.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { hostInput } from '../../views/sessionList/hostInput.ts';
import type { HostSessions } from '../hostSessions/hostSessions.ts';

export interface PortalHostsOptions {
  /** Of the portal's own host. */
  client: AgentHostClient;
  /** Of other hosts, by name. */
  hosts?: ReadonlyMap<string, AgentHostClient>;
  sessions: Pick<HostSessions, 'urisAt' | 'onDidChange'>;
  /** A run of the portal that is not forgotten had this session at that other host. */
  ran(host: string, uri: URI): boolean;
  /** That has changed: a run was forgotten. */
  onDidForgetRun: Event<string>;
}

export interface PortalShownHost extends ShownHost {
  /** False at another host for a session of others, and for one of the portal whose work there has ended. */
  shows(uri: URI): boolean;
}

const ENDED =
  'The portal’s work in this session has ended, so it is only shown here. To go on with it, open it in VS Code at its agent host.';

export class PortalHosts implements ShownHosts<PortalShownHost>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  // No page of a browser counts seconds.
  readonly onDidCountDown = this.#store.add(new Emitter<void>()).event;
  readonly #hosts: ReadonlyMap<string, PortalShownHost>;
  /** The other hosts by their ids, for sessions that are only looked at. */
  readonly #ended: ReadonlyMap<string, PortalShownHost>;

  constructor({ client, hosts = new Map<string, AgentHostClient>(), sessions, ran, onDidForgetRun }: PortalHostsOptions, clock: Clock) {
    const own = this.#shown(hostIdOf(undefined), 'The host of the portal', client, clock);
    const others = Array.from(hosts, ([name, other]) => this.#shown(hostIdOf(name), name, other, clock, () => sessions.urisAt(name)));
    this.#hosts = new Map([own, ...others].map((host) => [host.id, host]));
    const endedAt = (host: PortalShownHost): PortalShownHost => ({
      ...host,
      readOnly: ENDED,
      shows: (uri) => ran(host.label, host.client.topSession(uri)),
    });
    this.#ended = new Map(others.map((host) => [host.id, endedAt(host)]));
    for (const event of [sessions.onDidChange, onDidForgetRun]) this.#store.add((event as Event<unknown>)(() => this.#changed.fire()));
  }

  get all(): readonly PortalShownHost[] {
    return [...this.#hosts.values()];
  }

  get(id: string): PortalShownHost | undefined {
    return this.#hosts.get(id);
  }

  /** As the page of that session has it. Undefined: the portal does not show the session. */
  of({ hostId, uri }: SessionRef): PortalShownHost | undefined {
    return [this.#hosts, this.#ended].map((hosts) => hosts.get(hostId)).find((host) => host?.shows(uri));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** `uris`: of its sessions only these are shown, with their subagents. Absent: all. */
  #shown(id: string, label: string, client: AgentHostClient, clock: Clock, uris?: () => ReadonlySet<string>): PortalShownHost {
    const changed = () => this.#changed.fire();
    const root: ResourceModel<'root'> = this.#store.add(client.root());
    for (const event of [client.onDidChangeState, client.sessions.onDidChange, root.onDidChange]) this.#store.add(event(changed));
    const shows = (uri: URI) => uris === undefined || uris().has(client.topSession(uri));
    const input = () => {
      const listed = hostInput(id, label, hostConnectionView(client.state, clock.now()), client);
      return uris ? { ...listed, sessions: listed.sessions.filter(({ resource }) => shows(resource)) } : listed;
    };
    return {
      ...{ id, label, client, root, shows, input },
      ...(uris && { isOfOthers: true }),
      kind: 'configured',
      readOnly: undefined,
      connection: {},
    };
  }
}
