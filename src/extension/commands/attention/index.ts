/** Tells the user of what waits, and of turns that have ended, and takes them there. */
import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import type { Attention } from '../../../views/attention/attention.ts';
import type { AttentionItem, WindowItem } from '../../../views/attention/attentionItems.ts';
import { FinishedTurns } from '../../../views/attention/finishedTurns.ts';
import { AttentionNotifier } from '../../attention/attentionNotifier.ts';
import type { WindowAttention } from '../../attention/windowAttention.ts';
import type { Commands } from '../../commandTable.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import type { GitHubAccount } from '../../models/gitHubAccount.ts';
import type { ClosableNotification } from '../../notifications.ts';
import { settings } from '../../settings.ts';
import type { WindowServices } from '../../windowServices.ts';
import { attentionNotification, finishedNotification, openAttentionItem, pickAttentionItem } from './attentionCommands.ts';

interface Parts {
  readonly attention: WindowAttention;
  readonly ofSessions: Attention;
  readonly inbox: Inbox;
  readonly account: GitHubAccount;
}

export function registerNotifications(
  { context, hosts, logger, notifications, own, run, views }: WindowServices,
  { attention, ofSessions, inbox, account }: Parts,
) {
  const openItem = (item: WindowItem) =>
    run('showNeedsYou', () => (item.kind === 'review' ? attention.review(item.id) : openAttentionItem(item, views, account)));
  const notifying = { storage: context.globalState, clock: systemClock, logger, window: vscode.window, windowId: vscode.env.sessionId };
  const showWithOpen = (notification: (open: () => unknown) => ClosableNotification, open: () => unknown) => {
    // Closed first: VS Code moves the focus to the editor when a notification closes that has it.
    const shown = notifications.show(notification(() => (shown.dispose(), open())));
    return shown;
  };
  const screen = { has: (item: AttentionItem) => views.shows(item) || inbox.isVisible, onDidChange: inbox.onDidChange };
  own(
    new AttentionNotifier({
      ...notifying,
      attention: ofSessions,
      isOn: () => settings.notifyWhenNeeded(),
      screen,
      show: (item) =>
        showWithOpen(
          (open) => attentionNotification(item, open),
          () => openItem(item),
        ),
    }),
  );
  const finishedTurns = own(
    new FinishedTurns({
      hosts,
      clock: systemClock,
      longMs: () => settings.notifyWhenFinishedAfter() * 1000,
      isNotified(hostId, uri) {
        ofSessions.look();
        const inSession = ofSessions.items.filter((item) => item.hostId === hostId && (item.topSession ?? item.uri) === uri);
        return settings.notifyWhenNeeded() && inSession.some((item) => !screen.has(item));
      },
    }),
  );
  own(
    new AttentionNotifier({
      ...notifying,
      attention: finishedTurns,
      isOn: () => true,
      screen: { has: (turn) => vscode.window.state.focused && views.isVisible(turn), onDidChange: views.onDidChange },
      show: (turn) =>
        showWithOpen(
          (open) => finishedNotification(turn, open),
          () => run('openSession', () => views.show(turn, 'composer')),
        ),
    }),
  );
  const commands = {
    showNeedsYou: async () => {
      const item = await pickAttentionItem(attention.items);
      if (item) await openItem(item);
    },
    followNotification: (key, link) => notifications.follow(key, link),
  } satisfies Partial<Commands>;
  return { commands, openItem };
}
