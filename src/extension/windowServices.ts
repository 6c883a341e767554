/** What each feature of the window gets to make its parts of. */
import type * as vscode from 'vscode';
import type { CommandId } from './commandTable.ts';
import type { HostRegistry } from './hosts/hostRegistry.ts';
import type { ClosableNotifications } from './notifications.ts';
import type { SessionViews } from './sessionView/sessionViews.ts';
import type { SessionsTree } from './sessions/sessionsTree.ts';
import type { ContextKeys } from './window/contextKeys.ts';

/** There before any feature. */
export interface WindowBase {
  readonly context: vscode.ExtensionContext;
  readonly logger: vscode.LogOutputChannel;
  readonly keys: ContextKeys;
  readonly notifications: ClosableNotifications;
  /** The part goes with the window. */
  own<T extends vscode.Disposable>(part: T): T;
  /** Tells the user what goes wrong. */
  run(id: CommandId, command: () => unknown): Promise<unknown>;
  /** Until the user has closed the message. */
  tell(id: CommandId, error: unknown): Promise<void>;
}

export interface WindowServices extends WindowBase {
  readonly hosts: HostRegistry;
  readonly tree: SessionsTree;
  readonly views: SessionViews;
}
