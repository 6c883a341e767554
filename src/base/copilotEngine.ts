/** Where the Copilot engine is. It is a package of 130 MB that Tapline does not bring: it is found, or installed when the user asks for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { taplineHome } from './daemon.ts';

export const ENGINE_PACKAGE = '@github/copilot-sdk';
/** The version that Tapline is built and tested with. */
export const ENGINE_VERSION = '1.0.14';

/** Where it is installed for Tapline. */
export function engineHome(): string {
  return join(taplineHome(), 'engine');
}

/** `node_modules` folders that may hold it, best first: what was installed for Tapline, then that of the repository below `root`. */
export function engineFolders(root: string): string[] {
  return [join(engineHome(), 'node_modules'), join(root, 'node_modules')];
}

/** Platforms that there are engines for, and the package of each beside the one of all. Linux has two, by its C library. */
function enginePlatforms(platform: string, arch: string): string[] {
  if (arch !== 'x64' && arch !== 'arm64') return [];
  if (platform === 'linux') return [`linux-${arch}`, `linuxmusl-${arch}`];
  return platform === 'darwin' || platform === 'win32' ? [`${platform}-${arch}`] : [];
}

/** Says that there is no engine for this platform; undefined where there is one to be had. */
export function noEngineHere(platform: string = process.platform, arch: string = process.arch): string | undefined {
  return enginePlatforms(platform, arch).length > 0 ? undefined : `There is no Copilot engine for this platform (${platform}-${arch}).`;
}

/** The folder of the package in the first of the folders that has it, with the part for this platform: npm leaves that out silently when it cannot get it. */
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
