/** What outlives the turns of a Copilot session, the engine and the host, and what is deleted with the session. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grantsOf } from '../../../src/ahp/grants.ts';
import { engineSessionId } from '../../../src/host/agents/copilot/engine/conversation.ts';
import { chatUri } from '../../../src/host/state/chatUris.ts';
import { untilGone } from '../../support/processes.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost, gate, type CopilotConversation } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

describe('what was allowed for a Copilot session', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });

  const fetching = (path = 'a') => [{ tool: 'web_fetch', args: { url: `${host.model.origin}/${path}` } }];
  const outside = () => join(host.base, 'outside');
  const reading = (name: string) => [{ tool: 'view', args: { path: join(outside(), name) } }];
  const writing = (name: string) => [{ tool: 'create', args: { path: join(outside(), name), file_text: 'x' } }];
  /** Lets the model do that; `option` is chosen where the user is asked, else nobody may be. */
  const lets = async (talk: CopilotConversation, call: { tool: string; args: unknown }[], option?: string) => {
    host.model.reply(call, [{ text: 'ok' }]);
    const turnId = await talk.send('Do');
    if (option !== undefined) await talk.decide(call[0]!.tool, option);
    await talk.ended(turnId);
    const last = talk.calls().at(-1);
    return last && 'confirmed' in last ? last.confirmed : last?.status;
  };
  const granted = async (): Promise<CopilotConversation> => {
    mkdirSync(join(outside(), 'deeper'), { recursive: true });
    for (const name of ['one.txt', 'two.txt', 'deeper/three.txt']) writeFileSync(join(outside(), name), 'text\n');
    const talk = await host.session(client);
    assert.equal(await lets(talk, fetching(), 'session'), 'user-action');
    assert.equal(await lets(talk, reading('one.txt'), 'folder'), 'user-action');
    return talk;
  };
  const isKept = async (talk: CopilotConversation) => {
    assert.equal(await lets(talk, fetching('b')), 'setting');
    assert.equal(await lets(talk, reading('two.txt')), 'setting');
    assert.equal(await lets(talk, reading('deeper/three.txt')), 'setting');
  };

  it('holds after the engine died', async () => {
    const talk = await granted();
    const pid = host.agent.enginePid!;
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await isKept(talk);
  });

  it('holds after the host was started again, and covers no more than before', async () => {
    const { uri } = await granted();
    await host.stopHost();
    client = await host.start();
    const talk = await host.reopened(client, uri);
    await isKept(talk);
    assert.equal(await lets(talk, writing('new.txt'), 'deny'), 'cancelled', 'reading is not writing');
    assert.equal(
      await lets(talk, [{ tool: 'web_fetch', args: { url: host.model.origin.replace('127.0.0.1', 'localhost') } }], 'deny'),
      'cancelled',
    );
    symlinkSync('/etc', join(outside(), 'etc'));
    assert.equal(await lets(talk, reading('etc/hostname'), 'deny'), 'cancelled', 'a link leads out of the folder');
  });

  it('ends when a client takes it back, and the rest holds', async () => {
    const talk = await granted();
    const [page, ...others] = grantsOf(talk.state);
    assert.deepEqual([page?.kind, others.map(({ kind }) => kind)], ['url', ['read']]);
    await client.requestOwn('tapline/revokeGrants', { session: talk.uri, grants: [page!] });
    assert.equal(await lets(talk, fetching('b'), 'deny'), 'cancelled');
    assert.equal(await lets(talk, reading('two.txt')), 'setting');
    assert.deepEqual(grantsOf(talk.state), others);
  });

  it('does not hold in a fork, nor in another session', async () => {
    const talk = await granted();
    const fork = await host.session(client, { fork: { session: talk.uri, turnId: talk.state.turns.at(-1)!.id } });
    for (const other of [fork, await host.session(client)]) {
      assert.equal(await lets(other, fetching(), 'deny'), 'cancelled');
      assert.equal(await lets(other, reading('two.txt'), 'deny'), 'cancelled');
    }
  });

  it('does not hold in a new session of the name of one that was deleted', async () => {
    const { uri } = await granted();
    await client.request('disposeSession', { session: uri });
    const talk = await host.session(await host.connect(), { session: uri });
    assert.equal(await lets(talk, fetching(), 'deny'), 'cancelled');
  });
});

describe('a Copilot session that is deleted', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());

  const folder = (uri: string) => join(host.home, 'session-state', engineSessionId({ session: uri, chat: chatUri(uri), isDefault: true }));
  const remove = (session: string) => client.request('disposeSession', { session });
  const talked = async () => {
    const talk = await host.session(client);
    host.model.reply([{ text: 'Noted.' }]);
    await talk.say('My colour is blue');
    assert.ok(existsSync(folder(talk.uri)));
    return talk;
  };

  it('leaves nothing with the engine, and its neighbours there', async () => {
    const [talk, other] = [await talked(), await talked()];
    await remove(talk.uri);
    assert.equal(existsSync(folder(talk.uri)), false);
    assert.ok(existsSync(folder(other.uri)));
    host.model.reply([{ text: 'Blue.' }]);
    assert.equal(textOf(await other.say('Which?')), 'Blue.');
  });

  it('leaves nothing when a turn runs in it', async () => {
    const talk = await host.session(client);
    const never = gate();
    host.model.reply([{ text: 'Half ' }, { wait: never.promise }]);
    await talk.send('Talk');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half ');
    await remove(talk.uri);
    never.open();
    assert.equal(existsSync(folder(talk.uri)), false);
  });

  it('leaves nothing when it was made and never used', async () => {
    const talk = await host.session(client);
    await remove(talk.uri);
    assert.equal(existsSync(folder(talk.uri)), false);
  });

  it('leaves nothing when it sleeps, though the engine was not started since', async () => {
    const talk = await talked();
    await host.stopHost();
    client = await host.start();
    assert.equal(host.agent.enginePid, undefined);
    await remove(talk.uri);
    assert.equal(host.agent.enginePid, undefined, 'nothing is started to delete something');
    assert.equal(existsSync(folder(talk.uri)), false);
  });

  it('leaves nothing when it sleeps while the engine runs for another', async () => {
    const talk = await talked();
    await host.stopHost();
    client = await host.start();
    await talked();
    assert.ok(host.agent.enginePid);
    await remove(talk.uri);
    assert.equal(existsSync(folder(talk.uri)), false);
  });

  it('leaves nothing after the engine died', async () => {
    const talk = await talked();
    const pid = host.agent.enginePid!;
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await remove(talk.uri);
    assert.equal(existsSync(folder(talk.uri)), false);
  });

  it('is forgotten: another one of its name knows nothing of it', async () => {
    const { uri } = await talked();
    await remove(uri);
    const talk = await host.session(await host.connect(), { session: uri });
    host.model.reply([{ text: 'No idea.' }]);
    await talk.say('Which colour?');
    assert.ok(!JSON.stringify(host.model.requests.at(-1)?.messages).includes('blue'));
  });

  it('does not go with the end of the host', async () => {
    await talked();
    const before = readdirSync(join(host.home, 'session-state'));
    await host.stopHost();
    client = await host.start();
    assert.deepEqual(readdirSync(join(host.home, 'session-state')), before);
  });
});
