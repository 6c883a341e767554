/** Several clients lend tools to one session of our host: one over AHP v1, and any number over AHP 1.0. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import { until } from '../../support/until.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { callsOf, DemoConversation, DemoHost } from './demoHarness.ts';
import { allow, deny, Guard } from './hookHarness.ts';
import { gate } from './hostHarness.ts';

const confirmed = { kind: 'confirmed' };
const lent = ({ activeClients }: SessionState) => activeClients.map(({ clientId, tools }) => [clientId, ...tools.map(({ name }) => name)]);

describe('the host, where several clients lend tools to a session', function () {
  this.timeout(30_000);
  let host: DemoHost;
  let older: V1Client;
  let chat: DemoConversation;
  let uri: string;

  beforeEach(async () => {
    host = new DemoHost();
    older = await host.start({ hookDecisionMs: 1_000 });
    chat = await host.session(older, { config: { approvals: 'auto' } });
    ({ uri } = chat);
  });
  afterEach(() => host.stop());

  async function connect(clientId: string): Promise<{ client: AgentHostClient; session: SessionModel }> {
    const client = await host.client({ clientId });
    const session = client.session(uri);
    await whenLive(session);
    return { client, session };
  }
  const lend = async (session: SessionModel, ...tools: string[]) =>
    assert.deepEqual(await session.lend({ tools: tools.map((name) => ({ name })) }).settled, confirmed);
  const sees = (session: SessionModel, expected: string[][]) =>
    until(JSON.stringify(expected), session.onDidChange, () => {
      const { state } = session;
      return state !== undefined && JSON.stringify(lent(state)) === JSON.stringify(expected);
    });
  const setOlder = (activeClient: { clientId: string; tools: { name: string }[] } | null) =>
    older.dispatch(uri, { type: 'session/activeClientChanged', session: uri, activeClient }).settled;

  it('keeps an entry for each, which only its client changes and takes back', async () => {
    const [a, b] = [await connect('a'), await connect('b')];
    await lend(a.session, 'one');
    await lend(b.session, 'two');
    assert.deepEqual(await setOlder({ clientId: older.clientId, tools: [{ name: 'three' }] }), confirmed);
    const all = [
      ['a', 'one'],
      ['b', 'two'],
      [older.clientId, 'three'],
    ];
    for (const { session } of [a, b]) await sees(session, all);
    assert.deepEqual(lent(await whenLive((await connect('c')).session)), all);
    assert.equal(chat.state.activeClient?.clientId, older.clientId);

    const taken = await a.session.perform({ type: 'session/activeClientRemoved', clientId: 'b' }).settled;
    const set = await a.session.perform({ type: 'session/activeClientSet', activeClient: { clientId: 'b', tools: [] } }).settled;
    const reason = 'a client lends and takes back only its own tools';
    assert.deepEqual([taken, set], Array(2).fill({ kind: 'rejected', reason }));

    await lend(a.session, 'four', 'five');
    assert.deepEqual(await setOlder(null), confirmed);
    assert.deepEqual(await b.session.withdraw().settled, confirmed);
    for (const { session } of [a, b]) await sees(session, [['a', 'four', 'five']]);
    assert.equal(chat.state.activeClient, undefined);
  });

  it('takes the entry of a client that makes a session, and drops that of one that leaves', async () => {
    const [a, b] = [await connect('a'), await connect('b')];
    const made = 'demo:/made';
    const create = (clientId: string) =>
      a.client.command('createSession', { channel: made, provider: 'demo', activeClient: { clientId, tools: [{ name: 'one' }] } });
    await assert.rejects(create('b'), /only its own tools/);
    await create('a');
    const session = b.client.session(made);
    await sees(session, [['a', 'one']]);
    await lend(session, 'two');
    a.client.close();
    await sees(session, [['b', 'two']]);
  });

  it('gives a client its entry again when it is back', async () => {
    const [a, b] = [await connect('a'), await connect('b')];
    await lend(a.session, 'one');
    await lend(b.session, 'two');
    a.client.close();
    await sees(b.session, [['b', 'two']]);
    const again = await connect('a');
    await lend(again.session, 'one');
    await sees(b.session, [
      ['b', 'two'],
      ['a', 'one'],
    ]);
  });

  it('has each call run by the client that lends its tool, the first of two with one name', async () => {
    const [a, b] = [await connect('a'), await connect('b')];
    await lend(a.session, 'one', 'same');
    await lend(b.session, 'two', 'same');
    await setOlder({ clientId: older.clientId, tools: [{ name: 'three' }] });
    for (const [tool, clientId] of [
      ['one', 'a'],
      ['two', 'b'],
      ['same', 'a'],
      ['three', older.clientId],
    ] as const) {
      const turnId = await chat.send(`client ${tool} {}`);
      const { toolCallId } = await chat.until('the running call', ({ activeTurn }) =>
        callsOf(activeTurn?.responseParts).find((one) => one.status === 'running' && one.toolClientId === clientId),
      );
      const result = { success: true, pastTenseMessage: 'Done', content: [{ type: 'text' as const, text: `by ${clientId}` }] };
      const complete = (client: V1Client) =>
        client.dispatch(uri, { type: 'session/toolCallComplete', session: uri, turnId, toolCallId, result }).settled;
      const inChat = async ({ client, session }: typeof a) => {
        const model = client.chat((await whenLive(session)).defaultChat ?? '');
        await whenLive(model);
        return model.perform({ type: 'chat/toolCallComplete', turnId, toolCallId, result }).settled;
      };
      const of: Record<string, () => Promise<{ kind: string }>> = {
        a: () => inChat(a),
        b: () => inChat(b),
        [older.clientId]: () => complete(older),
      };
      for (const [other, attempt] of Object.entries(of)) if (other !== clientId) assert.equal((await attempt()).kind, 'rejected');
      assert.deepEqual(await of[clientId]?.(), confirmed);
      assert.match(JSON.stringify((await chat.ended(turnId)).responseParts), new RegExp(`by ${clientId}`));
    }
  });

  describe('with rules', () => {
    const ran = () => existsSync(join(host.directory, 'ran'));
    async function guard(clientId: string): Promise<Guard<AgentHostClient>> {
      const made = await new Guard<AgentHostClient>().connect({ connect: (options) => host.client(options) }, { clientId });
      made.answerFor(uri);
      const session = made.client.session(uri);
      await whenLive(session);
      await lend(session);
      return made;
    }
    const say = async () => callsOf((await chat.say('run touch ran')).responseParts)[0];

    it('runs a call when all of them allow it', async () => {
      const [a, b] = [await guard('a'), await guard('b')];
      b.answer = () => deny('not today');
      const denied = await say();
      assert.ok(denied?.status === 'cancelled' && denied.reasonMessage === 'not today', JSON.stringify(denied));
      assert.equal(ran(), false);
      b.answer = () => allow;
      assert.equal((await say())?.status, 'completed');
      assert.equal(ran(), true);
      assert.deepEqual([a.asked.length, b.asked.length], [2, 2]);
    });

    it('asks those that are left again when one that may have rules is lost', async () => {
      const [a, b] = [await guard('a'), await guard('b')];
      const [isAsked, never] = [gate(), gate()];
      let answers = 0;
      a.answer = () => ({ ...allow, guarded: true });
      b.answer = async () => {
        if (answers++ === 0) return { ...allow, guarded: true };
        isAsked.open();
        await never.promise;
        return allow;
      };
      assert.equal((await say())?.status, 'completed');
      const turnId = await chat.send('run touch ran');
      await isAsked.promise;
      a.answer = () => deny('the rules of both');
      b.client.close();
      const [call] = callsOf((await chat.ended(turnId)).responseParts);
      assert.ok(call?.status === 'cancelled' && call.reasonMessage === 'the rules of both', JSON.stringify(call));
      assert.deepEqual(
        a.asked.map(({ wasGuarded }) => wasGuarded),
        [undefined, true, true],
      );
      never.open();
    });

    it('waits for another client when the last one is lost', async () => {
      const a = await guard('a');
      const isAsked = gate();
      a.answer = () => {
        isAsked.open();
        return new Promise(() => undefined);
      };
      const turnId = await chat.send('run touch ran');
      await isAsked.promise;
      a.client.close();
      const b = await guard('b');
      assert.equal(callsOf((await chat.ended(turnId)).responseParts)[0]?.status, 'completed');
      assert.equal(b.asked.length, 1);
    });
  });
});
