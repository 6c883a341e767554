/** Paths of the files through which a gateway is found. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { taplineHome } from '../../base/node/taplineHome.ts';

export const DEFAULT_GATEWAY_PORT = 9400;

/** `COPILOT_HOME`, else `~/.copilot`. */
export function copilotHome(): string {
  return process.env.COPILOT_HOME || join(homedir(), '.copilot');
}

/** The token for providers that are started independently of the gateway. */
export function providerTokenFile(): string {
  return join(copilotHome(), 'extensions', 'tap', '.provider-token');
}

/** The gateway's lock file with its process, URL and owner secret. For session owners. */
export function gatewayLockFile(): string {
  return join(taplineHome(), 'gateway.lock.json');
}

/** The owner secret alone, for programs that do not read the lock file. */
export function ownerSecretFile(): string {
  return join(taplineHome(), 'gateway.owner-secret');
}

/** The key by which the gateway recognizes ids of calls that it has issued before a restart. */
export function idKeyFile(): string {
  return join(taplineHome(), 'gateway.id-key');
}

/** What the gateway keeps for later: who allowed what, what ran. */
export function recordsFile(): string {
  return join(taplineHome(), 'records.db');
}

/** What outlives a gateway that was killed, a file for each session. */
export function journalsFolder(): string {
  return join(taplineHome(), 'gateway.sessions');
}

/** The hashes of the last tokens of {@link providerTokenFile}. */
export function tokenHistoryFile(): string {
  return join(taplineHome(), 'gateway.tokens.json');
}
