/**
 * What the page “Needs You” is told, and what comes of what the user does in it, for whichever session. The page
 * may reload at any time and send `ready` again, so nothing here depends on what was sent before, but the order.
 */
import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import { UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import { inShownOrder, unknownHosts } from '../../views/attention/inboxView.ts';
import { sameSession, sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';
import { signInOf } from '../../views/session/waiting/waiting.ts';
import {
  type InSessionMessage,
  type InboxExtensionMessage,
  type InboxItem,
  type InboxMessage,
  type ItemsMessage,
  parseInboxMessage,
} from '../../webviews/inbox/protocol.ts';
import type { SessionMessage } from '../../webviews/session/protocol.ts';
import { carryOut } from '../answering/carryOut.ts';
import { whyNotDone } from '../answering/whyNotDone.ts';
import type { FocusHandle, FocusPage } from '../pageFocus.ts';
import { type OwnMessage, PageHost } from '../pageHost.ts';
import type { PagePort } from '../pagePort.ts';
import type { OfResource } from '../pageQueue.ts';
import { readResource } from '../readResource.ts';
import type { ShownHost } from '../shownHost.ts';
import { type CardMessage, isAllowed } from './allowed.ts';
import type { InboxPageServices } from './inboxPageServices.ts';
import { WatchedTerminals } from './watchedTerminals.ts';

/** Until the chat of a card is there. */
const STATE_MS = 30_000;
const NOT_HERE = l10n.t('This page cannot do it. Open the session in VS Code to do it.');

/** What the list shows: all that is answered nowhere else on screen. */
export function listedItems({ attention, onScreen }: Pick<InboxPageServices, 'attention' | 'onScreen'>): readonly WindowItem[] {
  return onScreen ? attention.items.filter((item) => !onScreen.shows(item)) : attention.items;
}

export class InboxPage<H extends ShownHost = ShownHost> implements FocusPage, Disposable {
  readonly #store = new DisposableStore();
  readonly #page: PageHost<InboxMessage, InboxExtensionMessage>;
  readonly #terminals: WatchedTerminals;
  readonly #focus: FocusHandle;
  /** Ids of the items in the order in which the page shows them. */
  #order: readonly string[] = [];
  #sent: ItemsMessage | undefined;

  constructor(
    port: PagePort<InboxExtensionMessage>,
    private readonly services: InboxPageServices<H>,
  ) {
    const { attention, hosts, bridge, onScreen } = services;
    this.#focus = this.#store.add(services.focus.add(this));
    this.#terminals = this.#store.add(new WatchedTerminals((session, message) => this.#tellCards(session, message)));
    this.#page = this.#store.add(
      new PageHost<InboxMessage, InboxExtensionMessage>(port, {
        // eslint-disable-next-line texts/translated -- for the log
        name: 'The inbox',
        shell: services,
        focus: this.#focus,
        parse: parseInboxMessage,
        onReady: () => this.#sendAll(),
        handle: (message) => this.#handle(message),
        ofResource: (message) => this.#ofResource(message),
        saysAll: ({ type }) => type === 'items',
        isSaidOnce: () => false,
      }),
    );
    for (const event of [attention.onDidChange, hosts.onDidChange, bridge?.onDidChange, onScreen?.onDidChange])
      if (event) this.#store.add(event(() => this.#sendItems()));
  }

  /** Commands without an argument act on what a session page shows. */
  readonly ref = undefined;

  /** Sorts by time. For a page that the user does not see. */
  sortAgain(): void {
    this.#order = [];
    this.#sendItems();
  }

  focus(target: 'next' | 'first'): void {
    this.#page.tell({ type: 'focus', target });
  }

  /** For the card that has the focus. */
  answer(how: 'approve' | 'deny'): void {
    this.#page.tell({ type: 'answer', how });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tellCards(session: SessionRef, message: InSessionMessage['message']): void {
    this.#page.tell({ type: 'inSession', session, message });
  }

  #ofResource(message: InboxExtensionMessage): OfResource<InboxExtensionMessage> | undefined {
    if (message.type !== 'inSession') return undefined;
    const { session, message: inner } = message;
    if (inner.type !== 'snapshot' && inner.type !== 'actions' && inner.type !== 'status') return undefined;
    return {
      key: `${sessionKey(session)}\n${inner.uri}`,
      message: inner,
      isCut: true,
      wrap: (one) => ({ type: 'inSession', session, message: one }),
      snapshot: () => this.#terminals.snapshot(session, inner.uri),
    };
  }

  #sendAll(): void {
    this.#page.clear();
    // The page says anew which it shows.
    this.#terminals.clear();
    this.#sent = undefined;
    this.#sendItems();
  }

  #sendItems(): void {
    if (!this.#page.isReady) return;
    const items = inShownOrder(listedItems(this.services), this.#order);
    this.#order = items.map(({ id }) => id);
    const hosts = this.services.hosts.all.filter(({ readOnly }) => readOnly === undefined);
    const message: ItemsMessage = {
      type: 'items',
      items: items.map((item) => this.#shown(item)),
      hosts: unknownHosts(hosts.map((host) => host.input())),
      severalHosts: hosts.length > 1,
      onScreen: this.services.attention.items.length > items.length,
    };
    // Hosts and the bridge report much that changes nothing here.
    if (sameJson(message, this.#sent)) return;
    this.#sent = message;
    this.#page.send(message);
  }

  #shown(item: WindowItem): InboxItem {
    const { hostId, uri, waiting } = item;
    const bridge = uri === undefined || !waiting ? undefined : this.services.bridge?.info({ hostId, uri });
    return {
      ...item,
      ...(this.services.hosts.get(hostId)?.kind === 'embedded' && { ownHost: true as const }),
      ...(bridge && { bridge: { clientId: bridge.clientId, calls: bridge.calls } }),
    };
  }

  async #handle(message: OwnMessage<InboxMessage>): Promise<void> {
    switch (message.type) {
      case 'inSession':
        await this.#handleCard(message.session, message.message);
        return;
      default: {
        // It may have been settled while the message was on its way.
        const item = this.services.attention.items.find(({ id }) => id === message.id);
        if (item) await this.#handleItem(message.type, item);
      }
    }
  }

  async #handleItem(what: 'open' | 'markRead' | 'signIn' | 'notNow', item: WindowItem): Promise<void> {
    const { hostId, uri, kind } = item;
    if (what === 'markRead' && kind === 'failed' && uri !== undefined) await this.services.markRead({ hostId, uri });
    else if (what === 'notNow' && kind === 'review') this.services.attention.putOff?.(item.id);
    else if (what === 'open' ? kind !== 'signIn' : what === 'signIn' && kind === 'signIn') await this.services.openItem(item);
  }

  async #handleCard(ref: SessionRef, message: SessionMessage): Promise<void> {
    const host = this.services.hosts.get(ref.hostId);
    const items = this.#waitingIn(ref);
    const why = whyNotDone(this.services.hosts, { ref, host });
    if (why !== undefined) this.#refuse(ref, message, l10n.t`${why} Nothing was sent.`);
    else if (host && isAllowed(message, items)) await this.#perform(host, ref, message, items);
    else this.#refuse(ref, message);
  }

  /** As the hosts have it now: what is listed may be a moment old. */
  #waitingIn(ref: SessionRef): WindowItem[] {
    this.services.attention.look();
    return this.services.attention.items.filter(({ hostId, uri }) => uri !== undefined && sameSession({ hostId, uri }, ref));
  }

  async #perform(host: H, ref: SessionRef, message: CardMessage, items: readonly WindowItem[]): Promise<void> {
    switch (message.type) {
      case 'dispatch':
        await this.#dispatch(host, ref, message);
        return;
      case 'request':
        await this.#page.respond(
          () => readResource(host.client, message.params),
          (answered) => ({ type: 'inSession', session: ref, message: { type: 'response', id: message.id, ...answered } }),
        );
        return;
      case 'watch':
        this.#terminals.watch(host, ref, message.uri);
        return;
      case 'unwatch':
        this.#terminals.unwatch(ref, message.uri);
        return;
      case 'openDiff':
        await able(this.services.editor).openDiff(host, message.edit);
        return;
      case 'openFile':
        await able(this.services.editor).openFile(host, message.uri);
        return;
      case 'signIn': {
        const waits = items.flatMap(({ chat, waiting }) => (waiting && chat === message.uri ? [waiting] : []));
        const requirement = signInOf(waits, message.turnId, message.toolCallId);
        if (requirement) await able(this.services.signIn).signIn(host, requirement);
        return;
      }
    }
  }

  async #dispatch(host: H, ref: SessionRef, message: Extract<CardMessage, { type: 'dispatch' }>): Promise<void> {
    const { uri, action, asked } = message;
    const chat = host.client.chat(uri);
    try {
      // By now something else may wait there, and the session may not say so yet.
      const decide = () => (isAllowed(message, this.#waitingIn(ref)) ? { action, asked } : undefined);
      const done = await carryOut(chat, { decide, stateMs: STATE_MS, whyNot: () => whyNotDone(this.services.hosts, { ref, host }) });
      switch (done.kind) {
        case 'confirmed':
          return;
        case 'outdated':
          return this.#refuse(ref, message);
        case 'notSent':
          return this.#refuse(ref, message, l10n.t`${reasonText(done)}. Nothing was sent.`);
        case 'rejected':
        case 'unknown': {
          if (action.type === 'chat/inputAnswerChanged') return;
          const { kind, clientSeq, reason } = done;
          this.services.logger.info(
            `${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`,
          );
          const outcome = kind === 'unknown' && { outcome: kind };
          this.#tellCards(ref, { type: 'rejected', session: ref, uri, clientSeq, reason: reasonText(done), action, ...outcome });
        }
      }
    } finally {
      chat.dispose();
    }
  }

  /** Tells the card, because the user has done something and nothing comes of it. */
  #refuse(
    ref: SessionRef,
    message: SessionMessage,
    reason = l10n.t('It was answered, has changed or ended meanwhile. Nothing was sent.'),
  ): void {
    this.services.logger.info(`Inbox, ${message.type}: nothing was done. ${reason}`);
    if (message.type === 'request') {
      this.#tellCards(ref, { type: 'response', id: message.id, error: l10n.t('This does not wait for you any more.') });
    } else if (message.type === 'dispatch' && message.action.type !== 'chat/inputAnswerChanged') {
      this.#tellCards(ref, { type: 'rejected', session: ref, uri: message.uri, clientSeq: 0, reason, action: message.action });
    } else if (message.type !== 'dispatch') {
      throw new UserError(l10n.t('This does not wait for you any more.'));
    }
  }
}

/** Throws a text for the user where the shell cannot do it. */
function able<T>(service: T | undefined): T {
  if (!service) throw new UserError(NOT_HERE);
  return service;
}
