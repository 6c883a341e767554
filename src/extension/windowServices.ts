/** What each feature of the window gets to make its parts of. */
import type * as vscode from 'vscode';
import type { CommandId } from './commandTable.ts';
import type { HostRegistry } from './hosts/hostRegistry.ts';
import type { SessionViews } from './sessionView/sessionViews.ts';
import type { SessionsTree } from './sessions/sessionsTree.ts';
import type { ContextKeys } from './window/contextKeys.ts';

export interface WindowServices {
  readonly context: vscode.ExtensionContext;
  readonly logger: vscode.LogOutputChannel;
  readonly hosts: HostRegistry;
  readonly tree: SessionsTree;
  readonly views: SessionViews;
  readonly keys: ContextKeys;
  /** The part goes with the window. */
  own<T extends vscode.Disposable>(part: T): T;
  /** Tells the user what goes wrong. */
  run(id: CommandId, command: () => unknown): Promise<unknown>;
}
