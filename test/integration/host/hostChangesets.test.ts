/** The changesets of Tapline's own host, with the demo agent, over real sockets. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ChangesetState } from '../../../src/ahp/channels/changeset.ts';
import { ErrorCode } from '../../../src/ahp/common/errors.ts';
import type { FileEditSide } from '../../../src/ahp/common/shapes.ts';
import { changesetUri, changesUri } from '../../../src/host/state/chatUris.ts';
import { eventually } from '../../fakes/eventually.ts';
import { DemoHost } from './demoHarness.ts';

const uri = 'demo:/of-changes';
const ofSession = changesUri(uri);
const ofTurn = (turnId: string) => changesetUri({ kind: 'turn', session: uri, turnId });

describe('the changesets of the host', function () {
  this.timeout(60_000);
  let host: DemoHost;
  let folder: string;
  let client: AgentHostClient;
  let session: SessionModel;
  let chat: ChatModel;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-changesets-'));
    host = new DemoHost();
    await host.start({ sessionsFolder: folder });
    client = await host.client({ clientId: 'me' });
    const workingDirectories = [pathToFileURL(host.directory).href];
    await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, config: {} });
    await open();
  });
  afterEach(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  async function open(): Promise<void> {
    session = client.session(uri);
    await whenLive(session);
    await eventually(() => session.state?.lifecycle === 'ready', 'the session');
    chat = client.chat(session.state?.defaultChat ?? '');
    await whenLive(chat);
  }
  const path = (name: string) => join(host.directory, name);
  const fileUri = (name: string) => pathToFileURL(path(name)).href;
  const onDisk = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined);

  /** A turn that adds a line to a file. Returns its id. */
  async function edit(name: string, line: string): Promise<string> {
    const before = chat.state?.turns.length ?? 0;
    await chat.send(`edit ${name} ${line}`).settled;
    const waiting = () => chat.state?.activeTurn?.responseParts.flatMap((part) => ('toolCall' in part ? [part.toolCall] : [])).at(-1);
    await eventually(() => waiting()?.status === 'pending-confirmation', 'the question');
    const turnId = chat.state?.activeTurn?.id ?? '';
    await chat.approve({ turnId, toolCallId: waiting()?.toolCallId ?? '' }).settled;
    await eventually(() => chat.state?.turns.length === before + 1 && !chat.state.activeTurn, 'the end of the turn');
    return turnId;
  }
  async function looked(channel: string, by = client): Promise<ResourceModel<'changeset'>> {
    const model = by.model('changeset', channel);
    await whenLive(model);
    await eventually(() => model.state?.status === 'ready', `the files of ${channel}`);
    return model;
  }
  const read = async (side: FileEditSide | undefined) =>
    side && (await client.command('resourceRead', { uri: side.content.uri, encoding: 'utf-8' })).data;
  const shown = (state: ChangesetState | undefined) =>
    Promise.all((state?.files ?? []).map(async ({ id, edit: { before, after } }) => [id, await read(before), await read(after)] as const));
  const discard = (channel: string, target?: object) =>
    client.command('invokeChangesetOperation', { channel, operationId: 'discard', ...(target && { target }) } as never);
  const listed = () => session.state?.changesets?.map(({ changeKind, label }) => [changeKind, label]);

  it('say what each turn did and what the session did, to everybody who looks', async () => {
    assert.equal(listed(), undefined);
    writeFileSync(path('notes.md'), 'first\n');
    const first = await edit('notes.md', 'second');
    const second = await edit('notes.md', 'third');
    await eventually(() => listed()?.length === 2, 'the list');
    assert.deepEqual(listed(), [
      ['session', 'Changes of the Session'],
      ['turn', 'Changes of the Last Turn'],
    ]);
    const [template] =
      session.state?.changesets?.flatMap(({ changeKind, uriTemplate }) => (changeKind === 'turn' ? [uriTemplate] : [])) ?? [];
    assert.equal(template?.replace('{turnId}', first), ofTurn(first));
    const name = fileUri('notes.md');
    assert.deepEqual(await shown((await looked(ofTurn(first))).state), [[name, 'first\n', 'first\nsecond\n']]);
    assert.deepEqual(await shown((await looked(ofTurn(second))).state), [[name, 'first\nsecond\n', 'first\nsecond\nthird\n']]);
    const other = await host.client({ clientId: 'other' });
    const whole = await looked(ofSession, other);
    assert.deepEqual(await shown(whole.state), [[name, 'first\n', 'first\nsecond\nthird\n']]);
    assert.deepEqual(
      whole.state?.operations?.map(({ id, scopes, status }) => [id, scopes, status]),
      [
        ['keep', ['changeset', 'resource'], 'idle'],
        ['discard', ['changeset', 'resource', 'range'], 'idle'],
      ],
    );
    const seen = await looked(ofTurn(second), other);
    await discard(ofTurn(second));
    await eventually(() => seen.state?.files.length === 0, 'that the other client sees it');
    await eventually(() => whole.state?.operations?.every(({ status }) => status === 'idle') === true, 'the end of the operation');
    assert.deepEqual(await shown(whole.state), [[name, 'first\n', 'first\nsecond\n']]);
    assert.equal(onDisk('notes.md'), 'first\nsecond\n');
  });

  it('leave what others have changed, and refuse what cannot be done with a reason', async () => {
    const turn = await edit('new.md', 'of the agent');
    writeFileSync(path('new.md'), 'mine\n');
    const refused = async (work: Promise<unknown>) =>
      await work.then(
        () => assert.fail('it was done'),
        (error: { code: number; message: string }) => [error.code, error.message] as const,
      );
    const [code, why] = await refused(discard(ofTurn(turn)));
    assert.equal(code, ErrorCode.Conflict);
    assert.match(why, /new\.md: it has been changed since/);
    assert.equal(onDisk('new.md'), 'mine\n');
    await chat.send('edit other.md x').settled;
    await eventually(() => chat.state?.activeTurn !== undefined, 'the turn');
    assert.equal((await refused(discard(ofSession)))[0], ErrorCode.TurnInProgress);
    await chat.stop().settled;
    assert.equal((await refused(discard(ofTurn('none'))))[0], ErrorCode.NotFound);
    assert.equal((await refused(discard('ahp-changeset://turn/x/y')))[0], ErrorCode.NotFound);
    assert.equal((await refused(discard(ofSession, { kind: 'resource', resource: 'file:///none' })))[0], ErrorCode.NotFound);
    const unknown = client.command('invokeChangesetOperation', { channel: ofSession, operationId: 'fly' });
    assert.equal((await refused(unknown))[0], ErrorCode.InvalidParams);
    assert.match(String(await refused(client.command('subscribe', { channel: ofTurn('none') }))), /there is no/);
    writeFileSync(path('new.md'), 'of the agent\n');
    await discard(ofTurn(turn));
    assert.equal(onDisk('new.md'), undefined);
  });

  it('outlive the host, with what was discarded, and are put back from the turns that go', async () => {
    writeFileSync(path('notes.md'), 'first\n');
    const turns = [await edit('notes.md', 'second'), await edit('new.md', 'x'), await edit('notes.md', 'third')];
    const [first = '', second = '', third = ''] = turns;
    await discard(ofTurn(second));
    await host.restart({ sessionsFolder: folder });
    client = await host.client({ clientId: 'me' });
    // Whichever of its channels is asked for first, the session is read.
    assert.deepEqual((await looked(ofTurn(second))).state?.files, []);
    await open();
    await eventually(() => listed()?.length === 2, 'the list');
    const whole = await looked(ofSession);
    assert.deepEqual([whole.state?.files.length, whole.state?.operations?.length], [1, 2]);
    for (const turn of [third, first]) await discard(ofTurn(turn));
    assert.deepEqual([onDisk('notes.md'), onDisk('new.md')], ['first\n', undefined]);
    assert.deepEqual(Object.keys(session.state?._meta ?? {}), ['tapline.discarded']);
    await chat.truncate().settled;
    await eventually(() => session.state?._meta === undefined && session.state?.changesets === undefined, 'that nothing is left');
    assert.deepEqual([whole.state?.files, onDisk('notes.md')], [[], 'first\n']);
  });

  it('are kept, and then begin anew', async () => {
    await edit('notes.md', 'one');
    await client.command('invokeChangesetOperation', { channel: ofSession, operationId: 'keep' });
    const whole = await looked(ofSession);
    assert.deepEqual(whole.state?.files, []);
    await edit('notes.md', 'two');
    assert.deepEqual(await shown(whole.state), [[fileUri('notes.md'), 'one\n', 'one\ntwo\n']]);
  });

  it('are the files of the session for clients of AHP v1, as ever', async () => {
    const older = await host.connect();
    const state = older.subscribeSession(uri);
    const diffs = () => state.state?.summary.diffs?.map(({ after }) => after?.uri);
    const turn = await edit('notes.md', 'one');
    await eventually(() => diffs()?.length === 1, 'the file');
    assert.deepEqual(diffs(), [fileUri('notes.md')]);
    await looked(ofTurn(turn));
    await discard(ofTurn(turn));
    await eventually(() => diffs()?.length === 0, 'that it is as it was');
  });
});
