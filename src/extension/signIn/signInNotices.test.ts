import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { HostNotification } from '../../ahp/dialect.ts';
import { Emitter } from '../../base/event.ts';
import { toDisposable } from '../../base/lifecycle.ts';
import type { ClosableNotification } from '../notifications.ts';
import { SignInNotices } from './signInNotices.ts';

function setUp({ giveAgain = false, readOnly = undefined as string | undefined } = {}) {
  const said = new Emitter<HostNotification>();
  const changed = new Emitter<void>();
  const clock = new FakeClock();
  const host = { label: 'build-box', readOnly, client: { onNotification: said.event } };
  const hosts = { all: [host], onDidChange: changed.event };
  const open = new Set<ClosableNotification>();
  const signedIn: string[] = [];
  const notices = new SignInNotices({
    hosts,
    clock,
    giveAgain: () => giveAgain,
    signIn: async (_host, { resource }) => (signedIn.push(resource), true),
    show: (one) => (open.add(one), toDisposable(() => open.delete(one))),
  });
  const say = (resource: string, metadata?: unknown, reason?: string) =>
    said.fire({
      type: 'notify/authRequired',
      resource,
      ...(metadata !== undefined && { metadata }),
      ...(reason !== undefined && { reason }),
    });
  return { say, open, signedIn, clock, hosts, changed, notices, texts: () => [...open].map(({ text }) => text) };
}

describe('SignInNotices', () => {
  it('says what needs a sign-in at which host, and signs in to just that', async () => {
    const { say, texts, open, signedIn } = setUp();
    say('https://mcp.example', { resource: 'https://mcp.example', resource_name: 'Tickets' }, 'expired');
    assert.deepEqual(texts(), ['build-box: Tickets. Your sign-in has ended.']);
    await [...open][0]?.links[0]?.run();
    assert.deepEqual([signedIn, open.size], [['https://mcp.example'], 0]);
  });

  it('says it once, however often the host does, and again only much later', () => {
    const { say, open, clock } = setUp();
    for (let count = 0; count < 100; count++) say('https://mcp.example');
    assert.equal(open.size, 1);
    [...open][0]?.onDismissed?.();
    say('https://mcp.example');
    assert.equal(open.size, 0);
    clock.advance(10 * 60_000);
    say('https://mcp.example');
    assert.equal(open.size, 1);
  });

  it('has a few open at a time', () => {
    const { say, open } = setUp();
    for (let count = 0; count < 100; count++) say(`https://mcp${count}.example`);
    assert.equal(open.size, 3);
  });

  it('is silent when the host got what was agreed before, once', () => {
    const { say, open } = setUp({ giveAgain: true });
    say('https://api.github.com');
    assert.equal(open.size, 0);
  });

  it('ignores what it cannot read, other notifications and recordings', () => {
    const { say, open } = setUp();
    say('https://mcp.example', 'nonsense');
    say('https://mcp.example', { resource: 7 });
    assert.equal(open.size, 0);
    const recording = setUp({ readOnly: 'A recording.' });
    recording.say('https://mcp.example');
    assert.equal(recording.open.size, 0);
  });

  it('closes what it said when the host goes', () => {
    const { say, open, hosts, changed } = setUp();
    say('https://mcp.example');
    hosts.all.splice(0);
    changed.fire();
    assert.equal(open.size, 0);
    say('https://other.example');
    assert.equal(open.size, 0);
  });
});
