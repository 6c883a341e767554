/** What a shell cannot do, and what the user is told who asks for it anyway. */
import * as l10n from '@vscode/l10n';
import type { PageAbility } from '../../webviews/session/protocol.ts';

const inVsCode = (what: string) => l10n.t`This page cannot ${what}. Open the session in VS Code to do it.`;

export const CANNOT: Readonly<Record<PageAbility, string>> = {
  commands: inVsCode(l10n.t('do this')),
  start: inVsCode(l10n.t('begin a session')),
  editor: inVsCode(l10n.t('open files, or change them')),
  attaching: inVsCode(l10n.t('attach files')),
  context: inVsCode(l10n.t('ask context providers')),
  chats: inVsCode(l10n.t('rename or delete chats')),
  terminals: inVsCode(l10n.t('open a terminal')),
  signIn: inVsCode(l10n.t('sign in')),
  emitters: inVsCode(l10n.t('watch anything for the session')),
};

export function lackedBy(services: { readonly [A in PageAbility]?: unknown }): PageAbility[] {
  return (Object.keys(CANNOT) as PageAbility[]).filter((one) => services[one] === undefined);
}
