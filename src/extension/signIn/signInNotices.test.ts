import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { ProtectedResourceMetadata } from '../../ahp/common/shapes.ts';
import type { HostNotification } from '../../ahp/dialects/dialect.ts';
import { Emitter } from '../../base/event.ts';
import { toDisposable } from '../../base/lifecycle.ts';
import type { ClosableNotification } from '../notifications.ts';
import { SignInNotices } from './signInNotices.ts';

function setUp({ giveAgain = async () => false, readOnly = undefined as string | undefined } = {}) {
  const state = new Emitter<{ kind: string }>();
  const given: string[] = [];
  const said = new Emitter<HostNotification>();
  const changed = new Emitter<void>();
  const clock = new FakeClock();
  const host = { label: 'build-box', readOnly, client: { onNotification: said.event, onDidChangeState: state.event } };
  const hosts = { all: [host], onDidChange: changed.event };
  const open = new Set<ClosableNotification>();
  const signedIn: string[] = [];
  const notices = new SignInNotices({
    hosts,
    clock,
    giveAgain: async (_host, { resource }) => (given.push(resource), giveAgain()),
    signIn: async (_host, { resource }) => (signedIn.push(resource), true),
    show: (one) => (open.add(one), toDisposable(() => open.delete(one))),
  });
  const say = (resource: string, metadata?: ProtectedResourceMetadata, reason?: string) =>
    said.fire({
      type: 'notify/authRequired',
      resource,
      ...(metadata !== undefined && { metadata }),
      ...(reason !== undefined && { reason }),
    });
  return { say, open, signedIn, given, state, clock, hosts, changed, notices, texts: () => [...open].map(({ text }) => text) };
}

describe('SignInNotices', () => {
  it('says what needs a sign-in at which host, and signs in to just that', async () => {
    const { say, texts, open, signedIn } = setUp();
    say('https://mcp.example', { resource: 'https://mcp.example', resource_name: 'Tickets' }, 'expired');
    await atRest();
    assert.deepEqual(texts(), ['build-box: Tickets. Your sign-in has ended.']);
    await [...open][0]?.links[0]?.run();
    assert.deepEqual([signedIn, open.size], [['https://mcp.example'], 0]);
  });

  it('says it once, however often the host does, and again only much later', async () => {
    const { say, open, clock } = setUp();
    for (let count = 0; count < 100; count++) say('https://mcp.example');
    await atRest();
    assert.equal(open.size, 1);
    [...open][0]?.onDismissed?.();
    say('https://mcp.example');
    await atRest();
    assert.equal(open.size, 0);
    clock.advance(10 * 60_000);
    say('https://mcp.example');
    await atRest();
    assert.equal(open.size, 1);
  });

  it('has a few open at a time', async () => {
    const { say, open } = setUp();
    for (let count = 0; count < 100; count++) say(`https://mcp${count}.example`);
    await atRest();
    assert.equal(open.size, 3);
  });

  it('is silent when the host took what was agreed before, and speaks when it asks for it again', async () => {
    const { say, texts, given, state } = setUp({ giveAgain: async () => true });
    say('https://api.github.com');
    await atRest();
    assert.deepEqual([texts(), given.length], [[], 1]);
    state.fire({ kind: 'reconnecting' });
    state.fire({ kind: 'connected' });
    say('https://api.github.com', undefined, 'expired');
    await atRest();
    assert.deepEqual([texts(), given.length], [[], 2]);
    say('https://api.github.com', undefined, 'expired');
    await atRest();
    assert.deepEqual([texts(), given.length], [['build-box: api.github.com. Your sign-in has ended.'], 2]);
  });

  it('speaks when nothing could be given, and when what was agreed is not enough', async () => {
    const lost = setUp();
    lost.say('https://api.github.com');
    await atRest();
    assert.deepEqual([lost.texts().length, lost.given.length], [1, 1]);
    const more = setUp({ giveAgain: async () => true });
    more.say('https://api.github.com', undefined, 'insufficientScope');
    await atRest();
    assert.deepEqual([more.texts(), more.given], [['build-box: api.github.com. It needs more rights than you gave it.'], []]);
  });

  it('says nothing of a host that went, or lost its connection, while it was given a token', async () => {
    const answers: ((isGiven: boolean) => void)[] = [];
    const { say, open, state, hosts, changed } = setUp({ giveAgain: () => new Promise((resolve) => answers.push(resolve)) });
    say('https://api.github.com');
    state.fire({ kind: 'reconnecting' });
    answers[0]?.(false);
    await atRest();
    assert.equal(open.size, 0);
    state.fire({ kind: 'connected' });
    say('https://api.github.com');
    hosts.all.splice(0);
    changed.fire();
    answers[1]?.(false);
    await atRest();
    assert.deepEqual([open.size, answers.length], [0, 2]);
  });

  it('says nothing in a recording', async () => {
    const recording = setUp({ readOnly: 'A recording.' });
    recording.say('https://mcp.example');
    await atRest();
    assert.equal(recording.open.size, 0);
  });

  it('closes what it said when the host goes', async () => {
    const { say, open, hosts, changed } = setUp();
    say('https://mcp.example');
    await atRest();
    assert.equal(open.size, 1);
    hosts.all.splice(0);
    changed.fire();
    assert.equal(open.size, 0);
    say('https://other.example');
    await atRest();
    assert.equal(open.size, 0);
  });
});
