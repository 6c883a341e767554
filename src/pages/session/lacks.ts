/** What a shell cannot do, and what the user is told who asks for it anyway. */
import type { PageAbility } from '../../webviews/session/protocol.ts';

const inVsCode = (what: string) => `This page cannot ${what}. Open the session in VS Code to do it.`;

export const CANNOT: Readonly<Record<PageAbility, string>> = {
  commands: inVsCode('do this'),
  start: inVsCode('begin a session'),
  editor: inVsCode('open files, or change them'),
  attaching: inVsCode('attach files'),
  context: inVsCode('ask context providers'),
  chats: inVsCode('rename or delete chats'),
  terminals: inVsCode('open a terminal'),
  signIn: inVsCode('sign in'),
  emitters: inVsCode('watch anything for the session'),
};

export function lackedBy(services: { readonly [A in PageAbility]?: unknown }): PageAbility[] {
  return (Object.keys(CANNOT) as PageAbility[]).filter((one) => services[one] === undefined);
}
