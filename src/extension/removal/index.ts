/** The command that removes what Tapline has put on the computer. */
import * as vscode from 'vscode';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { copilotHome } from '../../tap/owner/gatewayPaths.ts';
import type { Commands } from '../commandTable.ts';
import { windowsFolder } from '../hosts/index.ts';
import { stopEmbeddedHost } from '../hosts/embeddedHost.ts';
import type { HostTokens } from '../hosts/hostTokens.ts';
import { otherWindows } from '../hosts/windowIdentity.ts';
import type { OwnModels } from '../models/ownModels.ts';
import type { OpenCtxSecrets } from '../openctx/providers/openCtxSecrets.ts';
import { settings } from '../settings.ts';
import type { WindowBase } from '../windowServices.ts';
import type { Removal } from './removeData.ts';

interface Parts {
  readonly tokens: HostTokens;
  readonly models: OwnModels;
  readonly secrets: OpenCtxSecrets;
  /** End processes that windows share. */
  readonly ends: readonly (() => Promise<unknown>)[];
}

export function registerRemoval({ context }: WindowBase, { tokens, models, secrets, ends }: Parts) {
  const removal: Removal = {
    folders: { home: taplineHome(), copilotHome: copilotHome() },
    otherWindows: () => otherWindows(windowsFolder()),
    end: () => context.subscriptions.splice(0).forEach((part) => void part.dispose()),
    endProcesses: async () => {
      await Promise.all([stopEmbeddedHost(), ...ends.map((end) => end())]);
    },
    forget: async () => {
      await models.forgetKeys();
      for (const url of new Set([...tokens.urls, ...settings.hosts().map((host) => host.url)])) await tokens.set(url, undefined);
      for (const name of secrets.names) await secrets.delete(name);
      for (const memory of [context.globalState, context.workspaceState])
        for (const key of memory.keys()) await memory.update(key, undefined);
    },
    uninstall: () => vscode.commands.executeCommand('workbench.extensions.uninstallExtension', context.extension.id),
  };
  const commands = {
    removeData: async () => (await import('./removeData.ts')).removeData(removal),
  } satisfies Partial<Commands>;
  return { commands };
}
