/** The agent hosts of the portal, as pages see them: its own whole, and of others the sessions that the portal runs there. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { ShownHost, ShownHosts } from '../../pages/shownHost.ts';
import { hostConnectionView } from '../../views/hosts/hostConnectionView.ts';
import { hostIdOf } from '../../views/portal/wire/pageWire.ts';
import { hostInput } from '../../views/sessionList/hostInput.ts';
import type { HostSessions } from '../hostSessions/hostSessions.ts';

export interface PortalHostsOptions {
  /** Of the portal's own host. */
  client: AgentHostClient;
  /** Of other hosts, by name. */
  hosts?: ReadonlyMap<string, AgentHostClient>;
  sessions: Pick<HostSessions, 'urisAt' | 'onDidChange'>;
}

export interface PortalShownHost extends ShownHost {
  /** False for a session of others at another host. */
  shows(uri: URI): boolean;
}

export class PortalHosts implements ShownHosts<PortalShownHost>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  // No page of a browser counts seconds.
  readonly onDidCountDown = this.#store.add(new Emitter<void>()).event;
  readonly #hosts: ReadonlyMap<string, PortalShownHost>;

  constructor({ client, hosts = new Map<string, AgentHostClient>(), sessions }: PortalHostsOptions, clock: Clock) {
    const own = this.#shown(hostIdOf(undefined), 'The host of the portal', client, clock);
    const others = Array.from(hosts, ([name, other]) => this.#shown(hostIdOf(name), name, other, clock, () => sessions.urisAt(name)));
    this.#hosts = new Map([own, ...others].map((host) => [host.id, host]));
    this.#store.add(sessions.onDidChange(() => this.#changed.fire()));
  }

  get all(): readonly PortalShownHost[] {
    return [...this.#hosts.values()];
  }

  get(id: string): PortalShownHost | undefined {
    return this.#hosts.get(id);
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
