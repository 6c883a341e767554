/** The context keys that menus, keybindings, welcome views and the walkthrough use. */
import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { modelSources } from '../../views/hosts/agentModels.ts';
import type { ChatOffer } from '../../views/session/chatOffers.ts';
import { agentsOf, rootOf } from '../hosts/registeredHost.ts';
import type { Focus } from '../focus.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { SessionViews } from '../sessionView/sessionViews.ts';

const offerKeys: Readonly<Record<string, ChatOffer>> = {
  'tapline.newChatOffered': 'newChat',
  'tapline.chooseChatOffered': 'chooseChat',
  'tapline.renameChatOffered': 'renameChat',
  'tapline.deleteChatOffered': 'deleteChat',
  'tapline.forkChatOffered': 'forkChat',
  'tapline.askAsideOffered': 'askAside',
  'tapline.resumeTurnOffered': 'resumeTurn',
  'tapline.goBackOffered': 'goBack',
  'tapline.editMessageOffered': 'editMessage',
  'tapline.retryTurnOffered': 'retryTurn',
  'tapline.loadOlderTurnsOffered': 'loadOlderTurns',
};

export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<string, unknown>();

  constructor(views: SessionViews, inbox: Inbox, hosts: HostRegistry, focus: Focus) {
    const update = () => {
      const active = views.active;
      this.set('tapline.sessionShown', Boolean(active?.ref));
      this.set('tapline.sessionNeedsYou', (active?.context.needsYou ?? 0) > 0);
      this.set('tapline.sessionRunning', active?.context.running ?? false);
      for (const [key, offer] of Object.entries(offerKeys)) this.set(key, active?.context.offers?.includes(offer) ?? false);
      this.set('tapline.inboxNeeded', inbox.isNeeded);
      this.set('tapline.callFocused', focus.place === 'card');
      this.set('tapline.sessionFocused', focus.page !== undefined && focus.page === active);
      this.set('tapline.composerFocused', focus.place === 'composer');
    };
    const look = () => {
      const takeModels = hosts.all.flatMap(agentsOf).filter((agent) => modelSources(agent).length > 0);
      this.set(
        'tapline.modelsConnected',
        takeModels.some(({ models }) => models.length > 0),
      );
      this.set(
        'tapline.sessionListed',
        hosts.all.some(({ client }) => client.sessions.summaries.length > 0),
      );
      this.set(
        'tapline.filesLent',
        hosts.all.some(({ lent }) => lent.all.length > 0),
      );
      this.set(
        'tapline.hostConfigured',
        hosts.all.some(({ kind }) => kind === 'configured'),
      );
      this.set(
        'tapline.hostHasSettings',
        hosts.all.some((host) => rootOf(host)?.config),
      );
    };
    this.#store.add(views.onDidChange(update));
    this.#store.add(inbox.onDidChange(update));
    this.#store.add(focus.onDidChange(update));
    this.#store.add(hosts.onDidChange(look));
    update();
    look();
  }

  /** Sets what `read` gives, now and after each event. */
  follow(event: Event<unknown>, read: () => Readonly<Record<string, unknown>>): void {
    const set = () => Object.entries(read()).forEach(([key, value]) => this.set(key, value));
    this.#store.add(event(set));
    set();
  }

  /** Does nothing when the value is the same: each change is a message to the window. */
  set(key: string, value: unknown): void {
    if (this.#last.get(key) === value) return;
    this.#last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
