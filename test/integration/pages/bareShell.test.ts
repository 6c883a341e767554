/** The page of a session in a shell that has nothing which is optional. */
import assert from 'node:assert/strict';
import type { Turn } from '../../../src/ahp/channels/chat/state.ts';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage, PageQuestion, SessionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { said } from '../../fakes/models.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const ref = { hostId: 'h', uri: SESSION };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
).toString('base64');

describe('the page of a session in a bare shell', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let shell: FakeShell;
  let page: FakePage<ExtensionMessage>;
  let session: SessionPage;

  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    host.put(SESSION, { ...channelSession(CHAT), workingDirectories: ['file:///w'] });
    host.put(CHAT, channelChat(CHAT));
    host.methods['resourceList'] = () => ({ entries: [{ name: 'a.ts', type: 'file' }] });
    host.methods['resourceRead'] = () => ({ data: PNG, encoding: 'base64' });
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    shell = new FakeShell();
    page = new FakePage();
    session = new SessionPage(page.port, sessionServices(shell, shownHosts(shownHost(client))));
    session.show(ref);
    page.say({ type: 'ready' });
    await eventually(() => page.messages.some((one) => one.type === 'snapshot' && one.uri === SESSION && one.confirmed), 'the session');
  });
  afterEach(() => {
    session.dispose();
    client.dispose();
  });

  const say = (message: SessionMessage) => page.say({ type: 'inSession', session: ref, message });
  async function answerTo(request: object): Promise<{ result?: unknown; error?: string }> {
    say({ type: 'request', id: 7, ...request } as SessionMessage);
    const find = () => page.messages.find((one) => one.type === 'response' && one.id === 7);
    await eventually(find, 'an answer');
    return find() as { result?: unknown; error?: string };
  }

  it('is told what it cannot do', () => {
    const show = page.messages.find((one) => one.type === 'show');
    assert.deepEqual(show?.lacks, ['commands', 'start', 'editor', 'attaching', 'context', 'chats', 'terminals', 'signIn', 'emitters']);
  });

  it('says plainly that it cannot, when it is asked anyway', async () => {
    const asked: SessionMessage[] = [
      { type: 'openDiff', edit: { after: { uri: 'file:///a', content: { uri: 'x:a' } } } },
      { type: 'openFile', uri: 'file:///a' },
      { type: 'useCode', how: 'insert', code: 'x' },
      { type: 'applyCode', code: 'x', info: '', before: '' },
      { type: 'openTerminal', uri: 'ahp-terminal:/1' },
      { type: 'renameChat', chat: CHAT },
      { type: 'deleteChat', chat: CHAT },
      { type: 'newSessionWith', draft: { text: 'x', attachments: [] } },
      { type: 'runCommand', command: 'showLog' },
    ];
    for (const message of asked) say(message);
    await eventually(() => shell.errors.length === asked.length, 'a word about each');
    for (const error of shell.errors) assert.match(error, /^This page cannot .*\. Open the session in VS Code to do it\.$/);
    const { error } = await answerTo({ method: 'pickAttachments', params: {} });
    assert.match(error ?? '', /^This page cannot attach files\./);
  });

  /** What the page is asked to ask. */
  const asked = async () => {
    const find = () => page.messages.findLast((one) => one.type === 'question');
    await eventually(() => find()?.question, 'a question');
    return find()?.question as Extract<PageQuestion, { kind: 'choose' }>;
  };

  it('asks in the page before an agent may act without asking', async () => {
    const schema = {
      type: 'object' as const,
      properties: { approvals: { type: 'string' as const, title: 'Approvals', enum: ['ask', 'all'] } },
    };
    host.put(SESSION, { ...channelSession(CHAT), config: { schema, values: { approvals: 'ask' } } });
    session.show(undefined);
    session.show(ref);
    await eventually(() => session.shown?.session?.config, 'the settings');
    say({ type: 'dispatch', uri: SESSION, action: { type: 'session/configChanged', config: { approvals: 'all' } } });
    const { id, title, answers } = await asked();
    assert.match(title, /without asking/);
    assert.equal(answers[0], 'Keep Asking');
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
    page.say({ type: 'answerQuestion', id, answer: 1 });
    await eventually(() => host.paramsOf('dispatchAction').length > 0, 'the setting');
    await eventually(() => !page.messages.findLast((one) => one.type === 'question')?.question, 'the end of the question');
  });

  it('goes back in a chat after a question in the page, and not when the page goes', async () => {
    const turn: Turn = { id: 'a', message: said('Say it'), responseParts: [], state: 'complete' };
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn] });
    session.show(undefined);
    session.show(ref);
    await eventually(() => session.shown?.holds(CHAT), 'the chat');
    const go = () => answerTo({ method: 'goBack', params: { chat: CHAT, turnId: 'a', how: 'back' } });
    const turns = () => (host.stateOf(CHAT) as { turns: unknown[] }).turns.length;
    page.posts.length = 0;
    const kept = go();
    const { id, answers } = await asked();
    assert.deepEqual(answers, ['Change Nothing', 'Go Back']);
    page.say({ type: 'answerQuestion', id: 'another', answer: 1 });
    page.say({ type: 'answerQuestion', id });
    assert.deepEqual((await kept).result, { isDone: false });
    assert.equal(turns(), 1);
    page.posts.length = 0;
    const gone = go();
    page.say({ type: 'answerQuestion', id: (await asked()).id, answer: 1 });
    assert.deepEqual((await gone).result, { isDone: true });
    assert.equal(turns(), 0);
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn] });
    session.show(undefined);
    session.show(ref);
    await eventually(() => session.shown?.holds(CHAT), 'the chat');
    page.posts.length = 0;
    void go().catch(() => undefined);
    await asked();
    session.dispose();
    // What it would do comes to the host before this.
    await client.command('resourceList', { uri: 'file:///w' });
    assert.equal(turns(), 1);
  });

  it('finds files of the host, and shows and sends images all the same', async () => {
    const { result: files } = await answerTo({ method: 'findFiles', params: { query: 'a' } });
    assert.deepEqual(
      (files as { uri: string }[]).map(({ uri }) => uri),
      ['file:///w/a.ts'],
    );
    page.posts.length = 0;
    assert.deepEqual((await answerTo({ method: 'readImage', params: { uri: 'file:///w/a.png' } })).result, {
      contentType: 'image/png',
      data: PNG,
    });
    page.posts.length = 0;
    const { result: image } = await answerTo({ method: 'attachContent', params: { name: 'a.png', data: PNG } });
    assert.deepEqual(image, { type: 'embeddedResource', label: 'a.png', displayKind: 'image', contentType: 'image/png', data: PNG });
  });

  it('sends texts along, and says what it cannot send', async () => {
    const attach = (name: string, bytes: Buffer) => {
      page.posts.length = 0;
      return answerTo({ method: 'attachContent', params: { name, data: bytes.toString('base64') } });
    };
    const text = Buffer.from('x = “1”\n');
    assert.deepEqual((await attach('src\n/a.py', text)).result, {
      ...{ type: 'embeddedResource', label: 'src /a.py', displayKind: 'file', contentType: 'text/plain', data: text.toString('base64') },
    });
    for (const [bytes, why] of [
      [Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff]), /only texts and PNG.*type # to attach it/],
      [Buffer.from('UTF-16', 'utf16le'), /only texts/],
      [Buffer.alloc(0), /nothing in it/],
      [Buffer.alloc(200_001, 'x'), /200 kB, and here a file may have at most 200 kB/],
      [Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(9_000_000)]), /an image may have at most 5 MB/],
    ] as const)
      assert.match((await attach('a', bytes)).error ?? '', why);
  });
});
