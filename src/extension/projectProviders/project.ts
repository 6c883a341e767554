/** The providers and emitters of a folder's `tap.config.json` as they were read at one time. The user is shown this, and this runs. */
import * as l10n from '../../base/l10n.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/node/sha256.ts';
import { tapConfigPaths } from '../../tap/owner/config/tapConfigPaths.ts';
import type { ProjectProviderConfig } from '../../tap/wire/projectProviders.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import { realPath } from '../sessions/sessionFolder.ts';

export interface Project {
  /** Its real path: what the gateway runs the providers in. */
  readonly folder: string;
  /** Path of the file. */
  readonly file: string;
  readonly providers: readonly ProjectProviderConfig[];
  readonly emitters: readonly EmitterSpec[];
  /** Digest of everything that determines what runs. */
  readonly digest: string;
}

/** Undefined where the folder names no providers. Rejects with a `UserError` that names the file and the field. */
export async function readProject(path: string): Promise<Project | undefined> {
  const folder = realPath(path);
  // Most folders have no such file, and the rules for it are large.
  if (!tapConfigPaths.some((place) => existsSync(join(folder, place)))) return undefined;
  const { readTapConfig } = await import('../../tap/owner/config/tapConfig.ts');
  const config = await readTapConfig(folder);
  if (!config || config.providers.length + config.emitters.length === 0) return undefined;
  return projectOf(folder, config.path, config);
}

export function projectOf(
  folder: string,
  file: string,
  { providers, emitters }: { readonly providers: readonly ProjectProviderConfig[]; readonly emitters: readonly EmitterSpec[] },
): Project {
  const content = providers.map(({ name, command, args, cwd, env }) => [name, command, args, cwd ?? null, Object.entries(env)]);
  const watching = emitters.map((emitter) => Object.entries(emitter).sort(([a], [b]) => (a < b ? -1 : 1)));
  // A list of providers alone is what the user has answered before there were emitters.
  const all = emitters.length === 0 ? [folder, content] : [folder, content, watching];
  return { folder, file, providers, emitters, digest: sha256(JSON.stringify(all)) };
}

/** `2 programs and 1 emitter` */
export function countedParts({ providers, emitters }: Pick<Project, 'providers' | 'emitters'>): string {
  const [programs, watching] = [providers.length, emitters.length];
  const parts = [
    programs > 0 ? l10n.plural(programs, l10n.t`${l10n.countText(programs)} program`, l10n.t`${l10n.countText(programs)} programs`) : '',
    watching > 0 ? l10n.plural(watching, l10n.t`${l10n.countText(watching)} emitter`, l10n.t`${l10n.countText(watching)} emitters`) : '',
  ];
  return l10n.listText(parts.filter(Boolean));
}
