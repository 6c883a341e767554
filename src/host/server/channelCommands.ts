/** The commands of clients of AHP 1.0, by method. Each takes checked parameters. Absent are those that this host cannot do. */
import { type Command, commandParams, type CommandParams, type CommandResult } from '../../ahp/channels/commands.ts';
import { knownTerminalClaim } from '../../ahp/channels/shapes/basic.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { commitMessageIn, seenChangesIn } from '../../ahp/commitMessage.ts';
import { firstModelIn } from '../../ahp/sessionMetaKeys.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { checkedParams as paramsOf } from '../checks/checkedParams.ts';
import { OWN_TOOLS } from '../checks/sessionChecks.ts';
import { terminalSize } from '../checks/terminalSize.ts';
import type { Host } from '../host.ts';
import { openClaimedTerminal } from '../sessions/claimedTerminal.ts';
import type { Client } from '../state/clients.ts';
import * as z from 'zod/mini';

type Handlers = {
  readonly [M in Exclude<Command, 'initialize' | 'reconnect' | 'subscribe' | 'fetchTurns'>]?: (
    host: Host,
    params: CommandParams<M>,
    client: Client,
  ) => CommandResult<M> | Promise<CommandResult<M>>;
};

const schemas: Readonly<Record<Command, z.ZodMiniType>> = {
  ...commandParams,
  createTerminal: z.extend(commandParams.createTerminal, {
    claim: knownTerminalClaim,
    cols: z.optional(terminalSize),
    rows: z.optional(terminalSize),
  }),
};

export const commands: Handlers = {
  ping: () => null,
  completions: () => ({ items: [] }),
  listSessions: (host, params) => page(host, params),

  async createSession(host, { channel, provider, workingDirectories = [], config, activeClient, progressToken, _meta }, client) {
    const { clientId } = client;
    const [workingDirectory, ...more] = workingDirectories;
    if (activeClient && activeClient.clientId !== clientId) throw invalid(OWN_TOOLS);
    if (more.length > 0) throw invalid('workingDirectories: a session of this host works in one folder');
    const progress = progressOf(client, progressToken);
    const request = {
      session: channel,
      provider,
      workingDirectory,
      config,
      activeClient,
      onProgress: progress.say,
      model: firstModelIn(_meta),
    };
    // VS Code sends the settings that it has itself, whether or not the agent knows them.
    try {
      await host.sessions.create({ ...request, taken: 'what fits' }, clientId);
    } finally {
      progress.end();
    }
    return null;
  },
  async disposeSession(host, { channel }) {
    await host.sessions.disposeSession(channel);
    return null;
  },

  createChat(host, { channel, chat, source, initialMessage, workingDirectories = [] }) {
    if (workingDirectories.length > 0) throw invalid('workingDirectories: a chat works in the folder of its session');
    if (source && !('turnId' in source)) throw invalid('source: this host makes forks and side chats');
    host.sessions.createChat(channel, { chat, source, initialMessage });
    return null;
  },
  async disposeChat(host, { channel }) {
    await host.sessions.disposeChat(channel);
    return null;
  },

  invokeChangesetOperation(host, { channel, operationId, target, _meta }) {
    host.sessions.wake(channel);
    const [commitMessage, seen] = [commitMessageIn(_meta), seenChangesIn(_meta)];
    return host.changesets.invoke(channel, {
      operationId,
      ...(target && { target }),
      ...(commitMessage !== undefined && { commitMessage }),
      ...(seen !== undefined && { seen }),
    });
  },

  async createTerminal(host, { channel: terminal, claim, cwd, ...params }, { clientId }) {
    if (!isTerminalUri(terminal)) throw invalid('channel must be an ahp-terminal: URI');
    await openClaimedTerminal(host, { terminal, claim, ...params }, cwd, clientId);
    return null;
  },
  disposeTerminal(host, { channel }) {
    if (!host.store.terminal(channel)) throw new RpcError(ErrorCode.NotFound, `there is no terminal ${channel}`);
    host.terminals.disposeTerminal(channel);
    return null;
  },

  resourceRead: (host, params) => host.resources.read(params),
  async resourceWrite(host, { mode = 'truncate', position, ifMatch, ...params }) {
    if (mode !== 'truncate' || position !== undefined || ifMatch !== undefined)
      throw invalid('mode, position, ifMatch: this host writes whole files only, and does not compare them before');
    return host.resources.write(params);
  },
  resourceList: (host, params) => host.resources.list(params),
  resourceCopy: (host, params) => host.resources.copy(params),
  resourceDelete: (host, params) => host.resources.delete(params),
  resourceMove: (host, params) => host.resources.move(params),
  resourceResolve: (host, params) => host.resources.resolve(params),
  resourceMkdir: (host, params) => host.resources.makeDirectory(params),

  async authenticate(host, params) {
    await host.authentication.authenticate(params);
    return {};
  },
  resolveSessionConfig: (host, params) => host.sessionConfigs.resolve(host.sessions.agent(params.provider), params),
  async sessionConfigCompletions(host, params) {
    return { items: await host.sessionConfigs.completions(host.sessions.agent(params.provider), params) };
  },
};

export function isCommand(method: string): method is Command {
  return Object.hasOwn(commandParams, method);
}

/** The parameters themselves when they have the shape of the command. Otherwise throws InvalidParams with the field. */
export function checkedParams<M extends Command>(method: M, params: unknown): CommandParams<M> {
  return paramsOf(schemas[method], params) as CommandParams<M>;
}

/** Tells the client that has asked what goes on, and that it is over: VS Code shows it until then. */
function progressOf(client: Client, progressToken: string | undefined): { say(message: string): void; end(): void } {
  let last: string | undefined;
  const tell = (progress: number) =>
    client.notify('root/progress', { channel: ROOT_CHANNEL, progressToken, progress, total: 1, message: last });
  return {
    say(message) {
      last = message;
      if (progressToken !== undefined) tell(0);
    },
    end() {
      if (progressToken !== undefined && last !== undefined) tell(1);
    },
  };
}

/** Those that clients open, and those that the host opens for calls. */
export function isTerminalUri(uri: URI): boolean {
  return /^(?:ahp-terminal|agenthost-terminal):/.test(uri);
}

/** `cursor`: the session before the page. Throws InvalidParams when it is gone meanwhile. */
function page(host: Host, { cursor, limit = Infinity }: CommandParams<'listSessions'>): CommandResult<'listSessions'> {
  const all = host.sessions.list();
  const before = cursor === undefined ? -1 : all.findIndex(({ summary }) => summary.resource === cursor);
  if (cursor !== undefined && before < 0) throw invalid(`cursor: there is no session ${cursor}; list again`);
  const items = all.slice(before + 1, before + 1 + Math.max(1, limit));
  const last = items.at(-1);
  return {
    items: items.map(({ summary }) => summary),
    ...(last && last !== all.at(-1) && { nextCursor: last.summary.resource }),
  };
}

function invalid(message: string): RpcError {
  return new RpcError(ErrorCode.InvalidParams, message);
}
