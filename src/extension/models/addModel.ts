/** The steps that add a model of the user's own: its server, which model, a test, and its name. */
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { ModelSetting } from '../settings.ts';
import { listModels, localServers, type ModelServer, type ServerType, testModel } from './modelServer.ts';

const title = 'Add a Model';

interface AddressStep {
  type: ServerType;
  label: string;
  detail: string;
  prompt: string;
  placeHolder: string;
  /** Initial values. */
  value?: string;
}
const otherServers: readonly AddressStep[] = [
  {
    type: 'openai',
    label: 'Another server…',
    detail: 'Any server with an OpenAI-compatible API: an address and, if needed, a key',
    prompt: 'Base URL of the server for OpenAI clients',
    placeHolder: 'http://127.0.0.1:8080/v1',
  },
  {
    type: 'azure',
    label: 'Azure OpenAI…',
    detail: 'The address of your resource, a key, and the name of a deployment',
    prompt: 'Address of the Azure resource',
    placeHolder: 'https://my-resource.openai.azure.com',
  },
  {
    type: 'anthropic',
    label: 'Anthropic…',
    detail: 'Anthropic or a server with a compatible API: an address and a key',
    prompt: 'Base URL of the server for Anthropic clients',
    placeHolder: 'https://api.anthropic.com',
    value: 'https://api.anthropic.com',
  },
];

/** Undefined when the user cancelled. Rejects when the server or the key does not work. */
export async function askForModel(logger: Logger): Promise<{ setting: ModelSetting; apiKey: string | undefined } | undefined> {
  const server = await chooseServer();
  if (!server) return undefined;
  const model = await chooseModel(server, logger);
  if (!model) return undefined;
  const wireApi = await withCancel(`Trying ${model}`, (signal) => testModel(server, model, signal));
  if (!wireApi) return undefined;
  const name = await vscode.window.showInputBox({
    title,
    prompt: 'Name of the model in the list',
    value: model,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : 'Enter a name.'),
  });
  if (name === undefined) return undefined;
  const { type, baseUrl, apiKey } = server;
  return { setting: { id: model, name: name.trim(), baseUrl, wireApi, ...(type !== 'openai' && { type }) }, apiKey };
}

async function chooseServer(): Promise<ModelServer | undefined> {
  const found = await withCancel('Looking for model servers on this computer', (signal) => localServers(signal));
  if (!found) return undefined;
  const local = found.map(({ name, baseUrl, models }) => ({
    label: name,
    description: baseUrl,
    detail: `${models.length} models`,
    server: { type: 'openai', baseUrl } satisfies ModelServer,
  }));
  const items = [...local, ...otherServers.map((step) => ({ label: step.label, detail: step.detail, step }))];
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'Where does the model run?' });
  if (!picked) return undefined;
  return 'server' in picked ? picked.server : askForServer(picked.step);
}

async function askForServer({ type, prompt, placeHolder, value }: AddressStep): Promise<ModelServer | undefined> {
  const baseUrl = await vscode.window.showInputBox({
    title,
    prompt,
    placeHolder,
    value,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ? undefined : 'Enter an http or https address.',
  });
  if (!baseUrl) return undefined;
  const apiKey = await vscode.window.showInputBox({
    title,
    prompt: 'API key. Leave it empty when the server needs none. It is kept in the secret storage.',
    password: true,
    ignoreFocusOut: true,
  });
  if (apiKey === undefined) return undefined;
  return { type, baseUrl: baseUrl.trim().replace(/\/+$/, ''), ...(apiKey.trim() && { apiKey: apiKey.trim() }) };
}

/** Chosen from the server's list, or typed if it has none. */
async function chooseModel(server: ModelServer, logger: Logger): Promise<string | undefined> {
  const ask = async (prompt: string) => (await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }))?.trim();
  // Azure lists the models that can be deployed, not those that are.
  if (server.type === 'azure') return ask('What is the deployment called?');
  const listed = await withCancel('Asking for the models', (signal) =>
    listModels(server, signal).catch((error: unknown) => {
      logger.info(`No list of models: ${messageOf(error)}`);
      return [];
    }),
  );
  if (!listed) return undefined;
  if (listed.length === 0) return ask('The server lists no models. What is the model called?');
  const items = listed.map((id) => ({ label: withoutMarkup(id), id }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Which model?' }))?.id;
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
