/** Connecting Copilot: a model of one's own step by step, a GitHub account, or the engine itself. */
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { confirm, showInfo } from '../notifications.ts';
import { type ModelSetting, settings } from '../settings.ts';
import { withoutMarkup } from '../../views/withoutMarkup.ts';
import { installEngine, isEngineInstalled } from './engineInstaller.ts';
import type { GitHubAccount } from './gitHubAccount.ts';
import { listModels, localServers, type ModelServer, testModel } from './modelServer.ts';
import type { OwnModels } from './ownModels.ts';

const OTHER = 'Another server…';

export class ModelCommands {
  constructor(
    private readonly models: OwnModels,
    private readonly account: GitHubAccount,
    private readonly extensionPath: string,
    private readonly logger: Logger,
  ) {}

  /** Everything that Copilot may lack, as one choice. */
  async connect(): Promise<void> {
    const items: (vscode.QuickPickItem & { run: () => Promise<unknown> })[] = [
      {
        label: '$(server) Add a model of your own…',
        detail: 'Ollama, LM Studio, or any server that speaks like OpenAI’s',
        run: () => this.add(),
      },
      { label: '$(github) Sign in to GitHub', detail: 'Use the models of your Copilot subscription', run: () => this.account.signIn() },
    ];
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Connect Copilot',
      placeHolder: 'Which models should the agent use?',
    });
    if (!picked) return;
    if (await this.ensureEngine()) await picked.run();
  }

  /** True when the engine is there, or was installed now. */
  async ensureEngine(): Promise<boolean> {
    if (isEngineInstalled(this.extensionPath)) return true;
    const detail =
      'It is the package @github/copilot-sdk from the npm registry, about 50 MB to download and 130 MB on disk. It goes into Tapline’s own folder.';
    if (!(await confirm('Install the Copilot engine?', detail, 'Install'))) return false;
    if (!(await installEngine(this.logger))) return false;
    await this.models.giveAgain();
    return true;
  }

  async add(): Promise<void> {
    const title = 'Add a Model';
    const server = await this.#chooseServer(title);
    if (!server) return;
    const model = await this.#chooseModel(title, server);
    if (!model) return;
    const wireApi = await this.#test(server, model);
    if (!wireApi) return;
    const name = await vscode.window.showInputBox({
      title,
      prompt: 'What is the model called in the list?',
      value: model,
      ignoreFocusOut: true,
      validateInput: (value) => (value.trim() ? undefined : 'Enter a name.'),
    });
    if (name === undefined) return;
    const setting: ModelSetting = { id: model, name: name.trim(), baseUrl: server.baseUrl, wireApi };
    await this.models.save(setting, server.apiKey);
    void showInfo(`“${setting.name}” answered and is in the list of Copilot’s models.`);
  }

  async remove(): Promise<void> {
    const all = settings.models();
    if (all.length === 0) {
      void showInfo('You have added no models.');
      return;
    }
    const items = all.map((model) => ({ label: withoutMarkup(model.name), description: model.baseUrl, model }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Remove a Model', placeHolder: 'Which one?' });
    if (picked) await this.models.remove(picked.model.id);
  }

  async #chooseServer(title: string): Promise<ModelServer | undefined> {
    const found = await withCancel('Looking for model servers on this computer', (signal) => localServers(signal));
    if (!found) return undefined;
    if (found.length > 0) {
      const items = [
        ...found.map(({ name, baseUrl, models }) => ({ label: name, description: baseUrl, detail: `${models.length} models`, baseUrl })),
        { label: OTHER, description: '', detail: 'An address and, where needed, a key', baseUrl: undefined },
      ];
      const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'Where does the model run?' });
      if (!picked) return undefined;
      if (picked.baseUrl) return { baseUrl: picked.baseUrl };
    }
    const baseUrl = await vscode.window.showInputBox({
      title,
      prompt: 'Address of the server, as its documentation gives it for OpenAI clients',
      placeHolder: 'http://127.0.0.1:8080/v1',
      ignoreFocusOut: true,
      validateInput: (value) =>
        /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '') ? undefined : 'Enter an http or https address.',
    });
    if (!baseUrl) return undefined;
    const apiKey = await vscode.window.showInputBox({
      title,
      prompt: 'API key. Leave it empty when the server needs none. It is kept in the secret storage.',
      password: true,
      ignoreFocusOut: true,
    });
    if (apiKey === undefined) return undefined;
    return { baseUrl: baseUrl.trim().replace(/\/+$/, ''), ...(apiKey.trim() && { apiKey: apiKey.trim() }) };
  }

  /** From the server's list, or typed in where it has none. */
  async #chooseModel(title: string, server: ModelServer): Promise<string | undefined> {
    const listed = await withCancel('Asking for the models', (signal) =>
      listModels(server, signal).catch((error: unknown) => {
        this.logger.info(`No list of models: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }),
    );
    if (!listed) return undefined;
    if (listed.length > 0) {
      const items = listed.map((id) => ({ label: withoutMarkup(id), id }));
      return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Which model?' }))?.id;
    }
    return vscode.window.showInputBox({ title, prompt: 'The server lists no models. What is the model called?', ignoreFocusOut: true });
  }

  /** Which interface the model answered on; undefined when the user left. */
  async #test(server: ModelServer, model: string): Promise<'completions' | 'responses' | undefined> {
    return withCancel(`Trying ${model}`, async (signal) => {
      try {
        await testModel(server, model, 'completions', signal);
        return 'completions';
      } catch (error) {
        if (!(error instanceof UserError) || !/ answered (404|405):/.test(error.message)) throw error;
        await testModel(server, model, 'responses', signal);
        return 'responses';
      }
    });
  }
}

/** Undefined when the user cancelled. */
async function withCancel<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        return await work(abort.signal);
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    },
  );
}
