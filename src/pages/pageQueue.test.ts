import assert from 'node:assert/strict';
import type { ExtensionMessage, SnapshotMessage } from '../webviews/session/protocol.ts';
import { MAX_WAITING_ACTIONS, MAX_WAITING_CHARACTERS, PageQueue } from './pageQueue.ts';

const delta = (content: string): ExtensionMessage => ({
  type: 'actions',
  uri: 'demo:/1',
  actions: [{ type: 'session/delta', content } as { type: string }],
  now: 1,
});
const snapshot: SnapshotMessage = { type: 'snapshot', uri: 'demo:/1', kind: 'session', pending: [], status: { kind: 'loading' } };

describe('what is posted to a page', () => {
  /** A page that takes a post only when the test says so. */
  function slowPage(isCut = false) {
    const posts: ExtensionMessage[][] = [];
    let took: (() => void)[] = [];
    let posted: () => void = () => undefined;
    const queue = new PageQueue<ExtensionMessage>({
      post: (messages) => {
        posts.push(messages);
        posted();
        return new Promise<void>((resolve) => took.push(resolve));
      },
      onError: (error) => assert.fail(String(error)),
      ofResource: (message) => {
        if (message.type !== 'snapshot' && message.type !== 'actions' && message.type !== 'status') return undefined;
        return { key: message.uri, message, isCut, wrap: (one) => one, snapshot: () => snapshot };
      },
      saysAll: ({ type }) => type === 'bridge',
      isSaidOnce: ({ type }) => type === 'startEnded',
    });
    return {
      queue,
      posts,
      nextPost: () => new Promise<void>((resolve) => (posted = resolve)),
      take: () => {
        for (const resolve of took) resolve();
        took = [];
      },
    };
  }

  it('posts what came within a frame at once, the actions of a resource as one message', async () => {
    const { queue, posts, nextPost } = slowPage();
    const post = nextPost();
    for (const text of ['a', 'b', 'c']) queue.send(delta(text));
    queue.send({ type: 'focus', target: 'composer' });
    await post;
    assert.equal(posts.length, 1);
    assert.deepEqual(
      posts[0]?.map(({ type }) => type),
      ['actions', 'focus'],
    );
    const [first] = posts[0] ?? [];
    assert.equal(first?.type === 'actions' && first.actions.length, 3);
  });

  it('waits for a slow page and then posts one larger batch', async () => {
    const { queue, posts, nextPost, take } = slowPage();
    let post = nextPost();
    queue.send(delta('a'));
    await post;
    for (let i = 0; i < 1000; i++) queue.send(delta('x'));
    await new Promise((resolve) => setTimeout(resolve, 50)); // several frames: nothing may be posted meanwhile
    assert.equal(posts.length, 1);
    post = nextPost();
    take();
    await post;
    assert.equal(posts.length, 2);
    const [batch] = posts[1] ?? [];
    assert.equal(batch?.type === 'actions' && batch.actions.length, 1000);
  });

  it('drops what a snapshot makes needless, of that resource only', async () => {
    const { queue, posts, nextPost } = slowPage();
    const post = nextPost();
    queue.send(delta('a'));
    queue.send({ ...delta('b'), uri: 'demo:/2' } as ExtensionMessage);
    queue.send(snapshot);
    queue.send(delta('after'));
    await post;
    assert.deepEqual(
      posts[0]?.map((message) => [message.type, 'uri' in message && message.uri]),
      [
        ['actions', 'demo:/2'],
        ['snapshot', 'demo:/1'],
        ['actions', 'demo:/1'],
      ],
    );
  });

  it('sends of what is said anew the newest only, in the place of the first', async () => {
    const { queue, posts, nextPost } = slowPage();
    const posted = nextPost();
    queue.send({ type: 'bridge', uri: 'demo:/1' });
    queue.send(delta('a'));
    queue.send({ type: 'bridge', uri: 'demo:/2' });
    await posted;
    assert.deepEqual(posts, [[{ type: 'bridge', uri: 'demo:/2' }, delta('a')]]);
  });

  it('drops what waits for a page that shows another session, but not what became of a start', async () => {
    const { queue, posts, nextPost } = slowPage();
    const posted = nextPost();
    queue.send(delta('a'));
    queue.send({ type: 'startEnded' });
    queue.clear();
    queue.send(snapshot);
    await posted;
    assert.deepEqual(posts, [[{ type: 'startEnded' }, snapshot]]);
  });

  it('sends the state of now instead of more actions than are worth sending', async () => {
    const { queue, posts, nextPost, take } = slowPage();
    let post = nextPost();
    queue.send(delta('first'));
    await post;
    for (let i = 0; i <= 2 * MAX_WAITING_ACTIONS; i += 1000) {
      queue.send({
        ...delta(''),
        actions: Array.from({ length: 1000 }, () => ({ type: 'session/ready', session: 'demo:/1' })),
      } as ExtensionMessage);
    }
    post = nextPost();
    take();
    await post;
    assert.equal(posts[1]?.[0]?.type, 'snapshot');
    const counts = posts[1]?.map((message) => (message.type === 'actions' ? message.actions.length : 0)) ?? [];
    assert.ok(counts.reduce((sum, count) => sum + count, 0) <= MAX_WAITING_ACTIONS, String(counts));
  });

  it('sends the state of now instead of a flood of text, however few actions bring it', async () => {
    const { queue, posts, nextPost, take } = slowPage(true);
    let post = nextPost();
    queue.send(delta('first'));
    await post;
    const piece = 'x'.repeat(100_000);
    for (let sent = 0; sent <= 20_000_000; sent += piece.length) queue.send(delta(piece));
    post = nextPost();
    take();
    await post;
    assert.equal(posts[1]?.[0]?.type, 'snapshot');
    assert.ok(JSON.stringify(posts[1]).length < 1.1 * MAX_WAITING_CHARACTERS);
  });

  it('sends the state of now also when one change brings the flood', async () => {
    const { queue, posts, nextPost } = slowPage(true);
    const post = nextPost();
    queue.send(delta('x'.repeat(MAX_WAITING_CHARACTERS + 1)));
    await post;
    assert.deepEqual(posts, [[snapshot]]);
  });

  it('changes no list of actions that it was given', async () => {
    const { queue, nextPost } = slowPage();
    const post = nextPost();
    const first = delta('a');
    queue.send(first);
    queue.send(delta('b'));
    await post;
    assert.deepEqual(first, delta('a'));
  });

  it('keeps the newest list of pending actions', async () => {
    const { queue, posts, nextPost } = slowPage();
    const post = nextPost();
    const action = { type: 'session/isReadChanged', session: 'demo:/1', isRead: true } as const;
    queue.send({ type: 'actions', uri: 'demo:/1', actions: [], now: 1, pending: [{ clientSeq: 1, action }] });
    queue.send(delta('a'));
    await post;
    const [message] = posts[0] ?? [];
    assert.deepEqual(message?.type === 'actions' && message.pending?.map(({ clientSeq }) => clientSeq), [1]);
  });
});
