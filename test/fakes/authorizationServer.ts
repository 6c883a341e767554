/** A small authorization server: it registers any program and lets the user in at once. For what real ones do with a person, there is none here. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AuthorizationServer {
  readonly url: string;
  /** What it was asked for: queries of the page, forms and registrations, by path. */
  readonly asked: { path: string; values: Record<string, string> }[];
  /** How it answers the next sign-ins. */
  mood:
    | 'agrees'
    | 'refuses'
    | 'answers for another'
    | 'is another'
    | 'registers nobody'
    | 'answers too much'
    | 'refuses at length'
    | 'names itself'
    | 'forgets to name itself';
  /** Where it describes itself. */
  wellKnown: 'oauth-authorization-server' | 'openid-configuration';
  /** How long its tokens last, as it says it. Absent: it says nothing. */
  lasts?: unknown;
  close(): Promise<void>;
}

export async function authorizationServer(): Promise<AuthorizationServer> {
  const challenges = new Map<string, string>();
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', own.url);
      const json = (status: number, value: object) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      const note = (values: Record<string, string>) => own.asked.push({ path: pathname, values });
      switch (pathname) {
        case `/.well-known/${own.wellKnown}`:
          if (own.mood === 'answers too much') return response.end('x'.repeat(1_000_000));
          return json(200, {
            issuer: own.mood === 'is another' ? 'https://other.example' : own.url,
            authorization_endpoint: `${own.url}/authorize`,
            token_endpoint: `${own.url}/token`,
            ...(own.mood !== 'registers nobody' && { registration_endpoint: `${own.url}/register` }),
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            ...(own.mood.endsWith('itself') && { authorization_response_iss_parameter_supported: true }),
            ...{ jwks_uri: `${own.url}/keys`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
          });
        case '/register':
          note({ body });
          if (own.mood === 'refuses at length') return response.writeHead(400).end('no\n'.repeat(50_000));
          return json(201, { ...(JSON.parse(body) as object), client_id: 'tapline-1' });
        case '/authorize': {
          const values = Object.fromEntries(searchParams);
          note(values);
          const code = randomUUID();
          challenges.set(code, values['code_challenge'] ?? '');
          const answer = new URL(values['redirect_uri'] ?? '');
          answer.searchParams.set('state', values['state'] ?? '');
          if (own.mood === 'refuses') answer.searchParams.set('error', 'access_denied');
          else answer.searchParams.set('code', code);
          if (own.mood === 'names itself') answer.searchParams.set('iss', own.url);
          if (own.mood === 'answers for another') answer.searchParams.set('iss', 'https://other.example');
          return response.writeHead(302, { Location: answer.href }).end();
        }
        case '/token': {
          const values = Object.fromEntries(new URLSearchParams(body));
          note(values);
          const expected = createHash('sha256')
            .update(values['code_verifier'] ?? '')
            .digest('base64url');
          if (challenges.get(values['code'] ?? '') !== expected) return json(400, { error: 'invalid_grant' });
          return json(200, {
            access_token: 'signed-in-token',
            token_type: 'Bearer',
            ...(own.lasts !== undefined && { expires_in: own.lasts }),
          });
        }
        default:
          return response.writeHead(404).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own: AuthorizationServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    mood: 'agrees',
    wellKnown: 'oauth-authorization-server',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return own;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
