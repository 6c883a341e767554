/** The steps that add a model of the user's own: its server, which model, a test, and its name. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { englishOf, UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { ModelSetting } from '../settings.ts';
import { askUntil } from './askUntil.ts';
import { idOf } from './modelIds.ts';
import { listModels, localServers, locateServer, type ModelServer, RefusedKey, type ServerType, testModel } from './modelServer.ts';

const title = l10n.t('Add a Model');

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
    label: l10n.t('Another server…'),
    detail: l10n.t('Any server with an OpenAI-compatible API: an address and, if needed, a key'),
    prompt: l10n.t('Base URL of the server for OpenAI clients'),
    placeHolder: 'http://127.0.0.1:8080/v1',
  },
  {
    type: 'azure',
    label: l10n.t('Azure OpenAI…'),
    detail: l10n.t('The address of your resource, a key, and the name of a deployment'),
    prompt: l10n.t('Address of the Azure resource'),
    placeHolder: 'https://my-resource.openai.azure.com',
  },
  {
    type: 'anthropic',
    label: l10n.t('Anthropic…'),
    detail: l10n.t('Anthropic or a server with a compatible API: an address and a key'),
    prompt: l10n.t('Base URL of the server for Anthropic clients'),
    placeHolder: 'https://api.anthropic.com',
    value: 'https://api.anthropic.com',
  },
];

/** Undefined when the user cancelled. A server or a key that the user has typed is asked for again until it works. */
export async function askForModel(
  others: readonly ModelSetting[],
  logger: Logger,
): Promise<{ setting: ModelSetting; apiKey: string | undefined } | undefined> {
  const choice = await chooseServer();
  if (!choice) return undefined;
  let server: ModelServer | undefined = 'server' in choice ? choice.server : undefined;
  let problem: UserError | undefined;
  for (;;) {
    if ('step' in choice) server = await askForServer(choice.step, server, problem);
    const model = server && (await chooseModel(server, logger));
    if (!server || !model) return undefined;
    const asked = server;
    try {
      const wireApi = await withCancel(l10n.t`Trying ${model}`, (signal) => testModel(asked, model, signal));
      return wireApi && (await named(server, model, wireApi, others));
    } catch (error) {
      if (!('step' in choice) || !(error instanceof UserError)) throw error;
      problem = error;
    }
  }
}

/** Another address or key of a model that is there, tried with it. Undefined when the user cancelled. */
export async function askForOtherServer(
  { id, model = id, baseUrl, type = 'openai' }: ModelSetting,
  heading: string,
  logger: Logger,
): Promise<(ModelServer & Pick<ModelSetting, 'wireApi'>) | undefined> {
  const step = otherServers.find((one) => one.type === type);
  let server: ModelServer | undefined = { type, baseUrl };
  let problem: UserError | undefined;
  while (step && server) {
    server = await askForServer(step, server, problem, heading);
    if (!server) return undefined;
    const asked: ModelServer = server;
    try {
      const wireApi = await withCancel(l10n.t`Trying ${model}`, (signal) => testModel(asked, model, signal));
      return wireApi && { ...asked, wireApi };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      logger.info(`${model}: ${error.message}`);
      problem = error;
    }
  }
  return undefined;
}

async function named(
  { type, baseUrl, apiKey }: ModelServer,
  model: string,
  wireApi: ModelSetting['wireApi'],
  others: readonly ModelSetting[],
) {
  const id = idOf(model, baseUrl, others);
  const isAnother = others.some((other) => other.id !== id && other.name === model);
  const name = await vscode.window.showInputBox({
    title,
    prompt: l10n.t`Name of the model in the list. It is at ${baseUrl}.`,
    value: isAnother ? `${model} (${new URL(baseUrl).host})` : model,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : l10n.t('Enter a name.')),
  });
  if (name === undefined) return undefined;
  const setting = { id, ...(id !== model && { model }), name: name.trim(), baseUrl, wireApi, ...(type !== 'openai' && { type }) };
  return { setting, apiKey };
}

async function chooseServer(): Promise<{ server: ModelServer } | { step: AddressStep } | undefined> {
  for (;;) {
    const found = await withCancel(l10n.t('Looking for model servers on this computer'), (signal) => localServers(signal));
    if (!found) return undefined;
    const local = found.map(({ name, baseUrl, models }) => ({
      label: name,
      description: baseUrl,
      detail: l10n.plural(models.length, l10n.t`${l10n.countText(models.length)} model`, l10n.t`${l10n.countText(models.length)} models`),
      choice: { server: { type: 'openai', baseUrl } satisfies ModelServer },
    }));
    const again = {
      label: `$(refresh) ${l10n.t('No Ollama or LM Studio runs here. Look again')}`,
      detail: l10n.t('Start it on this computer, then choose this'),
      choice: undefined,
    };
    const others = otherServers.map((step) => ({ label: step.label, detail: step.detail, choice: { step } }));
    const items = [...(local.length > 0 ? local : [again]), ...others];
    const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
      title,
      placeHolder: l10n.t('Where does the model run?'),
    });
    if (picked !== again) return picked?.choice;
  }
}

/** `typed`, `problem`: what was entered before, and why it is asked again. */
async function askForServer(
  { type, prompt, placeHolder, value }: AddressStep,
  typed: ModelServer | undefined,
  problem: UserError | undefined,
  heading = title,
): Promise<ModelServer | undefined> {
  const isKeyWrong = problem instanceof RefusedKey;
  let located = isKeyWrong ? typed : undefined;
  located ??= await askUntil(
    { title: heading, prompt, placeHolder, value: typed?.baseUrl ?? value, problem: problem?.message },
    async (text, signal) => {
      if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
        throw new UserError(l10n.t('Enter an http or https address.'));
      return locateServer({ type, baseUrl: withoutEnd(text, '/') }, signal);
    },
  );
  if (!located) return undefined;
  const { baseUrl } = located;
  const question = l10n.t`API key for ${baseUrl}. Leave it empty when the server needs none. It is kept in the secret storage.`;
  return askUntil(
    { title: heading, prompt: question, password: true, value: typed?.apiKey, problem: isKeyWrong ? problem.message : undefined },
    async (apiKey, signal) => {
      const server = { type, baseUrl, ...(apiKey && { apiKey }) };
      await listModels(server, signal).catch((error: unknown) => {
        // A server may have no list of models.
        if (error instanceof RefusedKey && type !== 'azure') throw error;
      });
      return server;
    },
  );
}

/** Chosen from the server's list, or typed if it has none. */
async function chooseModel(server: ModelServer, logger: Logger): Promise<string | undefined> {
  const ask = async (prompt: string) => (await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }))?.trim();
  // Azure lists the models that can be deployed, not those that are.
  if (server.type === 'azure') return ask(l10n.t('What is the deployment called?'));
  const listed = await withCancel(l10n.t('Asking for the models'), (signal) =>
    listModels(server, signal).catch((error: unknown) => {
      logger.info(`No list of models: ${englishOf(error)}`);
      return [];
    }),
  );
  if (!listed) return undefined;
  if (listed.length === 0) return ask(l10n.t('The server lists no models. What is the model called?'));
  const items = listed.map((id) => ({ label: withoutMarkup(id), id }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: l10n.t('Which model?') }))?.id;
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
