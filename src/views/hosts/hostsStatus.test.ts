import assert from 'node:assert/strict';
import { connectionFailure, type ConnectionFailure } from '../../ahp/client/connection/connectionState.ts';
import { hostConnectionView } from './hostConnectionView.ts';
import { hostProblem, remedyNames } from './hostProblem.ts';
import { hostsStatus, spokenStatus } from './hostsStatus.ts';

const up = { label: 'a', connection: { connected: true, failed: false, text: 'connected' } };
const trying = { label: 'b', connection: { connected: false, failed: false, text: 'reconnecting in 4 s' } };
const refused = hostProblem(connectionFailure('unreachable', 'b cannot be reached. Start it.', 'connection refused'), 'configured');
const unreachable = { label: 'b', connection: { ...trying.connection, problem: refused } };
const wrong = hostProblem(connectionFailure('token', 'The token is wrong. Set it.', 'wrong token'), 'configured');
const failed = { label: 'c', connection: { connected: false, failed: true, text: 'not connected', problem: wrong } };

describe('status of all hosts', () => {
  it('puts what needs the user first, also over a failed host', () => {
    const status = hostsStatus([up, failed], '2 things need you');
    assert.deepEqual([status.text, status.severity, status.needsYou], ['2 things need you', 'warning', true]);
  });

  it('never says connected when a host is not', () => {
    assert.equal(hostsStatus([up], undefined).text, 'Connected to a');
    assert.equal(hostsStatus([up, { ...up, label: 'b' }], undefined).text, 'Connected to 2 agent hosts');
    assert.equal(hostsStatus([up, trying], undefined).text, '1 of 2 hosts connected');
    assert.equal(hostsStatus([trying], undefined).text, 'Reconnecting in 4 s');
    assert.equal(hostsStatus([], undefined).text, 'No agent host');
  });

  it('says of one host why, of several how many', () => {
    for (const [hosts, text, icon, severity] of [
      [[unreachable], 'b: Connection refused', 'debug-disconnect', 'none'],
      [[up, unreachable], 'b: Connection refused', 'debug-disconnect', 'none'],
      [[up, failed], 'c: Wrong token', 'debug-disconnect', 'error'],
      [[unreachable, failed], '1 of 2 hosts failed', 'debug-disconnect', 'error'],
      [[unreachable, trying], '0 of 2 hosts connected', 'sync', 'none'],
    ] as const) {
      const status = hostsStatus(hosts, undefined);
      assert.deepEqual([status.text, status.icon, status.severity], [text, icon, severity]);
    }
  });

  it('names every host in the details, each with its reason and remedy', () => {
    assert.deepEqual(hostsStatus([up, unreachable, failed], undefined).details, [
      'a: connected',
      'b: reconnecting in 4 s. b cannot be reached. Start it.',
      'c: not connected. The token is wrong. Set it.',
    ]);
  });

  it('is spoken in sentences with one full stop each', () => {
    assert.equal(
      spokenStatus(hostsStatus([up, failed], undefined)),
      'Tapline: c: Wrong token. a: connected. c: not connected. The token is wrong. Set it.',
    );
  });
});

describe('connection of a host', () => {
  const lost = connectionFailure('lost', 'The connection was cut.', 'connection lost');
  const nobody = connectionFailure('unreachable', 'Nobody is there.', 'connection refused');
  const reconnecting = { kind: 'reconnecting', attempt: 2, nextAttemptAt: 10_000, since: 0 } as const;
  it('counts down to the next attempt', () => {
    const state = { ...reconnecting, reason: lost };
    assert.equal(hostConnectionView(state, 6_500).text, 'reconnecting in 4 s');
    assert.equal(hostConnectionView(state, 11_000).text, 'reconnecting');
  });
  it('is failed only where trying again would not help', () => {
    assert.equal(hostConnectionView({ kind: 'failed', since: 0, reason: lost }, 0).failed, true);
    assert.equal(hostConnectionView({ kind: 'connecting', attempt: 1 }, 0).failed, false);
  });
  it('has a problem while it reconnects, but for the moment of a loss', () => {
    assert.equal(hostConnectionView({ ...reconnecting, reason: lost }, 0).problem, undefined);
    assert.equal(hostConnectionView({ ...reconnecting, attempt: 3, reason: lost }, 0).problem?.brief, 'Connection lost');
    assert.equal(hostConnectionView({ ...reconnecting, reason: nobody }, 0).problem?.brief, 'Connection refused');
  });
});

describe('a problem of a host', () => {
  it('leads to what helps: the token, the address, an update, the log', () => {
    const first = (kind: ConnectionFailure['kind'], more: object = {}) =>
      hostProblem(connectionFailure(kind, 'x', 'y', more), 'configured').remedies[0];
    assert.equal(first('token'), 'enterHostToken');
    assert.equal(first('address'), 'editHost');
    assert.equal(first('notAgentHost'), 'editHost');
    assert.equal(first('version', { outdated: 'client' }), 'updateTapline');
    assert.equal(first('version', { outdated: 'host' }), 'reconnect');
    assert.equal(first('unreachable'), 'reconnect');
    const own = hostProblem(connectionFailure('unreachable', 'x', 'y'), 'embedded');
    assert.deepEqual(own.remedies, ['reconnect', 'showHostLog']);
    assert.ok(hostProblem(connectionFailure('unreachable', 'x', 'y'), 'configured').remedies.includes('editHost'), 'a wrong port');
    for (const kind of ['token', 'address', 'notAgentHost', 'unreachable'] as const)
      assert.deepEqual(
        hostProblem(connectionFailure(kind, 'x', 'y'), 'vscode').remedies.filter((remedy) => remedy !== 'reconnect'),
        [],
        'the user has entered nothing',
      );
  });

  it('fits into a narrow sidebar', () => {
    for (const name of Object.values(remedyNames)) assert.ok(name.length <= 20, name);
  });
});
