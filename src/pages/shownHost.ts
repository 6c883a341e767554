/** An agent host, as pages need it. */
import type { AgentHostClient } from '../ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../ahp/client/model/resourceModel.ts';
import type { URI } from '../ahp/common/shapes.ts';
import type { Event } from '../base/event.ts';
import type { HostConnectionView } from '../views/hosts/hostConnectionView.ts';
import type { HostKind } from '../views/hosts/hostProblem.ts';
import type { SessionRef } from '../views/session/sessionRef.ts';
import type { HostInput } from '../views/sessionList/sessionTree.ts';

export interface ShownHost {
  readonly id: string;
  readonly label: string;
  readonly kind: HostKind;
  readonly client: AgentHostClient;
  readonly root: ResourceModel<'root'>;
  /** Why nothing can be sent to the host; undefined when it can. */
  readonly readOnly: string | undefined;
  readonly connection: Pick<HostConnectionView, 'retryIn'>;
  /** Others work there too, and a page gets only what its session holds or names. */
  readonly isOfOthers?: true;
  /** Files that the client lends to the host. Absent where it lends none. */
  readonly lent?: LentToHost;
  input(): HostInput;
}

export interface LentToHost {
  readonly all: readonly { readonly uri: URI }[];
  /** False for one that was taken back. Only what this client lends is known here. */
  isGone(uri: URI): boolean;
  /** It is not in a draft any more in which it was attached. */
  release(uri: URI): void;
}

export interface ShownHosts<H extends ShownHost = ShownHost> {
  readonly all: readonly H[];
  get(id: string): H | undefined;
  /** The host as far as that session goes. Absent: the same for all of its sessions. */
  of?(ref: SessionRef): H | undefined;
  /** A host was added or removed, or its connection, sessions, root state or what it is lent changed. */
  readonly onDidChange: Event<unknown>;
  /** Only the seconds to the next attempt of a host changed. */
  readonly onDidCountDown: Event<unknown>;
}
