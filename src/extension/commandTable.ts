/** Every command of the extension, in one place. The manifest declares the same ids with titles and icons; a test compares the two. */
export const commandIds = [
  'newSession',
  'startDemo',
  'openSession',
  'openSessionInEditor',
  'renameSession',
  'archiveSession',
  'unarchiveSession',
  'markSessionRead',
  'markSessionUnread',
  'deleteSession',
  'copySessionUri',
  'refreshSessions',
  'filterSessions',
  'clearSessionFilter',
  'toggleArchived',
  'showNeedsYou',
  'approve',
  'deny',
  'nextWaiting',
  'stopTurn',
  'focusComposer',
  'attachToSession',
  'jumpToLatest',
  'connectCopilot',
  'addModel',
  'removeModel',
  'signInToGitHub',
  'installEngine',
  'addHost',
  'editHost',
  'enterHostToken',
  'removeHost',
  'reconnectHost',
  'showConnections',
  'updateTapline',
  'showLog',
  'showHostLog',
  'startWireLog',
  'stopWireLog',
  'replayWireLog',
] as const;
export type CommandId = (typeof commandIds)[number];

/** What the answer keys give their command in the manifest; the palette gives nothing. */
export const ANSWER_KEY = 'key';

/** The id as VS Code knows it. */
export function commandName(id: CommandId): string {
  return `tapline.${id}`;
}
