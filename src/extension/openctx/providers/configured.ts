/** What the settings say about the providers of a folder, and which of it is the user's own word. */
import * as l10n from '../../../base/l10n.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { ProviderSettings } from '../../../openctx/protocol/messages.ts';

/** What `inspect` of VS Code gives for `openctx.providers`. A workspace brings its own values with it. */
export interface InspectedProviders {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export interface ConfiguredProvider {
  readonly uri: string;
  /** False: switched off. */
  readonly settings: false | ProviderSettings;
  /** The user's own settings say the same. */
  readonly isUsers: boolean;
}

const MAX_PROVIDERS = 100;

/** A folder's value replaces that of the workspace, and this the user's, each for its URI. `problems`: texts for the user. */
export function configuredProviders({ globalValue, workspaceValue, workspaceFolderValue }: InspectedProviders): {
  providers: ConfiguredProvider[];
  problems: { uri: string; message: string }[];
} {
  const users = new Map(Object.entries(isRecord(globalValue) ? globalValue : {}));
  const all = new Map(users);
  for (const values of [workspaceValue, workspaceFolderValue])
    if (isRecord(values)) for (const [uri, value] of Object.entries(values)) all.set(uri, value);
  const providers: ConfiguredProvider[] = [];
  const problems: { uri: string; message: string }[] = [];
  for (const [uri, value] of all) {
    const settings = value === true ? {} : value === false || isRecord(value) ? value : undefined;
    if (settings === undefined) problems.push({ uri, message: l10n.t('The setting must be true, false, or an object with settings.') });
    else if (providers.length === MAX_PROVIDERS)
      problems.push({ uri, message: l10n.t`There are more than ${l10n.countText(MAX_PROVIDERS)} providers.` });
    else providers.push({ uri, settings, isUsers: users.has(uri) && JSON.stringify(users.get(uri)) === JSON.stringify(value) });
  }
  return { providers, problems };
}
