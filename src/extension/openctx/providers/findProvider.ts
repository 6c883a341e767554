/** A provider of a folder as it was found at one time: what would run, or where texts of files would go. The user is shown this. */
import * as l10n from '../../../base/l10n.ts';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import type { ProviderSettings } from '../../../openctx/protocol/messages.ts';
import { resolveProviderUri } from '../../../openctx/providerUri.ts';
import { folderOf, realPath } from '../../sessions/sessionFolder.ts';
import type { ConfiguredProvider } from './configured.ts';

const MAX_MODULE_BYTES = 32 * 1024 * 1024;

export interface Provider {
  /** Path of the workspace folder, as the workspace names it. */
  readonly folder: string;
  readonly uri: string;
  readonly settings: ProviderSettings;
  /** `path`: its real path. `sha256`: of the file. */
  readonly target:
    { readonly kind: 'endpoint'; readonly url: string } | { readonly kind: 'module'; readonly path: string; readonly sha256: string };
  readonly needsConsent: boolean;
  /** Of all that the user is shown. */
  readonly digest: string;
}

/** `folders`: all of the window. Rejects with a {@link UserError} where it cannot be asked at all. */
export async function findProvider(
  folder: string,
  folders: readonly string[],
  { uri, settings, isUsers }: ConfiguredProvider & { settings: ProviderSettings },
): Promise<Provider> {
  const { kind, url } = resolveProviderUri(uri, folder);
  let target: Provider['target'];
  if (kind === 'http') target = { kind: 'endpoint', url: url.href };
  else {
    const path = realPath(fileURLToPath(url));
    target = { kind: 'module', path, sha256: await fileDigest(path) };
  }
  // What stands in a folder came with it, also where the user's own settings name it.
  const isUsersFile = target.kind === 'module' && isNamedAbsolutely(uri) && folderOf(target.path, folders) === undefined;
  const needsConsent = !isUsers || (target.kind === 'module' && !isUsersFile);
  return { folder, uri, settings, target, needsConsent, digest: sha256(JSON.stringify([realPath(folder), uri, target, settings])) };
}

async function fileDigest(path: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) throw new UserError(l10n.t`There is no file ${path}.`);
  if (file.size > MAX_MODULE_BYTES)
    throw new UserError(l10n.t`${path} has more than ${l10n.countText(MAX_MODULE_BYTES / 1024 / 1024)} MiB.`);
  return sha256(await readFile(path));
}

function isNamedAbsolutely(uri: string): boolean {
  return /^file:/i.test(uri) || isAbsolute(uri);
}
