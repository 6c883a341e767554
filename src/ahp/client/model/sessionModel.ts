/** A session: its chats, its settings, and the tools that this client lends to it. */
import { phrase } from '../../../base/text/phrase.ts';
import type { SessionActiveClient } from '../../channels/session/state.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Dispatched } from '../resources/subscription.ts';
import { notSent, ResourceModel } from './resourceModel.ts';

export class SessionModel extends ResourceModel<'session'> {
  /** True for what belongs to this session. A host may name any resource. */
  holds(uri: URI): boolean {
    return this.context.dialect()?.isPartOf(uri, this.uri, this.subscription.confirmed) ?? uri === this.uri;
  }

  /** How many chats it has, and how many clients may lend tools to it. Undefined before the host has answered. */
  get sessionHolds(): Dialect['sessionHolds'] | undefined {
    return this.context.dialect()?.sessionHolds;
  }

  rename(title: string): Dispatched {
    return this.perform({ type: 'session/titleChanged', title });
  }

  setRead(isRead: boolean): Dispatched {
    return this.perform({ type: 'session/isReadChanged', isRead });
  }

  setArchived(isArchived: boolean): Dispatched {
    return this.perform({ type: 'session/isArchivedChanged', isArchived });
  }

  /** Archives at hosts of early 2026, which speak AHP v1 and do not know `session/isArchivedChanged`. At newer ones nothing is sent. */
  setDone(isDone: boolean): Dispatched {
    if (this.context.dialect()?.name !== 'v1') return notSent(phrase`The host is newer than this way to archive.`);
    return this.context.dispatch(this.uri, { type: 'session/isDoneChanged', session: this.uri, isDone } as ActionLike);
  }

  /** Merges into the values. */
  configure(config: Record<string, unknown>): Dispatched {
    return this.perform({ type: 'session/configChanged', config });
  }

  /** Lends these tools, and none else. A host of AHP v1 takes the tools of one client: they replace those of another. */
  lend(entry: Omit<SessionActiveClient, 'clientId'>): Dispatched {
    return this.perform({ type: 'session/activeClientSet', activeClient: { ...entry, clientId: this.context.clientId } });
  }

  withdraw(): Dispatched {
    return this.perform({ type: 'session/activeClientRemoved', clientId: this.context.clientId });
  }

  /** The URI for a new chat, as hosts want it: named by the client, beside the session's own. */
  newChatUri(): URI {
    const id = crypto.randomUUID();
    const named = /^(ahp-chat:\/\/)[^/]*(\/.*)$/.exec(this.state?.defaultChat ?? '');
    return named ? `${named[1]}${id}${named[2]}` : `ahp-chat://${id}/`;
  }
}
