/** The models of agents: keys and models of the user's own, the Copilot engine, the GitHub account. */
import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.ts';
import type { Commands } from '../commandTable.ts';
import { showError } from '../notifications.ts';
import { settings } from '../settings.ts';
import type { WindowServices } from '../windowServices.ts';
import { GitHubAccount } from './gitHubAccount.ts';
import { OwnModels } from './ownModels.ts';

/** `hostOf`: the id of the host that the argument of a command is about. */
export function registerModels({ context, hosts, keys, logger, own }: WindowServices, hostOf: (argument: unknown) => string | undefined) {
  const models = own(new OwnModels(hosts, context.secrets, context.globalState, logger));
  own(models.onDidFail((problem) => void showError(problem)));
  const account = own(new GitHubAccount(hosts, context.globalState, logger));
  keys.follow(vscode.workspace.onDidChangeConfiguration, () => ({ 'tapline.modelAdded': settings.models().length > 0 }));
  const load = lazy(async () => {
    const { ModelCommands } = await import('./modelCommands.ts');
    return new ModelCommands(hosts, models, account, context.extensionPath, logger);
  });
  const commands = {
    connectCopilot: async () => (await load()).connect(),
    addModel: async () => {
      const modelCommands = await load();
      return (await modelCommands.ensureEngine()) && modelCommands.add();
    },
    editModel: async () => (await load()).edit(),
    removeModel: async () => (await load()).remove(),
    signInToGitHub: (argument) => account.signIn(hostOf(argument)),
    installEngine: async () => (await load()).ensureEngine(),
  } satisfies Partial<Commands>;
  return { commands, models, account, load };
}
