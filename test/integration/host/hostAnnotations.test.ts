/** Comments on files at Tapline's own host, over real sockets: two clients, a restart, a kill. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Annotation, AnnotationsAction } from '../../../src/ahp/channels/annotations.ts';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { AgentHostClient as Client } from '../../../src/ahp/index.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { annotationsUri } from '../../../src/host/state/chatUris.ts';
import { eventually } from '../../fakes/eventually.ts';
import { bundleHost } from '../../support/hostBundle.ts';
import { type HostProcess, startHostProcess } from '../../support/hostProcess.ts';
import { DemoHost } from './demoHarness.ts';

const WAIT_MS = 30_000;
const uri = 'demo:/commented';
const resource = annotationsUri(uri);

describe('annotations at the host', function () {
  this.timeout(60_000);
  let host: DemoHost;
  let folder: string;
  let me: AgentHostClient;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-annotations-'));
    host = new DemoHost();
    await host.start({ sessionsFolder: folder });
    me = await host.client({ clientId: 'me' });
    await create(me, host.directory);
  });
  afterEach(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  const create = async (client: AgentHostClient, directory: string) => {
    await client.command('createSession', {
      ...{ channel: uri, provider: 'demo', workingDirectories: [pathToFileURL(directory).href], config: {} },
    });
    const session = client.session(uri);
    await whenLive(session);
    await eventually(() => session.state?.lifecycle === 'ready', 'the session');
  };
  const read = async (client: AgentHostClient) => {
    const model = client.model('annotations', resource);
    await withTimeout(whenLive(model), WAIT_MS, 'the annotations');
    return model;
  };
  const thread = (id: string, fields: Partial<Annotation> = {}): AnnotationsAction => ({
    type: 'annotations/set',
    annotation: {
      ...{ id, origin: { session: uri }, resource: 'file:///w/a.ts', resolved: false, entries: [{ id: 'e', text: 'Why?' }] },
      ...fields,
    },
  });
  const reply = (annotationId: string, id: string): AnnotationsAction => ({
    type: 'annotations/entrySet',
    annotationId,
    entry: { id, text: { markdown: 'So.' } },
  });
  const counts = async (client: AgentHostClient) => {
    const { items } = await client.command('listSessions', { channel: 'ahp-root://' });
    const annotations = items.find((each) => each.resource === uri)?.annotations;
    return [annotations?.resource, annotations?.annotationCount, annotations?.entryCount];
  };
  type Model = Awaited<ReturnType<typeof read>>;
  const shown = ({ confirmed }: Model) => confirmed?.annotations.map(({ id, entries }) => [id, entries.map((entry) => entry.id)]);
  const shows = (model: Model, expected: unknown) =>
    eventually(() => JSON.stringify(shown(model)) === JSON.stringify(expected), `${JSON.stringify(expected)}`);

  it('are named by a new session, and what one client writes the other one reads', async () => {
    const session = me.session(uri);
    await whenLive(session);
    assert.deepEqual(session.state?.annotations, { resource, annotationCount: 0, entryCount: 0 });
    const [mine, theirs] = [await read(me), await read(await host.client({ clientId: 'other' }))];
    assert.deepEqual(shown(theirs), []);
    assert.deepEqual(await mine.perform(thread('a')).settled, { kind: 'confirmed' });
    assert.deepEqual(await theirs.perform(reply('a', 'f')).settled, { kind: 'confirmed' });
    await shows(mine, [['a', ['e', 'f']]]);
    await shows(theirs, [['a', ['e', 'f']]]);
    assert.deepEqual(await counts(me), [resource, 1, 2]);
    await mine.perform({ type: 'annotations/updated', annotationId: 'a', resolved: true }).settled;
    await mine.perform({ type: 'annotations/entryRemoved', annotationId: 'a', entryId: 'e' }).settled;
    await shows(theirs, [['a', ['f']]]);
    assert.equal(theirs.confirmed?.annotations[0]?.resolved, true);
    await theirs.perform({ type: 'annotations/removed', annotationId: 'a' }).settled;
    await shows(mine, []);
    assert.deepEqual(await counts(me), [resource, 0, 0]);
  });

  it('are refused with a reason where they belong to another session, or to nothing', async () => {
    const mine = await read(me);
    const refused = async (action: AnnotationsAction) => JSON.stringify(await mine.perform(action).settled);
    assert.match(await refused(thread('a', { origin: { session: 'demo:/other' } })), /origin\.session/);
    assert.match(await refused(thread('a', { resource: 'https://example.org/' })), /file: URI/);
    assert.match(await refused(reply('a', 'f')), /no annotation a/);
    assert.deepEqual(shown(mine), []);
  });

  it('come from the agent, too, with the turn that they were made in', async () => {
    writeFileSync(join(host.directory, 'README.md'), '# Read me\n');
    const mine = await read(me);
    const chat = me.chat(me.session(uri).state?.defaultChat ?? '');
    await whenLive(chat);
    await chat.send('comment README.md Is this up to date?').settled;
    await eventually(() => chat.state?.turns.length === 1, 'the end of the turn');
    const [made] = mine.confirmed?.annotations ?? [];
    assert.deepEqual(made?.origin, { session: uri, chat: chat.state?.resource, turnId: chat.state?.turns[0]?.id });
    assert.equal(made?.resource, pathToFileURL(join(host.directory, 'README.md')).href);
    assert.deepEqual(
      made?.entries.map(({ text, _meta }) => [text, _meta]),
      [[{ markdown: 'Is this up to date?' }, { 'tapline.by': 'agent' }]],
    );
    assert.deepEqual(made?.range, { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } });
    await chat.send('comment none.md').settled;
    await eventually(() => chat.state?.turns.length === 2, 'the end of the turn');
    assert.equal(mine.confirmed?.annotations.length, 1);
  });

  it('are there again after a restart, and gone with their session', async () => {
    const mine = await read(me);
    await mine.perform(thread('a')).settled;
    await mine.perform(reply('a', 'f')).settled;
    await host.restart({ sessionsFolder: folder });
    const client = await host.client({ clientId: 'again' });
    assert.deepEqual(await counts(client), [resource, 1, 2]);
    const again = await read(client);
    assert.deepEqual(shown(again), [['a', ['e', 'f']]]);
    const session = client.session(uri);
    await whenLive(session);
    assert.deepEqual(session.state?.annotations, { resource, annotationCount: 1, entryCount: 2 });
    await again.perform(reply('a', 'g')).settled;
    assert.deepEqual(await counts(client), [resource, 1, 3]);
    await client.command('disposeSession', { channel: uri });
    await assert.rejects(client.command('subscribe', { channel: resource }), /there is no/);
  });

  it('are there again after the host was killed', async () => {
    const bundle = await bundleHost('0.0.1');
    let killed: HostProcess | undefined;
    const start = async () => {
      killed = await startHostProcess(['--data', join(folder, 'killed')], bundle.script);
      return await Client.connect({ ...killed, clientId: 'me', transport: connectNodeTransport(), dialects: ['channels'] });
    };
    try {
      const first = await start();
      await create(first, folder);
      await (await read(first)).perform(thread('a')).settled;
      await killed?.stop('SIGKILL');
      first.close();
      const second = await start();
      assert.deepEqual(shown(await read(second)), [['a', ['e']]]);
      assert.deepEqual(await counts(second), [resource, 1, 1]);
      second.close();
    } finally {
      await killed?.stop('SIGKILL');
      bundle.remove();
    }
  });
});
