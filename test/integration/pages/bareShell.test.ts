/** The page of a session in a shell that has nothing which is optional. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage, SessionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
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
    assert.deepEqual(show?.lacks, ['commands', 'start', 'questions', 'editor', 'attaching', 'context', 'chats', 'terminals', 'signIn']);
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

  it('does not let an agent act without asking, because nobody can be asked', async () => {
    const schema = {
      type: 'object' as const,
      properties: { approvals: { type: 'string' as const, title: 'Approvals', enum: ['ask', 'all'] } },
    };
    host.put(SESSION, { ...channelSession(CHAT), config: { schema, values: { approvals: 'ask' } } });
    session.show(undefined);
    session.show(ref);
    await eventually(() => session.shown?.session?.config, 'the settings');
    say({ type: 'dispatch', uri: SESSION, action: { type: 'session/configChanged', config: { approvals: 'all' } } });
    await eventually(() => shell.errors.length > 0, 'why not');
    assert.match(shell.errors[0] ?? '', /cannot ask.*Nothing was changed/);
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
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
