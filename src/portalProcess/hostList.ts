/** The list of other agent hosts, from the file of the user: the shape of the setting `tapline.hosts`, and tokens. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { chatNamesMeta } from '../ahp/chatNames.ts';
import { AgentHostClient } from '../ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../ahp/client/nodeTransport.ts';
import { type TransportFactory, TransportError } from '../ahp/client/transport.ts';
import { messageOf, UserError } from '../base/errors.ts';
import { isPlainHostUrl } from '../base/connection/hostNames.ts';
import type { Logger } from '../base/log.ts';
import { readFileOf, readOwnFile } from '../base/node/ownFile.ts';
import { hostName } from '../portal/entry/hosts.ts';

const token = z.string().regex(/^[\x21-\x7e]{1,1000}$/, 'must be a token');
const listed = z
  .strictObject({
    name: hostName,
    url: z.string().refine(isPlainHostUrl, 'must begin with ws:// or wss://, and have no token, name or password in it'),
    token: token.optional(),
    tokenFile: z.string().min(1).optional(),
    sendToken: z.boolean().optional(),
  })
  .refine(({ token: own, tokenFile }) => own === undefined || tokenFile === undefined, 'has a token and a tokenFile');
const list = z
  .array(listed)
  .max(100)
  .refine((hosts) => new Set(hosts.map(({ name }) => name)).size === hosts.length, 'names a host twice');
export type ListedHost = z.infer<typeof listed>;

/** Rejects with a {@link UserError} that names the file. A file with tokens must be readable by its user only. */
export function readHostList(file: string): ListedHost[] {
  try {
    const { text, isPrivate } = readFileOf(file);
    const parsed = list.safeParse(JSON.parse(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Error(`${['hosts', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
    }
    if (!isPrivate && parsed.data.some((host) => host.token !== undefined))
      throw new Error('it has tokens in it, so only you may be able to read and write it (chmod 600)');
    for (const { tokenFile } of parsed.data) if (tokenFile !== undefined) readToken(file, tokenFile);
    return parsed.data;
  } catch (error) {
    // An error of the parser quotes the text.
    throw new UserError(`${file}: ${error instanceof SyntaxError ? 'it is no JSON' : messageOf(error)}`);
  }
}

/** Files that have a say in where work runs. */
export function filesOf(file: string, hosts: readonly ListedHost[]): string[] {
  return [file, ...hosts.flatMap(({ tokenFile }) => (tokenFile === undefined ? [] : pathOf(file, tokenFile)))];
}

/** Clients that connect by themselves, and say in the log when that changes. Close them. */
export function connectHosts(file: string, hosts: readonly ListedHost[], logger: Logger): Map<string, AgentHostClient> {
  return new Map(
    hosts.map((host) => {
      const { name, url, sendToken } = host;
      const client = AgentHostClient.create({
        // The portal's tasks and questions are in the words of AHP v1.
        ...{ url, name, logger, meta: chatNamesMeta },
        ...(sendToken ? { token: tokenOf(file, host), transport: connectNodeTransport() } : { transport: proving(file, host) }),
      });
      let said: string | undefined;
      client.onDidChangeState(({ kind, ...state }) => {
        const now = kind === 'connected' ? 'connected' : 'reason' in state ? state.reason.message : undefined;
        if (now === undefined || now === said) return;
        said = now;
        logger.info(`agent host “${name}”: ${now}`);
      });
      return [name, client];
    }),
  );
}

/** A host that starts again has another token, so its file is read at each attempt. */
function proving(file: string, host: ListedHost): TransportFactory {
  return (url, signal) => {
    let secret: string | undefined;
    try {
      // What is written there now for another address is not proved to this one.
      const now = readHostList(file).find((one) => one.name === host.name && one.url === host.url);
      secret = now && tokenOf(file, now);
      if (!now) throw new Error(`${file} does not name this address any more`);
    } catch (error) {
      return Promise.reject(new TransportError('unreachable', messageOf(error), 'no token'));
    }
    return connectNodeTransport(undefined, secret)(url, signal);
  };
}

function tokenOf(file: string, { token: own, tokenFile }: ListedHost): string | undefined {
  return tokenFile === undefined ? own : readToken(file, tokenFile);
}

function readToken(file: string, tokenFile: string): string {
  const path = pathOf(file, tokenFile);
  const { success, data } = token.safeParse(readOwnFile(path).trim());
  if (!success) throw new UserError(`${path}: it must hold a token and nothing else`);
  return data;
}

function pathOf(file: string, tokenFile: string): string {
  return resolve(dirname(file), tokenFile);
}
