/** How a window connects to Tapline's own agent host: one detached process for each user, started when it is not running. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectNodeTransport } from '../../ahp/client/nodeTransport.ts';
import type { TransportFactory } from '../../ahp/client/transport.ts';
import { findOrStartDaemon, stopDaemon } from '../../base/daemon/daemon.ts';
import type { Logger } from '../../base/log.ts';
import { knownLanguage } from '../../base/node/languageBundle.ts';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { phrase } from '../../base/text/phrase.ts';

/** A placeholder: the host has another port and token at each start. */
export const EMBEDDED_HOST_URL = 'ws://127.0.0.1';
const NAME = phrase`built-in agent host`;

export function embeddedHostLog(): string {
  return join(taplineHome(), 'host.log');
}

function lockFile(): string {
  return join(taplineHome(), 'host.lock.json');
}

/** Also for other windows. Waits until it has ended, and rejects with a `UserError` when it does not. False when none runs. */
export function stopEmbeddedHost(): Promise<boolean> {
  return stopDaemon({ name: NAME, lockFile: lockFile() });
}

export interface EmbeddedHostOptions {
  /** The host's, for people. One that runs in another language is replaced at the first attempt to connect, if nobody uses it. */
  language?: string;
  /** It speaks version 1.1 of the protocol. */
  speaks11?: () => boolean;
}

/** For all connections of a window. Each attempt to connect finds the running host or starts one. */
export function embeddedHostTransport(
  extensionPath: string,
  logger: Logger,
  { language = 'en', speaks11 = () => false }: EmbeddedHostOptions = {},
): TransportFactory {
  const { version } = JSON.parse(readFileSync(join(extensionPath, 'package.json'), 'utf8')) as { version: string };
  let wanted: string | undefined = knownLanguage(join(extensionPath, 'l10n'), language)?.language ?? 'en';
  return async (_url, signal) => {
    const replaced = { version, ...(wanted !== undefined && { language: wanted }) };
    // Once: windows of two languages that fail for another reason would else end each other's host at each attempt.
    wanted = undefined;
    const record = await findOrStartDaemon(
      {
        name: NAME,
        lockFile: lockFile(),
        logFile: embeddedHostLog(),
        ...replaced,
        args: [
          ...[join(extensionPath, 'dist', 'host.cjs'), '--daemon', '--lock-file', lockFile(), '--language', language],
          ...(speaks11() ? ['--ahp-1.1'] : []),
        ],
      },
      logger,
      signal,
    );
    return connectNodeTransport(undefined, record.token)(record.url, signal);
  };
}
