/** A client and a small host, joined in memory, with a clock that the test moves. */
import { AgentHostClient, type AgentHostClientOptions } from '../../src/ahp/client/agentHostClient.ts';
import type { ConnectionState } from '../../src/ahp/client/connection/connectionState.ts';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import { atRest, eventually } from './eventually.ts';
import { FakeClock } from './fakeClock.ts';
import { FakeHost, sessionState, sessionSummary, terminalState } from './fakeHost.ts';
import { memoryTransport } from './memoryTransport.ts';

export const session = 'demo:/1';
export const terminal = 'agenthost-terminal:/1';
export const titled = (title: string): StateAction => ({ type: 'session/titleChanged', session, title });
export const active = (activeSessions: number): StateAction => ({ type: 'root/activeSessionsChanged', activeSessions });

const clients: AgentHostClient[] = [];

/** For `afterEach`. */
export function disposeClients(): void {
  for (const client of clients.splice(0)) client.dispose();
}

/** A host with a session and a terminal, and a client that starts connecting to it. */
export function setUp(options: Partial<AgentHostClientOptions> = {}, refuse?: () => Error | undefined) {
  const host = new FakeHost();
  host.states.set(session, sessionState(session, 'first'));
  host.states.set(terminal, terminalState());
  host.summaries = [sessionSummary(session, 'first')];
  const clock = new FakeClock();
  const memory = memoryTransport(host, refuse);
  const states: ConnectionState[] = [];
  const client = AgentHostClient.create({
    url: 'ws://host:1',
    clientId: 'me',
    transport: memory.transport,
    clock,
    random: () => 0,
    ...options,
  });
  clients.push(client);
  client.onDidChangeState((state) => states.push(state));
  const isConnected = () => client.state.kind === 'connected';
  return { host, clock, memory, client, states, isConnected };
}

/** The same, connected and at rest. */
export async function connected(options: Partial<AgentHostClientOptions> = {}) {
  const all = setUp(options);
  await eventually(all.isConnected, 'a connection');
  await atRest();
  return all;
}

/** Loses the connection and lets the client reconnect. */
export async function loseLine(
  { memory, clock, client, isConnected }: Awaited<ReturnType<typeof connected>>,
  meanwhile = () => undefined as void,
) {
  memory.line.drop();
  await eventually(() => client.state.kind === 'reconnecting', 'the loss');
  meanwhile();
  clock.advance(1_000);
  await eventually(isConnected, 'a new connection');
  await atRest();
}
