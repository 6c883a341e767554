/** The shape of every command's parameters. */
import type { Command } from '../../ahp/v1/commands.ts';
import { arrayOf, boolean, finiteNumber, integer, name, object, oneOf, record, string, type Shape } from './shape.ts';
import { activeClient, modelSelection, terminalClaim, terminalSize, uri } from './wireShapes.ts';

const resource = object({ uri });
const transfer = object({ source: uri, destination: uri }, { failIfExists: boolean });
const encoding = oneOf('base64', 'utf-8');
const configQuery = { provider: name, workingDirectory: uri, config: record };

export const commandShapes: Readonly<Record<Command, Shape>> = {
  initialize: object({ protocolVersion: finiteNumber, clientId: name }, { initialSubscriptions: arrayOf(string), locale: string }),
  reconnect: object({ clientId: name, lastSeenServerSeq: integer(0), subscriptions: arrayOf(string) }),
  subscribe: object({ resource: string }),
  createSession: object(
    { session: uri },
    {
      provider: name,
      model: modelSelection,
      workingDirectory: uri,
      fork: object({ session: uri, turnId: name }),
      config: record,
      activeClient,
    },
  ),
  disposeSession: object({ session: string }),
  createTerminal: object({ terminal: uri, claim: terminalClaim }, { name: string, cwd: uri, cols: terminalSize, rows: terminalSize }),
  disposeTerminal: object({ terminal: string }),
  listSessions: object({}, { filter: record }),
  resourceRead: object({ uri }, { encoding }),
  resourceWrite: object({ uri, data: string, encoding }, { contentType: string, createOnly: boolean }),
  resourceList: resource,
  resourceCopy: transfer,
  resourceDelete: object({ uri }, { recursive: boolean }),
  resourceMove: transfer,
  fetchTurns: object({ session: string }, { before: name, limit: integer(1) }),
  authenticate: object({ resource: name, token: name }),
  resolveSessionConfig: object({}, configQuery),
  sessionConfigCompletions: object({ property: name }, { ...configQuery, query: string }),
};
