/** Tells the user once, if they asked for it, when a session out of view begins to wait for them. */
import type { Disposable } from '../base/lifecycle.ts';
import type { SessionsTree } from './sessions/sessionsTree.ts';
import type { SessionViews } from './sessions/sessionView.ts';
import { settings } from './settings.ts';
import { showInfo } from './notifications.ts';

export function notifyWhenNeeded(tree: SessionsTree, views: SessionViews): Disposable {
  let waiting = new Set(tree.needsYou.map(({ id }) => id));
  return tree.onDidChangeNeedsYou(() => {
    const now = tree.needsYou;
    const fresh = now.filter(({ id }) => !waiting.has(id));
    waiting = new Set(now.map(({ id }) => id));
    if (!settings.notifyWhenNeeded()) return;
    for (const { hostId, item } of fresh) {
      const session = { hostId, uri: item.uri };
      if (views.isVisible(session)) continue;
      void showInfo(`“${item.title}” needs you.`, 'Open').then((choice) => {
        if (choice) return views.show(session, 'needsYou');
        return undefined;
      });
    }
  });
}
