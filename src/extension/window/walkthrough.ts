/** The walkthrough: opened on the first start, and what ticks its steps in whichever way they were done. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { DEMO_PROVIDER } from '../../views/newSession/startOffer.ts';
import type { ContextKeys } from './contextKeys.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';

const OPENED_KEY = 'tapline.walkthroughOpened';

/**
 * VS Code opens it only for an extension that is installed while its window is open. Its setting for that counts here too. Whoever has used
 * Tapline before has no first start any more. To be called before anything else is kept.
 */
export async function openOnFirstStart({ globalState, extension }: vscode.ExtensionContext): Promise<void> {
  if (globalState.keys().length > 0) return;
  await globalState.update(OPENED_KEY, true);
  if (!vscode.workspace.getConfiguration('workbench').get('welcomePage.walkthroughs.openOnInstall', true)) return;
  await openWalkthrough(extension.id);
}

export async function openWalkthrough(extensionId: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false);
}

export class WalkthroughSteps implements Disposable {
  readonly #store = new DisposableStore();

  constructor(hosts: HostRegistry, decisions: DecisionLog, keys: ContextKeys) {
    const look = () => {
      const sessions = hosts.all.filter(({ kind }) => kind === 'embedded').flatMap((host) => host.input().sessions);
      if (sessions.some(({ provider }) => provider === DEMO_PROVIDER)) keys.set('tapline.demoStarted', true);
      if (hosts.all.some(({ kind }) => kind === 'configured' || kind === 'vscode')) keys.set('tapline.otherHostAdded', true);
    };
    this.#store.add(hosts.onDidChange(look));
    this.#store.add(decisions.onDidChange(() => decisions.hasOwn && keys.set('tapline.answeredOnce', true)));
    look();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
