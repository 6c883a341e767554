/** What waits at several agent hosts, of which any may name its sessions as another one does. */
import assert from 'node:assert/strict';
import { AgentHostClient, whenLive } from '../../../src/ahp/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { type HostServer, startHostServer } from '../../../src/host/server/hostServer.ts';
import { Answerers } from '../../../src/portal/hostSessions/people/answerers.ts';
import { PortalAttention } from '../../../src/portal/attention/portalAttention.ts';
import { until } from '../../support/until.ts';
import { V1Client } from '../../support/v1Client.ts';
import { ScriptedAgent } from '../host/hostHarness.ts';

/** The same at all of them. */
const SESSION = 'scripted:/the-same';
const NAMES = ['own', 'a', 'b'] as const;

for (const dialect of ['v1', 'channels'] as const)
  describe(`what waits at several hosts, over ${dialect}`, () => {
    const servers: HostServer[] = [];
    const clients: AgentHostClient[] = [];
    /** Of somebody who works there, over AHP v1. */
    const users: V1Client[] = [];
    const decided: string[] = [];
    const didDecide = new Emitter<void>();
    const didChangeSessions = new Emitter<void>();
    /** URIs of the portal's sessions there. */
    const uris = { a: new Set([SESSION]), b: new Set([SESSION]) };
    let attention: PortalAttention;

    before(async () => {
      for (const name of NAMES) {
        const agent = new ScriptedAgent();
        agent.onTurn = async (turn) => {
          const call = turn.toolCall({ toolName: 'bash', displayName: 'Run' });
          const { approved } = await call.confirm({ invocationMessage: 'Running', confirmationTitle: 'Run?', toolInput: 'ls' });
          decided.push(`${name} ${approved}`);
          didDecide.fire();
          if (approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
        };
        const server = await startHostServer({ agents: [agent], logger: nullLogger, defaultDirectory: 'file:///tmp' });
        servers.push(server);
        users.push(await V1Client.connect({ url: server.url, token: server.token }));
        clients.push(await AgentHostClient.connect({ url: server.url, token: server.token, dialects: [dialect] }));
      }
      const [own, a, b] = clients as [AgentHostClient, AgentHostClient, AgentHostClient];
      const sessions = {
        urisAt: (host: string) => uris[host as 'a' | 'b'],
        onDidChange: didChangeSessions.event,
        answerers: new Answerers(),
      };
      attention = new PortalAttention({ client: own, hosts: new Map(Object.entries({ a, b })), sessions }, systemClock);
    });
    after(async () => {
      attention.dispose();
      for (const client of [...clients, ...users]) client.close();
      for (const server of servers) await server.close();
    });

    async function ask(client: V1Client, session: string): Promise<void> {
      await client.request('createSession', { session, provider: 'scripted' });
      await whenLive(client.subscribeSession(session));
      const turn = { type: 'session/turnStarted' as const, session, turnId: 't', userMessage: { text: 'go' } };
      assert.deepEqual(await client.dispatch(session, turn).settled, { kind: 'confirmed' });
    }
    const calls = () => attention.list().items.filter(({ kind }) => kind === 'call');
    const listed = (count: number) =>
      until(`${count} calls`, attention.onDidChange, () => {
        const items = calls();
        return items.length === count && items;
      });

    it('is answered at its own host only, and only in the sessions of the portal', async () => {
      for (const user of users) await ask(user, SESSION);
      for (const user of users.slice(1)) await ask(user, 'scripted:/of-somebody-else');
      const items = await listed(3);
      assert.deepEqual(items.map(({ host }) => host).sort(), ['a', 'b', undefined]);
      assert.deepEqual(new Set(items.map(({ session }) => session)), new Set([SESSION]));
      assert.equal(new Set(items.map(({ id }) => id)).size, 3);
      assert.equal(new Set(items.map(({ revision }) => revision)).size, 3);
      const [a, b, own] = ['a', 'b', undefined].map((name) => items.find(({ host }) => host === name) ?? assert.fail());
      assert.deepEqual(await attention.answer(b?.id ?? '', a?.revision ?? '', { decision: 'approve' }), { error: 'AttentionChanged' });
      for (const [item, expected] of [
        [b, 'b true'],
        [own, 'own true'],
        [a, 'a true'],
      ] as const) {
        assert.deepEqual(await attention.answer(item?.id ?? '', item?.revision ?? '', { decision: 'approve' }), { result: 'Answered' });
        assert.equal(await until('a decision', didDecide.event, () => decided.shift()), expected);
      }
      assert.deepEqual([await listed(0), decided], [[], []]);
    });

    it('is not complete while a host is away where the portal has a session', async () => {
      await until('the turns', attention.onDidChange, () => attention.list().isComplete);
      await servers[2]?.close();
      await until('the loss', clients[2]?.onDidChangeState ?? assert.fail(), () => clients[2]?.state.kind !== 'connected');
      assert.equal(attention.list().isComplete, false);
      uris.b.clear();
      didChangeSessions.fire();
      assert.equal(attention.list().isComplete, true);
    });
  });
