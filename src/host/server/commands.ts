/** The commands of a connected client, by method. Each takes checked parameters. */
import { dropGrants } from '../../ahp/grants.ts';
import type { Command, CommandResult } from '../../ahp/v1/commands.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';
import type { TerminalClaim } from '../../ahp/v1/common.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { Client } from '../state/clients.ts';
import { commandSchemas, type HostCommand, type HostCommandParams } from '../checks/commandSchemas.ts';
import { problemOf } from '../checks/problem.ts';
import { existingDirectory } from '../files/directories.ts';
import type { Host } from '../host.ts';
import { metaChanged } from '../sessions/sessionMeta.ts';
import { sessionNotFound } from '../sessions/sessions.ts';

type HandshakeCommand = 'initialize' | 'reconnect';
type ClientCommand = Exclude<HostCommand, HandshakeCommand>;
type Result<M extends ClientCommand> = M extends Command ? CommandResult<M> : null;
type Handlers = {
  readonly [M in ClientCommand]: (host: Host, params: HostCommandParams<M>, client: Client) => Result<M> | Promise<Result<M>>;
};

const handlers: Handlers = {
  subscribe: (host, { resource }, client) => ({ snapshot: host.subscribe(client, resource) }),
  listSessions: (host) => ({ items: host.sessions.list() }),
  fetchTurns: (host, params) => host.sessions.fetchTurns(params),

  async createSession(host, params, { clientId }) {
    await host.sessions.create(params, clientId);
    return null;
  },
  async disposeSession(host, { session }) {
    await host.sessions.disposeSession(session);
    return null;
  },

  async createTerminal(host, params, { clientId }) {
    const { terminal, claim, cwd } = params;
    if (!terminal.startsWith(TERMINAL_SCHEME)) throw new RpcError(ErrorCode.InvalidParams, `terminal must be a ${TERMINAL_SCHEME} URI`);
    if (claim.kind === 'client' && claim.clientId !== clientId)
      throw new RpcError(ErrorCode.InvalidParams, 'claim.clientId must be the own one');
    requireSession(host, claim);
    await host.terminals.create(params, await existingDirectory(cwd ?? host.defaultDirectory, 'cwd'));
    try {
      // Its session may have been disposed meanwhile. Nobody would end the terminal then.
      requireSession(host, claim);
    } catch (error) {
      host.terminals.disposeTerminal(terminal);
      throw error;
    }
    return null;
  },
  disposeTerminal(host, { terminal }) {
    if (!host.store.terminal(terminal)) throw new RpcError(ErrorCode.NotFound, `there is no terminal ${terminal}`);
    host.terminals.disposeTerminal(terminal);
    return null;
  },

  resourceRead: (host, params) => host.resources.read(params),
  resourceWrite: (host, params) => host.resources.write(params),
  resourceList: (host, params) => host.resources.list(params),
  resourceCopy: (host, params) => host.resources.copy(params),
  resourceDelete: (host, params) => host.resources.delete(params),
  resourceMove: (host, params) => host.resources.move(params),

  async authenticate(host, params) {
    await host.authentication.authenticate(params);
    return {};
  },
  resolveSessionConfig(host, params) {
    const agent = host.sessions.agent(params.provider);
    return host.sessionConfigs.resolve(agent, params);
  },
  async sessionConfigCompletions(host, params) {
    const agent = host.sessions.agent(params.provider);
    return { items: await host.sessionConfigs.completions(agent, params) };
  },

  'tapline/revokeGrants'(host, { session, grants }) {
    host.sessions.wake(session);
    const state = host.store.session(session);
    if (!state) throw sessionNotFound(session);
    const setMeta = (key: string, value: unknown) => host.store.dispatch(metaChanged(state, key, value));
    dropGrants({ state, setMeta }, (kept) => grants.some((grant) => sameJson(grant, kept)));
    return null;
  },
};

function requireSession(host: Host, claim: TerminalClaim): void {
  if (claim.kind !== 'session') return;
  host.sessions.wake(claim.session);
  if (!host.store.session(claim.session)) throw sessionNotFound(claim.session);
}

export function isClientCommand(method: string): method is ClientCommand {
  return Object.hasOwn(handlers, method);
}

/** The parameters themselves when they have the shape of the command. Otherwise throws InvalidParams with the field. */
export function checkedParams<M extends HostCommand>(method: M, params: unknown): HostCommandParams<M> {
  const problem = problemOf(commandSchemas[method], params ?? {}, 'params');
  if (problem) throw new RpcError(ErrorCode.InvalidParams, problem);
  return (params ?? {}) as HostCommandParams<M>;
}

/** Runs a command. Rejects with an {@link RpcError} for everything that the client can know about. */
export async function runCommand(host: Host, method: ClientCommand, params: unknown, client: Client): Promise<unknown> {
  const handler = handlers[method] as (host: Host, params: unknown, client: Client) => unknown;
  return handler(host, checkedParams(method, params), client);
}
