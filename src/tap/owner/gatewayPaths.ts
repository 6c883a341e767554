/** Where the gateway says how it is reached. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { taplineHome } from '../../base/daemon.ts';

export const DEFAULT_GATEWAY_PORT = 9400;

/** `COPILOT_HOME`, else `~/.copilot`. */
export function copilotHome(): string {
  return process.env.COPILOT_HOME || join(homedir(), '.copilot');
}

/** Holds the token for providers that are started beside the gateway. */
export function providerTokenFile(): string {
  return join(copilotHome(), 'extensions', 'tap', '.provider-token');
}

/** The gateway's lock file: process, URL and owner secret. For session owners. */
export function gatewayLockFile(): string {
  return join(taplineHome(), 'gateway.lock.json');
}

/** The owner secret alone, for programs that do not read the lock file. */
export function ownerSecretFile(): string {
  return join(taplineHome(), 'gateway.owner-secret');
}

/** By what the gateway knows the ids of calls that it has issued before a restart. */
export function idKeyFile(): string {
  return join(taplineHome(), 'gateway.id-key');
}
