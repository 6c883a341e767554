/** What a shell cannot do, and what the user is told who asks for it anyway. */
import * as l10n from '../../base/l10n.ts';
import type { PageAbility } from '../../webviews/session/protocol.ts';

export const CANNOT: Readonly<Record<PageAbility, string>> = {
  commands: l10n.t('This page cannot do this. Open the session in VS Code to do it.'),
  start: l10n.t('This page cannot begin a session. Open the session in VS Code to do it.'),
  editor: l10n.t('This page cannot open files, or change them. Open the session in VS Code to do it.'),
  attaching: l10n.t('This page cannot attach files. Open the session in VS Code to do it.'),
  context: l10n.t('This page cannot ask context providers. Open the session in VS Code to do it.'),
  chats: l10n.t('This page cannot rename or delete chats. Open the session in VS Code to do it.'),
  terminals: l10n.t('This page cannot open a terminal. Open the session in VS Code to do it.'),
  signIn: l10n.t('This page cannot sign in. Open the session in VS Code to do it.'),
  emitters: l10n.t('This page cannot watch anything for the session. Open the session in VS Code to do it.'),
};

export function lackedBy(services: { readonly [A in PageAbility]?: unknown }): PageAbility[] {
  return (Object.keys(CANNOT) as PageAbility[]).filter((one) => services[one] === undefined);
}
