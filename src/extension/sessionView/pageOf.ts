/** The page of a session that VS Code was just asked to show. */
import * as l10n from '../../base/l10n.ts';
import { withTimeout } from '../../base/errors.ts';
import { sameSession, type SessionRef } from '../../views/session/sessionRef.ts';
import type { SessionViews } from './sessionViews.ts';

/** For VS Code to make the view. */
const VIEW_TIMEOUT_MS = 5_000;

/** VS Code may make the view only after it was asked to show it. Undefined where the user has gone to something else. */
export async function pageOf(views: Pick<SessionViews, 'active' | 'onDidChange'>, ref: SessionRef): Promise<SessionViews['active']> {
  const page = () => (sameSession(views.active?.ref, ref) ? views.active : undefined);
  let stop = () => undefined as void;
  const shown = new Promise<SessionViews['active']>((resolve) => {
    const look = () => page() && resolve(page());
    const listening = views.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  try {
    return await withTimeout(shown, VIEW_TIMEOUT_MS, l10n.t('showing the session'));
  } catch {
    return undefined;
  } finally {
    stop();
  }
}
