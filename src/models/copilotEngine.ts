/**
 * Where the Copilot engine is. It is a package of 130 MB that Tapline does not contain. It is found in known folders, or installed when the
 * user asks for it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { phrase, type Words } from '../base/text/phrase.ts';
import { taplineHome } from '../base/node/taplineHome.ts';

export const ENGINE_PACKAGE = '@github/copilot-sdk';
/** Of the package and of its parts for the platforms, as their manifests say. */
export const ENGINE_LICENSE = 'MIT';

/** Where it is installed for Tapline. */
export function engineHome(): string {
  return join(taplineHome(), 'engine');
}

/**
 * `node_modules` folders that may hold the engine, best first: the one installed for Tapline, then the one of the repository below `root`.
 */
export function engineFolders(root: string): string[] {
  return [join(engineHome(), 'node_modules'), join(root, 'node_modules')];
}

/** The platform packages that the engine may need beside its main one. Linux has two, one for each C library. */
function enginePlatforms(platform: string, arch: string): string[] {
  if (arch !== 'x64' && arch !== 'arm64') return [];
  if (platform === 'linux') return [`linux-${arch}`, `linuxmusl-${arch}`];
  return platform === 'darwin' || platform === 'win32' ? [`${platform}-${arch}`] : [];
}

/** A message when there is no engine for this platform, otherwise undefined. */
export function noEngineHere(platform: string = process.platform, arch: string = process.arch): Words | undefined {
  return enginePlatforms(platform, arch).length > 0
    ? undefined
    : phrase`There is no Copilot engine for this platform (${platform}-${arch}).`;
}

/**
 * The folder of the main package, from the first folder that has it together with a platform package. npm leaves the platform package out
 * silently when it cannot download it.
 */
export function findEngine(
  folders: readonly string[],
  platform: string = process.platform,
  arch: string = process.arch,
): string | undefined {
  const holds = (folder: string) => existsSync(join(folder, 'package.json'));
  return folders
    .map((folder) => join(folder, ENGINE_PACKAGE))
    .find((folder) => holds(folder) && enginePlatforms(platform, arch).some((name) => holds(`${folder}-${name}`)));
}
