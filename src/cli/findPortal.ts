/** Which portal a command is for. */
import { join, resolve } from 'node:path';
import { readAddressFile } from '../base/daemon/addressFile.ts';
import { taplineHome } from '../base/node/taplineHome.ts';
import { CliError, exitCodes } from './cliError.ts';

export interface PortalAddress {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Empty: it was started without one. */
  token: string;
}
export interface PortalOptions {
  url?: string;
  token?: string;
  /** The folder of the portal's data. */
  data?: string;
}

/** By the options, else by the environment, else the one that runs at the data folder. */
export function findPortal({ url, token, data }: PortalOptions, env: NodeJS.ProcessEnv): PortalAddress {
  const named = url ?? env['TAPLINE_PORTAL_URL'];
  // A token is sent only where the user said that it belongs.
  if (named !== undefined) return { url: checked(named), token: token ?? env['TAPLINE_PORTAL_TOKEN'] ?? '' };
  if (token !== undefined) throw new CliError(exitCodes.usage, '--token goes with --url.');
  const file = join(resolve(data ?? join(taplineHome(), 'portal')), 'portal.json');
  const found = readAddressFile(file);
  if (found) return { url: checked(found.url), token: found.token };
  throw new CliError(
    exitCodes.notRunning,
    `No portal runs with the data in ${join(file, '..')}. Start one with “npm run portal”, or name one with --data, or with --url and --token.`,
  );
}

function checked(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(url.hostname))
    throw new CliError(exitCodes.usage, `The URL of a portal is http://127.0.0.1:PORT, not “${text}”.`);
  return url.origin;
}
