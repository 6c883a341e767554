/**
 * A folder for the engine's temporary files, such as results of tools that are too large for a model, in place of the system's, where other
 * users could read them. Several hosts may share the engine's data, so each has a folder of its own in it.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { englishOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import { isRunning, ownIdentity } from '../../../../base/daemon/processIdentity.ts';
import { sha256 } from '../../../../base/node/sha256.ts';

/** Of a folder whose host cannot be checked from here: it was before a restart of the computer, or is in another container. */
const UNKNOWN_KEPT_MS = 24 * 60 * 60_000;
/** Of the digest of a namespace. */
const NAMESPACE_LENGTH = 16;

const namespace = () => sha256(ownIdentity().pidNamespace).slice(0, NAMESPACE_LENGTH);

/** Makes this host's own, and removes those of hosts that are gone. `home`: the folder of the engine's data. */
export function makeTemporaryFolder(home: string, logger: Logger): string {
  const all = join(home, 'tmp');
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const own = join(all, `${namespace()}.${ownIdentity().startTime}.${process.pid}`);
  for (const name of readdirSync(all)) if (join(all, name) !== own && isLeft(join(all, name), name)) removeFolder(join(all, name), logger);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

export function removeFolder(folder: string, logger: Logger): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    logger.warn(`${folder} could not be removed: ${englishOf(error)}. It is tried again at the next start.`);
  }
}

function isLeft(folder: string, name: string): boolean {
  const [namespaceOf, startTime = '', pid] = name.split('.');
  if (namespaceOf === namespace()) return isRunning(Number(pid), { startTime, pidNamespace: ownIdentity().pidNamespace }) === false;
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return Date.now() - mtimeMs > UNKNOWN_KEPT_MS;
}
