/** What a page may ask for where a session is only looked at. Whoever adds a message to the protocol says it here. */
import type { SessionMessage, WebviewRequestMethod } from '../../webviews/session/protocol.ts';

const messages: Readonly<Record<Exclude<SessionMessage['type'], 'request'>, boolean>> = {
  watch: true,
  unwatch: true,
  context: true,
  openDiff: true,
  openFile: true,
  openSession: true,
  showTurnChanges: true,
  useCode: true,
  applyCode: true,
  openTerminal: true,
  draft: true,
  runCommand: true,
  // Both are about a session, and change nothing in it: it is asked for again, and another one is begun.
  reopen: true,
  newSessionWith: true,
  dispatch: false,
  resolveUnknown: false,
  releaseLent: false,
  renameChat: false,
  deleteChat: false,
  typeIntoTerminal: false,
  signIn: false,
  revokeGrants: false,
};

const requests: Readonly<Record<WebviewRequestMethod, boolean>> = {
  readResource: true,
  readImage: true,
  fetchTurns: true,
  pickAttachments: false,
  attachDropped: false,
  attachContent: false,
  contextOfEditor: false,
  findFiles: false,
  findPrompts: false,
  readPrompt: false,
  findMentions: false,
  contextOfMention: false,
  contextOfFiles: false,
  createChat: false,
  nameChat: false,
  removeChat: false,
  goBack: false,
  emitters: false,
};

export function onlyLooks(message: SessionMessage): boolean {
  return message.type === 'request' ? requests[message.method] : messages[message.type];
}
