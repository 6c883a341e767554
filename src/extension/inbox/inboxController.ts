/**
 * The extension's side of the inbox's page. It sends what waits and carries out what the user does with it, for whichever session. The page
 * may reload at any time and send `ready` again, so nothing here depends on what was sent before, but the order.
 */
import * as vscode from 'vscode';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import { inShownOrder, unknownHosts } from '../../views/attention/inboxView.ts';
import {
  type InSessionMessage,
  type InboxExtensionMessage,
  type InboxItem,
  type InboxMessage,
  type ItemsMessage,
  parseInboxMessage,
} from '../../webviews/inbox/protocol.ts';
import { sameSession, sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';
import { isOutdated, signInOf, waitingOf } from '../../views/session/waiting/waiting.ts';
import type { SessionMessage } from '../../webviews/session/protocol.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import type { FocusHandle, FocusPage } from '../focus.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { onPageMessage } from '../pageMessages.ts';
import { openDiff, openFile } from '../sessionView/openers.ts';
import type { SessionServices } from '../sessionView/sessionServices.ts';
import { type CardMessage, isAllowed } from './allowed.ts';

export interface InboxServices extends Pick<SessionServices, 'hosts' | 'logger' | 'focus' | 'bridgeInfo' | 'onDidChangeBridge' | 'signIn'> {
  readonly attention: WindowAttention;
  /** Shows a session or what is to be reviewed, or signs in. */
  openItem(item: WindowItem): Promise<unknown>;
  markRead(session: SessionRef): Promise<unknown>;
}

/** What is on screen in session views and editors. */
export interface SessionsOnScreen {
  shows(item: WindowItem): boolean;
  /** Moves the focus to the next thing that waits on screen, or to this one. */
  focusNext(item: WindowItem): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** What the list shows: all that is answered nowhere else on screen. */
export function listedItems(
  { attention }: Pick<InboxServices, 'attention'>,
  onScreen: Pick<SessionsOnScreen, 'shows'>,
): readonly WindowItem[] {
  return attention.items.filter((item) => !onScreen.shows(item));
}

export class InboxController implements FocusPage, Disposable {
  readonly #store = new DisposableStore();
  /** Terminals that cards show, by session and URI. */
  readonly #watched = new Map<string, DisposableStore>();
  readonly #focus: FocusHandle;
  /** Ids of the items in the order in which the page shows them. */
  #order: readonly string[] = [];
  #sent: ItemsMessage | undefined;
  #ready = false;
  /** Messages to send when the page is ready. */
  #onceReady: InboxExtensionMessage[] = [];

  constructor(
    private readonly webview: vscode.Webview,
    private readonly services: InboxServices,
    private readonly onScreen: Pick<SessionsOnScreen, 'shows' | 'onDidChange'>,
  ) {
    this.#focus = this.#store.add(services.focus.add(this));
    const send = () => this.#sendItems();
    for (const event of [services.attention.onDidChange, services.hosts.onDidChange, services.onDidChangeBridge, onScreen.onDidChange])
      this.#store.add(event(send));
    const handle = (message: InboxMessage) => this.#handle(message);
    this.#store.add(onPageMessage(webview, { name: 'The inbox', logger: services.logger, parse: parseInboxMessage, handle }));
  }

  /** Commands without an argument act on what a session page shows. */
  readonly ref = undefined;

  get hasFocus(): boolean {
    return this.services.focus.page === this;
  }

  /** Sorts by time. For a page that the user does not see. */
  sortAgain(): void {
    this.#order = [];
    this.#sendItems();
  }

  focus(target: 'next' | 'first'): void {
    this.#tell({ type: 'focus', target });
  }

  /** For the card that has the focus. */
  answer(how: 'approve' | 'deny'): void {
    this.#tell({ type: 'answer', how });
  }

  dispose(): void {
    for (const store of this.#watched.values()) store.dispose();
    this.#store.dispose();
  }

  #tell(message: InboxExtensionMessage): void {
    if (this.#ready) void this.webview.postMessage([message]);
    else this.#onceReady.push(message);
  }

  #tellCards(session: SessionRef, message: InSessionMessage['message']): void {
    this.#tell({ type: 'inSession', session, message });
  }

  #sendItems(): void {
    if (!this.#ready) return;
    const items = inShownOrder(listedItems(this.services, this.onScreen), this.#order);
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
    this.#tell(message);
  }

  #shown(item: WindowItem): InboxItem {
    const { hostId, uri, waiting } = item;
    const bridge = uri === undefined || !waiting ? undefined : this.services.bridgeInfo({ hostId, uri });
    return {
      ...item,
      ...(this.services.hosts.get(hostId)?.kind === 'embedded' && { ownHost: true as const }),
      ...(bridge && { bridge: { clientId: bridge.clientId, calls: bridge.calls } }),
    };
  }

  async #handle(message: InboxMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#sent = undefined;
        this.#sendItems();
        for (const waiting of this.#onceReady.splice(0)) this.#tell(waiting);
        return;
      case 'focus':
        this.#focus.report(message.place);
        return;
      case 'inSession':
        await this.#handleCard(message.session, message.message);
        return;
      case 'openExternal':
        await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
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
    else if (what === 'notNow' && kind === 'review') this.services.attention.putOff(item.id);
    else if (what === 'open' ? kind !== 'signIn' : what === 'signIn' && kind === 'signIn') await this.services.openItem(item);
  }

  async #handleCard(ref: SessionRef, message: SessionMessage): Promise<void> {
    const host = this.services.hosts.get(ref.hostId);
    const items = this.#waitingIn(ref);
    if (host && isAllowed(message, items)) await this.#carryOut(host, ref, message, items);
    else this.#refuse(ref, message);
  }

  /** As the hosts have it now: what is listed may be a moment old. */
  #waitingIn(ref: SessionRef): WindowItem[] {
    this.services.attention.look();
    return this.services.attention.items.filter(({ hostId, uri }) => uri !== undefined && sameSession({ hostId, uri }, ref));
  }

  async #carryOut(host: RegisteredHost, ref: SessionRef, message: CardMessage, items: readonly WindowItem[]): Promise<void> {
    switch (message.type) {
      case 'dispatch':
        await this.#dispatch(host, ref, message);
        return;
      case 'request':
        try {
          const result = await host.client.command('resourceRead', message.params);
          this.#tellCards(ref, { type: 'response', id: message.id, result });
        } catch (error) {
          this.#tellCards(ref, { type: 'response', id: message.id, error: messageOf(error) });
        }
        return;
      case 'watch':
        this.#watch(host, ref, message.uri);
        return;
      case 'unwatch':
        this.#unwatch(ref, message.uri);
        return;
      case 'openDiff':
        await openDiff(host, message.edit);
        return;
      case 'openFile':
        await openFile(host, message.uri);
        return;
      case 'signIn': {
        const waits = items.flatMap(({ chat, waiting }) => (waiting && chat === message.uri ? [waiting] : []));
        const requirement = signInOf(waits, message.turnId, message.toolCallId);
        if (requirement) await this.services.signIn.signIn(host, requirement);
        return;
      }
    }
  }

  async #dispatch(host: RegisteredHost, ref: SessionRef, message: Extract<CardMessage, { type: 'dispatch' }>): Promise<void> {
    const { uri, action, asked } = message;
    // The host tells the outcome only to those who read the chat.
    const chat = host.client.chat(uri);
    try {
      const waits = waitingOf(await whenLive(chat));
      // By now something else may wait there, and the session may not say so yet.
      if (isOutdated(waits, action, asked) || !isAllowed(message, this.#waitingIn(ref))) return this.#refuse(ref, message);
      const { clientSeq, settled } = chat.perform(action);
      const settlement = await settled;
      if (settlement.kind === 'confirmed' || action.type === 'chat/inputAnswerChanged') return;
      const { kind, reason } = settlement;
      this.services.logger.info(`${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`);
      const outcome = kind === 'unknown' && { outcome: kind };
      this.#tellCards(ref, { type: 'rejected', session: ref, uri, clientSeq, reason, action, ...outcome });
    } catch (error) {
      this.#refuse(ref, message, `${messageOf(error)}. Nothing was sent.`);
    } finally {
      chat.dispose();
    }
  }

  /** Tells the card, because the user has done something and nothing comes of it. */
  #refuse(ref: SessionRef, message: SessionMessage, reason = 'It was answered, has changed or ended meanwhile. Nothing was sent.'): void {
    this.services.logger.info(`Inbox, ${message.type}: nothing was done. ${reason}`);
    if (message.type === 'request') {
      this.#tellCards(ref, { type: 'response', id: message.id, error: 'This does not wait for you any more.' });
    } else if (message.type === 'dispatch' && message.action.type !== 'chat/inputAnswerChanged') {
      this.#tellCards(ref, { type: 'rejected', session: ref, uri: message.uri, clientSeq: 0, reason, action: message.action });
    } else if (message.type !== 'dispatch') {
      throw new UserError('This does not wait for you any more.');
    }
  }

  #watch(host: RegisteredHost, ref: SessionRef, uri: string): void {
    const key = `${sessionKey(ref)}\n${uri}`;
    if (this.#watched.has(key)) return;
    const store = new DisposableStore();
    const terminal = store.add(host.client.model('terminal', uri));
    const send = () => {
      const { status } = terminal;
      const { kind, dialect, confirmed } = terminal.mirrored;
      const shown = status.kind === 'failed' ? { kind: 'failed' as const, message: status.error.message } : status;
      this.#tellCards(ref, {
        type: 'snapshot',
        uri,
        kind,
        ...(dialect && { dialect }),
        ...(confirmed && { confirmed }),
        pending: [],
        status: shown.kind === 'removed' ? { ...shown, canReopen: false } : shown,
      });
    };
    store.add(
      terminal.onDidChange((change) => {
        if (change.kind === 'actions') this.#tellCards(ref, { type: 'actions', uri, actions: [...change.actions], now: change.now });
        else send();
      }),
    );
    this.#watched.set(key, store);
    send();
  }

  #unwatch(ref: SessionRef, uri: string): void {
    const key = `${sessionKey(ref)}\n${uri}`;
    this.#watched.get(key)?.dispose();
    this.#watched.delete(key);
  }
}
