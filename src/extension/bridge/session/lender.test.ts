import assert from 'node:assert/strict';
import { atRest } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import type { Settlement } from '../../../ahp/client/resources/subscription.ts';
import type { ToolDefinition } from '../../../ahp/common/tools.ts';
import { Lender } from './lender.ts';

const other = { clientId: 'other', name: 'Other' };

describe('The lender of tools', () => {
  const setUp = () => {
    const host = new FakeHostSession();
    const clock = new FakeClock();
    const refusals: string[] = [];
    let tools: readonly ToolDefinition[] | undefined = [{ name: 'a' }];
    const follow = () => lender.follow(host.state, tools);
    const lender = new Lender({ host, clock, onChange: follow, onRefused: (reason) => refusals.push(reason) });
    const become = async (state: Parameters<FakeHostSession['set']>[0]) => {
      host.set(state);
      follow();
      await atRest();
      return host.did.splice(0).map(String);
    };
    const offer = async (...names: string[]) => {
      tools = names.map((name) => ({ name }));
      return become({});
    };
    const withdraw = () => (tools = undefined);
    return { host, clock, lender, refusals, become, offer, withdraw };
  };

  it('lends where nobody does, once the tools are known and the session is there', async () => {
    const { become, offer, withdraw } = setUp();
    withdraw();
    assert.deepEqual(await become({}), []);
    assert.deepEqual(await become({ status: 'stale' }), []);
    await offer('a');
    assert.deepEqual(await become({ status: 'live' }), ['lend,a']);
    assert.deepEqual(await become({}), [], 'its own echo is no news');
  });

  it('leaves a session to who lends there', async () => {
    const { become, clock } = setUp();
    assert.deepEqual(await become({ lender: other }), []);
    clock.advance(60_000);
    assert.deepEqual(await become({}), []);
  });

  it('takes its place again a moment after it was taken away, and not from somebody else', async () => {
    const { host, become, clock } = setUp();
    await become({});
    assert.deepEqual(await become({ lender: undefined }), []);
    clock.advance(900);
    await become({ lender: other });
    clock.advance(5_000);
    assert.deepEqual(await become({}), [], 'it was handed over');
    await become({ lender: undefined });
    clock.advance(1_000);
    await atRest();
    assert.deepEqual(host.did.map(String), ['lend,a']);
  });

  it('takes its place again at once when the host has taken it with a lost connection', async () => {
    const { become } = setUp();
    await become({});
    await become({ status: 'stale' });
    assert.deepEqual(await become({ status: 'live', lender: undefined }), ['lend,a']);
  });

  it('takes over when the user asks for it, and reports later what was not known then', async () => {
    const { host, lender, become, offer, clock } = setUp();
    await become({ lender: other });
    void lender.takeOver([]);
    assert.deepEqual(host.did.splice(0).map(String), ['unset', 'lend,']);
    await offer('a', 'b');
    clock.advance(200);
    assert.deepEqual(host.did.map(String), ['announce,a,b']);
  });

  it('says when it is known what became of taking over', async () => {
    const { host, lender, become } = setUp();
    await become({ lender: other });
    let answer: (settlement: Settlement) => void = () => undefined;
    host.answer = () => new Promise((resolve) => (answer = resolve));
    let isKnown = false;
    const known = lender.takeOver([]).then(() => (isKnown = true));
    await atRest();
    assert.equal(isKnown, false);
    answer({ kind: 'rejected', reason: 'no clients here' });
    host.set({ lender: undefined });
    await known;
    assert.equal(lender.refusal, 'no clients here');
  });

  it('asks a host that refuses no more, until somebody else has lent tools there', async () => {
    const { host, lender, refusals, become, clock } = setUp();
    host.answer = () => {
      host.set({ lender: undefined });
      return { kind: 'rejected', reason: 'not here' };
    };
    assert.deepEqual(await become({}), ['lend,a']);
    clock.advance(10_000);
    assert.deepEqual([await become({}), lender.refusal, refusals], [[], 'not here', ['not here']]);
    host.answer = () => ({ kind: 'confirmed' });
    await become({ lender: other });
    await become({ lender: undefined });
    clock.advance(1_000);
    await atRest();
    assert.deepEqual([host.did.map(String), lender.refusal], [['lend,a'], undefined]);
  });

  it('does not call it a refusal when another client was faster', async () => {
    const { host, lender, refusals, become } = setUp();
    host.answer = () => {
      host.set({ lender: other });
      return { kind: 'rejected', reason: 'another client is active' };
    };
    await become({});
    assert.deepEqual([lender.refusal, refusals], [undefined, []]);
  });
});
