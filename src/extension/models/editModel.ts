/** The steps that change one thing of a model that the user has added. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { Logger } from '../../base/log.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { type ModelSetting, settings } from '../settings.ts';
import { askForOtherServer } from './addModel.ts';

/** `apiKey`: the one to keep from now on; absent where that stays as it is. */
export interface ChangedModel {
  readonly setting: ModelSetting;
  readonly key?: { readonly apiKey: string | undefined };
}

const TITLE = l10n.t('Edit a Model');

/** Undefined when the user cancelled, or changes it in the settings. */
export async function askForChange(models: readonly ModelSetting[], logger: Logger): Promise<ChangedModel | undefined> {
  const listed = models.map((model) => ({ label: withoutMarkup(model.name), description: withoutMarkup(model.baseUrl), model }));
  const picked =
    listed.length === 1 ? listed[0] : await vscode.window.showQuickPick(listed, { title: TITLE, placeHolder: l10n.t('Which one?') });
  if (!picked) return undefined;
  const { model } = picked;
  const { contextWindow, vision } = model;
  const things = [
    { label: l10n.t('Name…'), description: withoutMarkup(model.name), ask: () => askForName(model) },
    { label: l10n.t('Address and Key…'), description: withoutMarkup(model.baseUrl), ask: () => askForServer(model, logger) },
    {
      label: l10n.t('Context Window…'),
      description: contextWindow === undefined ? l10n.t('not known') : l10n.t`${l10n.countText(contextWindow)} tokens`,
      ask: () => askForContextWindow(model),
    },
    {
      label: l10n.t('Images…'),
      description: vision === undefined ? l10n.t('not known') : vision ? l10n.t('takes images') : l10n.t('text only'),
      ask: () => askForImages(model),
    },
    { label: l10n.t('All in the Settings'), description: 'tapline.models', ask: () => settings.openModels().then(() => undefined) },
  ];
  const thing = await vscode.window.showQuickPick(things, {
    title: withoutMarkup(`${TITLE}: ${model.name}`),
    placeHolder: l10n.t('What do you want to change?'),
  });
  return thing?.ask();
}

async function askForName(model: ModelSetting): Promise<ChangedModel | undefined> {
  const name = await vscode.window.showInputBox({
    title: TITLE,
    prompt: l10n.t('Name of the model in the list'),
    value: model.name,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : l10n.t('Enter a name.')),
  });
  return name === undefined ? undefined : { setting: { ...model, name: name.trim() } };
}

async function askForServer(model: ModelSetting, logger: Logger): Promise<ChangedModel | undefined> {
  const other = await askForOtherServer(model, TITLE, logger);
  return other && { setting: { ...model, baseUrl: other.baseUrl, wireApi: other.wireApi }, key: { apiKey: other.apiKey } };
}

async function askForContextWindow(model: ModelSetting): Promise<ChangedModel | undefined> {
  const text = await vscode.window.showInputBox({
    title: TITLE,
    prompt: l10n.t('Context window in tokens. Leave it empty where you do not know it.'),
    value: model.contextWindow?.toString() ?? '',
    ignoreFocusOut: true,
    validateInput: (value) => (/^(?:[1-9]\d{0,8})?$/.test(value.trim()) ? undefined : l10n.t('Enter a whole number of tokens.')),
  });
  if (text === undefined) return undefined;
  const { contextWindow: _before, ...others } = model;
  return { setting: text.trim() === '' ? others : { ...others, contextWindow: Number(text) } };
}

async function askForImages(model: ModelSetting): Promise<ChangedModel | undefined> {
  const choices = [
    { label: l10n.t('It takes images'), vision: true },
    { label: l10n.t('It takes text only'), vision: false },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: TITLE });
  return chosen && { setting: { ...model, vision: chosen.vision } };
}
