/** Where the browser comes back to after a sign-in: an address of this computer, for one answer (RFC 8252, section 7.3). */
import * as l10n from '../../base/l10n.ts';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { listenHttp } from '../../base/server/listenHttp.ts';
import { oneLine } from '../../views/text/oneLine.ts';

const PATH = '/signed-in';
const REQUEST_TIMEOUT_MS = 10_000;

export interface RedirectServer extends Disposable {
  readonly url: string;
  /** What the answer must carry. Nobody else knows it. */
  readonly state: string;
  /** The code, and who issued it where the server says so (RFC 9207). Rejects with a {@link UserError} when the server refused. */
  readonly answer: Promise<{ code: string; issuer?: string }>;
}

export async function redirectServer(logger: Logger): Promise<RedirectServer> {
  const state = randomBytes(32).toString('base64url');
  const { server, url } = await listenHttp({
    // eslint-disable-next-line texts/translated -- for the log
    name: 'address for the sign-in',
    port: 0,
    headersTimeoutMs: REQUEST_TIMEOUT_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    logger,
  });
  const answer = new Promise<{ code: string; issuer?: string }>((resolve, reject) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const target = `${url}${request.url ?? '/'}`;
      const { pathname, searchParams } = new URL(URL.canParse(target) ? target : url);
      // Another page may send requests here. Only an answer with the state counts.
      if (request.method !== 'GET' || pathname !== PATH || searchParams.get('state') !== state) {
        say(response, 400, l10n.t('This address is only for the answer to a sign-in that Tapline asked for.'));
        return;
      }
      const code = searchParams.get('code');
      const issuer = searchParams.get('iss');
      if (code === null) {
        say(response, 200, l10n.t('You are not signed in. You can close this page.'));
        const reason = oneLine(searchParams.get('error_description') ?? searchParams.get('error'));
        reject(new UserError(reason === '' ? l10n.t('You are not signed in.') : l10n.t`You are not signed in: ${reason}`));
        return;
      }
      say(response, 200, l10n.t('Thank you. You can close this page and go back to VS Code.'));
      resolve({ code, ...(issuer !== null && { issuer }) });
    });
  });
  // Whoever waits for it hears of it. Until then it must not end the process.
  answer.catch(() => undefined);
  return {
    url: `${url}${PATH}`,
    state,
    answer,
    dispose() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(text);
}
