import assert from 'node:assert/strict';
import { hostConnectionView } from './hostConnectionView.ts';
import { hostsStatus, spokenStatus } from './hostsStatus.ts';

const up = { label: 'a', connection: { connected: true, failed: false, text: 'connected' } };
const trying = { label: 'b', connection: { connected: false, failed: false, text: 'reconnecting in 4 s' } };
const failed = { label: 'c', connection: { connected: false, failed: true, text: 'The token is wrong.' } };

describe('status of all hosts', () => {
  it('puts what needs the user first, also over a failed host', () => {
    const status = hostsStatus([up, failed], 2);
    assert.deepEqual([status.text, status.severity, status.needsYou], ['2 sessions need you', 'warning', true]);
  });

  it('never says connected when a host is not', () => {
    assert.equal(hostsStatus([up], 0).text, 'Connected');
    assert.equal(hostsStatus([up, trying], 0).text, '1 of 2 hosts connected');
    assert.equal(hostsStatus([trying], 0).text, 'Reconnecting in 4 s');
    assert.deepEqual([hostsStatus([up, failed], 0).text, hostsStatus([up, failed], 0).severity], ['1 of 2 hosts failed', 'error']);
    assert.equal(hostsStatus([], 0).text, 'No agent host');
  });

  it('names every host in the details', () => {
    assert.deepEqual(hostsStatus([up, failed], 0).details, ['a: connected', 'c: The token is wrong.']);
  });

  it('is spoken in sentences with one full stop each', () => {
    assert.equal(spokenStatus(hostsStatus([up, failed], 0)), 'Tapline: 1 of 2 hosts failed. a: connected. c: The token is wrong.');
  });
});

describe('connection of a host', () => {
  const reason = { kind: 'lost', message: 'The line was cut.' } as const;
  it('counts down to the next attempt', () => {
    const state = { kind: 'reconnecting', attempt: 2, nextAttemptAt: 10_000, since: 0, reason } as const;
    assert.equal(hostConnectionView(state, 6_500).text, 'reconnecting in 4 s');
    assert.equal(hostConnectionView(state, 11_000).text, 'reconnecting');
  });
  it('is failed only where trying again would not help', () => {
    assert.equal(hostConnectionView({ kind: 'failed', since: 0, reason }, 0).failed, true);
    assert.equal(hostConnectionView({ kind: 'connecting', attempt: 1 }, 0).failed, false);
  });
});
