/** The providers of a folder's `tap.config.json` as they were read at one time. The user is shown this, and this runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/node/sha256.ts';
import { tapConfigPaths } from '../../tap/owner/tapConfigPaths.ts';
import type { ProjectProviderConfig } from '../../tap/wire/projectProviders.ts';
import { realPath } from '../sessions/sessionFolder.ts';

export interface Project {
  /** Its real path: what the gateway runs the providers in. */
  readonly folder: string;
  /** Path of the file. */
  readonly file: string;
  readonly providers: readonly ProjectProviderConfig[];
  /** Digest of everything that determines what runs. */
  readonly digest: string;
}

/** Undefined where the folder names no providers. Rejects with a `UserError` that names the file and the field. */
export async function readProject(path: string): Promise<Project | undefined> {
  const folder = realPath(path);
  // Most folders have no such file, and the rules for it are large.
  if (!tapConfigPaths.some((place) => existsSync(join(folder, place)))) return undefined;
  const { readTapConfig } = await import('../../tap/owner/tapConfig.ts');
  const config = await readTapConfig(folder);
  if (!config?.providers.length) return undefined;
  return projectOf(folder, config.path, config.providers);
}

export function projectOf(folder: string, file: string, providers: readonly ProjectProviderConfig[]): Project {
  const content = providers.map(({ name, command, args, cwd, env }) => [name, command, args, cwd ?? null, Object.entries(env)]);
  return { folder, file, providers, digest: sha256(JSON.stringify([folder, content])) };
}
