/** The commands of a client of AHP v1, by method. Each takes checked parameters. */
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { isSubagent, topSession } from '../../ahp/subagentUri.ts';
import type { Command, CommandResult, FetchTurnsParams, FetchTurnsResult } from '../../ahp/v1/commands.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';
import { upgradedActiveClient } from '../../ahp/v1/upgrade/upgradedShapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { HostCommand, HostCommandParams } from './commandSchemas.ts';
import type { Host } from '../host.ts';
import type { SessionRequest } from '../sessions/creation/sessionPreparation.ts';
import { openClaimedTerminal } from '../sessions/claimedTerminal.ts';
import { revokeGrants } from '../sessions/revokeGrants.ts';
import { sessionNotFound } from '../sessions/sessions.ts';
import type { Client } from '../state/clients.ts';
import { chatUri } from '../state/chatUris.ts';
import { claimOf } from './words/actionsIn.ts';
import { placeOf, terminalChannel } from './words/names.ts';
import { v1Turns } from './words/v1Parts.ts';
import { v1Summaries } from './words/states.ts';

export type ClientCommand = Exclude<HostCommand, 'initialize' | 'reconnect' | 'subscribe'>;
type Result<M extends ClientCommand> = M extends Command ? CommandResult<M> : null;
type Handlers = {
  readonly [M in ClientCommand]: (host: Host, params: HostCommandParams<M>, client: Client) => Result<M> | Promise<Result<M>>;
};

const DEFAULT_TURNS = 50;
const MAX_TURNS = 200;

export const handlers: Handlers = {
  listSessions: ({ sessions }) => ({ items: sessions.list().flatMap(v1Summaries) }),
  fetchTurns,

  async createSession(host, { session, provider, model, workingDirectory, fork, config, activeClient }, { clientId }) {
    if (fork) requireSession(host, fork.session);
    const request = omitAbsent<SessionRequest>({
      ...({ session, provider, model, workingDirectory, config } as SessionRequest),
      fork: fork && { chat: chatUri(fork.session), turnId: fork.turnId },
      activeClient: activeClient && upgradedActiveClient(activeClient),
      taken: 'all or nothing',
    } as SessionRequest);
    await host.sessions.create(request, clientId);
    return null;
  },
  async disposeSession(host, { session }) {
    if (!host.sessions.facts(session)) {
      if (!isSubagent(session) || !host.sessions.facts(topSession(session))) throw sessionNotFound(session);
      throw new RpcError(ErrorCode.InvalidParams, 'session: that of a subagent goes with the session that started it');
    }
    await host.sessions.disposeSession(session);
    return null;
  },

  async createTerminal(host, { terminal, claim, cwd, name, cols, rows }, { clientId }) {
    if (!terminal.startsWith(TERMINAL_SCHEME)) throw new RpcError(ErrorCode.InvalidParams, `terminal must be a ${TERMINAL_SCHEME} URI`);
    if (claim.kind === 'session') requireSession(host, claim.session);
    const request = { terminal: terminalChannel(terminal), claim: claimOf(claim), name, cols, rows };
    await openClaimedTerminal(host, request, cwd, clientId);
    return null;
  },
  disposeTerminal(host, { terminal }) {
    const channel = terminalChannel(terminal);
    if (!host.store.terminal(channel)) throw new RpcError(ErrorCode.NotFound, `there is no terminal ${terminal}`);
    host.terminals.disposeTerminal(channel);
    return null;
  },

  resourceRead: ({ resources }, params) => resources.read(params),
  resourceWrite: ({ resources }, params) => resources.write(params),
  resourceList: ({ resources }, params) => resources.list(params),
  resourceCopy: ({ resources }, params) => resources.copy(params),
  resourceDelete: ({ resources }, params) => resources.delete(params),
  resourceMove: ({ resources }, params) => resources.move(params),

  async authenticate({ authentication }, params) {
    await authentication.authenticate(params);
    return {};
  },
  async resolveSessionConfig({ sessions, sessionConfigs }, params) {
    const resolved = await sessionConfigs.resolve(sessions.agent(params.provider), params);
    return resolved as CommandResult<'resolveSessionConfig'>;
  },
  async sessionConfigCompletions({ sessions, sessionConfigs }, params) {
    const items = await sessionConfigs.completions(sessions.agent(params.provider), params);
    return { items } as CommandResult<'sessionConfigCompletions'>;
  },

  'tapline/revokeGrants': (host, params) => revokeGrants(host, 'tapline/revokeGrants', params),
};

function fetchTurns(host: Host, { session, before, limit = DEFAULT_TURNS }: FetchTurnsParams): FetchTurnsResult {
  const turns = v1Turns(requireSession(host, session).turns);
  const end = before === undefined ? turns.length : turns.findIndex(({ id }) => id === before);
  if (end < 0) throw new RpcError(ErrorCode.InvalidParams, `before: the session has no turn ${before}`);
  const start = Math.max(0, end - Math.min(limit, MAX_TURNS));
  return { turns: turns.slice(start, end), hasMore: start > 0 };
}

/** The chat of a session, which is loaded where it sleeps. */
function requireSession(host: Host, session: URI): NonNullable<ReturnType<Host['store']['chat']>> {
  host.sessions.wake(topSession(session));
  const place = placeOf(session);
  const chat = place.kind === 'session' ? host.store.chat(place.channel) : undefined;
  if (!chat) throw sessionNotFound(session);
  return chat;
}

export function notFound(resource: URI): RpcError {
  const isOther = resource.startsWith(TERMINAL_SCHEME) || resource.startsWith('agenthost:');
  return isOther ? new RpcError(ErrorCode.NotFound, `there is no ${resource}`) : sessionNotFound(resource);
}
