import assert from 'node:assert/strict';
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import { lentUri } from '../../ahp/lentFiles.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { nullLogger } from '../../base/log.ts';
import type { Client } from '../state/clients.ts';
import { LentFileReader } from './lentFileReader.ts';

const uri = (name: string, clientId = 'window-1') => lentUri({ clientId, key: 'a'.repeat(32), names: [name] });
type Answer = (method: string, uri: string) => unknown;

describe('what clients lend to the host', () => {
  const asked: string[] = [];
  const signal = new AbortController().signal;
  beforeEach(() => asked.splice(0));

  type Named = Partial<Extract<MessageAttachment, { type: 'resource' }>> & { uri: string };
  const named = (one: Named): MessageAttachment => ({ type: 'resource', label: one.uri, ...one });
  const user = { kind: 'user' } as const;

  function read(answer: Answer, attachments: Named[], ended = signal) {
    const client = {
      request: async (method: string, params: { uri: string }) => {
        asked.push(`${method} ${params.uri}`);
        return answer(method, params.uri);
      },
    } as unknown as Client;
    const clients = { connected: (id: string) => (id === 'window-1' ? client : undefined) };
    const message = { text: 'Look', origin: user, attachments: attachments.map(named) };
    return new LentFileReader(clients, nullLogger).read(message, ended);
  }
  const text = (data: string) => ({ data, encoding: 'utf-8' });

  it('goes to the model as text, and everything else stays an attachment', async () => {
    const { message, texts } = await read(() => text('Buy ```milk```'), [{ uri: uri('notes.txt') }, { uri: 'file:///work/a.ts' }]);
    assert.deepEqual(message, { text: 'Look', origin: user, attachments: [named({ uri: 'file:///work/a.ts' })] });
    assert.deepEqual(texts, ['`notes.txt`, a file of the user’s own computer:\n\n````\nBuy ```milk```\n````']);
    const own = { text: 'Look', origin: user, attachments: [named({ uri: 'file:///work/a.ts' })] };
    assert.deepEqual(await read(() => assert.fail('asked'), [{ uri: 'file:///work/a.ts' }]), { message: own, texts: [] });
  });

  it('has its own name, and the lines that are selected in it', async () => {
    const range = { start: { line: 2, character: 1 }, end: { line: 4, character: 3 } };
    const { texts } = await read(() => text('x'), [{ uri: uri('a.ts'), label: 'src/a.ts', selection: { range } }]);
    assert.deepEqual(texts, ['`src/a.ts`, a file of the user’s own computer:\n\n```\nx\n```\n\nThe user has selected lines 3–5 of it.']);
  });

  it('can be a folder, whose files are read', async () => {
    const folders: Record<string, unknown[]> = {
      [uri('docs')]: [
        { name: 'a b.md', type: 'file' },
        { name: 'more', type: 'directory' },
      ],
      [`${uri('docs')}/more`]: [{ name: 'c', type: 'file' }],
    };
    const answer: Answer = (method, at) => (method === 'resourceList' ? { entries: folders[at] } : text(`content of ${at.at(-1)}`));
    const { texts } = await read(answer, [{ uri: uri('docs'), displayKind: 'directory', label: 'docs' }]);
    assert.equal(texts.length, 1);
    for (const part of ['`docs`, a folder', '`docs/a b.md`, a file', 'content of d', '`docs/more`, a folder', '`docs/more/c`, a file'])
      assert.ok(texts[0]?.includes(part), part);
  });

  it('is said to be unreadable where the client is away, refuses, or answers nonsense', async () => {
    const say = async (answer: Answer, name = uri('a')) => (await read(answer, [{ uri: name }])).texts.join();
    assert.match(await say(() => text(''), uri('a', 'window-2')), /cannot be read: the window that lends it is not connected/);
    const refuse = () => {
      throw new RpcError(-32008, `no${' such file'.repeat(1_000)}`);
    };
    const refused = await say(refuse);
    assert.match(refused, /^`a`, a file of the user’s own computer, cannot be read: no such file/);
    assert.ok(refused.length < 400);
    for (const nonsense of [null, {}, { data: 7, encoding: 'utf-8' }, { data: '', encoding: 'latin1' }])
      assert.match(await say(() => nonsense), /cannot be read/);
    assert.match(await say(() => ({ data: '/wAB', encoding: 'base64' })), /is not text, so you cannot see it|that is not text/);
  });

  it('takes a bounded part of a prompt, however much a client sends', async () => {
    const long = await read(() => text('x'.repeat(5_000_000)), [{ uri: uri('a') }, { uri: uri('b') }]);
    assert.match(long.texts[0] ?? '', /its first 400000 of 5000000 characters/);
    assert.match(long.texts[1] ?? '', /left out/);
    assert.ok(long.texts.join().length < 401_000);

    asked.splice(0);
    const endless: Answer = () => ({ entries: Array.from({ length: 50 }, (_, at) => ({ name: `folder-${at}`, type: 'directory' })) });
    const { texts } = await read(endless, [{ uri: uri('a'), displayKind: 'directory' }]);
    assert.ok(asked.length <= 500, `${asked.length} requests`);
    assert.ok(texts.join().length < 250_000);

    const names = ['..', '.', '', 'a/b', '\ud800', 'x'.repeat(100_000)].map((name) => ({ name, type: 'file' }));
    asked.splice(0);
    await read((method) => (method === 'resourceList' ? { entries: names } : text('never')), [{ uri: uri('a'), displayKind: 'directory' }]);
    assert.equal(asked.length, 1, 'what is no name is not asked for');
  });

  it('is not waited for after the turn has ended', async () => {
    const turn = new AbortController();
    const reading = read(() => new Promise(() => turn.abort()), [{ uri: uri('a') }, { uri: uri('b') }], turn.signal);
    assert.equal((await reading).texts.length, 2);
    assert.equal(asked.length, 1);
  });
});
