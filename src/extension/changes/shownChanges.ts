/** The changesets of the session that is shown, as far as somebody looks at them. */
import { problemText } from '../../ahp/client/connection/hostError.ts';
import * as l10n from '../../base/l10n.ts';
import { follow, type Follower } from '../../ahp/client/model/follow.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { ChangesetInput } from '../../views/changes/changesTree.ts';
import { type ListedChangeset, listedChangesets, needsTurn } from '../../views/changes/listedChangesets.ts';
import { shownChat } from '../../views/session/chats.ts';
import { folderOf } from '../../views/session/openChat.ts';
import { sameSession, type SessionRef } from '../../views/session/sessionRef.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';

interface Sessions {
  /** The session that the user sees or saw last. */
  readonly activeRef: SessionRef | undefined;
  /** The chat of it that the user sees. */
  chatOf(ref: SessionRef): URI | undefined;
  readonly onDidChange: Event<void>;
}
interface Hosts {
  get(id: string): RegisteredHost | undefined;
  readonly onDidChange: Event<void>;
}

interface SessionChangesView extends Disposable {
  readonly ref: SessionRef;
  readonly host: RegisteredHost;
  readonly session: SessionModel;
  /** Followed for the turn that it did last. */
  readonly chat: Follower<ChatModel>;
  readonly changesets: Map<URI, ResourceModel<'changeset'>>;
}

export class ShownChanges implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  #shown: SessionChangesView | undefined;
  #isVisible = false;
  /** Of changesets that are open in the view. */
  #open: ReadonlySet<URI> = new Set();

  constructor(
    private readonly sessions: Sessions,
    private readonly hosts: Hosts,
  ) {
    this.#store.add(sessions.onDidChange(() => this.#follow()));
    this.#store.add(hosts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  get host(): RegisteredHost | undefined {
    return this.#shown?.host;
  }

  get folder(): URI | undefined {
    const state = this.#shown?.session.state;
    return state && folderOf(state);
  }

  /** It may have changes of a turn, which are known only while somebody looks. */
  get isOfTurns(): boolean {
    const state = this.#shown?.session.state;
    return state !== undefined && needsTurn(state);
  }

  /** In the order of the host. */
  get listed(): ListedChangeset[] {
    const shown = this.#shown;
    const state = shown?.session.state;
    if (!shown || !state) return [];
    const chat = shown.chat.model?.state;
    const turn = chat && (chat.activeTurn ?? chat.turns.at(-1));
    return listedChangesets(state, turn?.id);
  }

  get inputs(): ChangesetInput[] {
    return this.listed.map((listed) => {
      const model = this.model(listed.uri);
      const status = model?.status;
      const state = model?.state;
      const canReview = listed.canReview && status?.kind === 'live' && model?.can('changeset/filesReviewChanged') === true;
      const problem =
        status?.kind === 'failed'
          ? problemText(status.error)
          : status?.kind === 'removed'
            ? l10n.t('The host does not have it any more.')
            : undefined;
      return { listed, state, canReview, ...(problem !== undefined && { problem }) };
    });
  }

  /** Undefined while nobody looks at it. */
  model(uri: URI): ResourceModel<'changeset'> | undefined {
    return this.#shown?.changesets.get(uri);
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#subscribe();
  }

  /** The changesets that the view shows with their files. */
  setOpen(open: ReadonlySet<URI>): void {
    this.#open = open;
    this.#subscribe();
  }

  dispose(): void {
    this.#shown?.dispose();
    this.#store.dispose();
  }

  #follow(): void {
    const ref = this.sessions.activeRef;
    const host = ref && this.hosts.get(ref.hostId);
    const before = this.#shown;
    if (before && ref && host === before.host && sameSession(before.ref, ref)) {
      return this.#subscribe();
    }
    before?.dispose();
    this.#shown = ref && host ? this.#show(ref, host) : undefined;
    if (before || this.#shown) this.#changed();
  }

  #show(ref: SessionRef, host: RegisteredHost): SessionChangesView {
    const session = host.client.session(ref.uri);
    const changesets = new Map<URI, ResourceModel<'changeset'>>();
    const wanted = () => {
      const { state } = session;
      return state && this.#isVisible && needsTurn(state) ? shownChat(state, this.sessions.chatOf(ref)) : undefined;
    };
    const chat = follow(session, wanted, (uri) => host.client.chat(uri));
    chat.onDidChange(() => this.#changed());
    const dispose = () => {
      chat.dispose();
      session.dispose();
      for (const model of changesets.values()) model.dispose();
    };
    return { ref, host, session, chat, changesets, dispose };
  }

  #changed(): void {
    this.#subscribe();
    this.#onDidChange.fire();
  }

  /** Reads what is looked at, and nothing else. */
  #subscribe(): void {
    const shown = this.#shown;
    if (!shown?.session.state) return;
    shown.chat.look();
    const wanted = new Set(this.#isVisible ? this.listed.map(({ uri }) => uri).filter((uri) => this.#open.has(uri)) : []);
    for (const [uri, model] of shown.changesets) {
      if (wanted.has(uri)) continue;
      shown.changesets.delete(uri);
      model.dispose();
    }
    for (const uri of wanted) {
      if (shown.changesets.has(uri)) continue;
      const model = shown.host.client.model('changeset', uri);
      model.onDidChange(() => this.#onDidChange.fire());
      shown.changesets.set(uri, model);
    }
  }
}
