import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { Emitter } from '../../base/event.ts';
import { nullLogger } from '../../base/log.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import { type OpenReview, WindowAttention } from './windowAttention.ts';

const call: AttentionItem = { id: 'c', hostId: 'h', hostLabel: 'H', kind: 'call', title: 'T', what: 'Approve or deny: ls', since: 1 };

describe('what waits in a window', () => {
  const clock = new FakeClock();
  const sessions = { items: [] as readonly AttentionItem[], changed: new Emitter<void>() };
  const reviews = { open: [] as OpenReview[], changed: new Emitter<void>() };
  let storage: MemoryStorage;
  let attention: WindowAttention;
  let changes: number;
  let reviewed: string[];

  const newWindow = () => {
    const window = new WindowAttention(
      {
        get items() {
          return sessions.items;
        },
        onDidChange: sessions.changed.event,
        look: () => undefined,
      },
      storage,
      clock,
      nullLogger,
    );
    window.onDidChange(() => changes++);
    window.add({
      get open() {
        return reviews.open;
      },
      onDidChange: reviews.changed.event,
    });
    return window;
  };
  const review = (id: string): OpenReview => ({ id, title: id, what: 'Waits.', review: () => reviewed.push(id) });
  const ids = () => attention.items.map(({ id }) => id);
  const open = (...all: OpenReview[]) => {
    reviews.open = all;
    reviews.changed.fire();
  };
  beforeEach(() => {
    storage = new MemoryStorage();
    sessions.items = [];
    reviews.open = [];
    changes = 0;
    reviewed = [];
    attention = newWindow();
  });
  afterEach(() => attention.dispose());

  it('is what waits in its sessions, and behind it what it asks itself, for as long as that is not answered', () => {
    open(review('a'));
    sessions.items = [call];
    sessions.changed.fire();
    assert.deepEqual(ids(), ['c', 'a']);
    assert.equal(changes, 2);
    open();
    assert.deepEqual(ids(), ['c']);
  });

  it('keeps since when each waits, and says nothing where nothing changed', () => {
    open(review('a'));
    const [{ since } = call] = attention.items;
    clock.advance(1_000);
    open(review('a'), review('b'));
    assert.deepEqual(
      attention.items.map((item) => item.since - since),
      [0, 1_000],
    );
    const { items } = attention;
    open(review('a'), review('b'));
    assert.equal(attention.items, items);
    assert.equal(changes, 2);
  });

  it('shows what is to be reviewed, and not what was answered meanwhile', () => {
    open(review('a'), review('b'));
    attention.review('b');
    open(review('a'));
    assert.throws(() => attention.review('b'), /gone or was answered/);
    assert.deepEqual(reviewed, ['b']);
  });

  it('is not reminded of what the user put off, and is of another content', () => {
    open(review('a'));
    attention.putOff('a');
    assert.deepEqual(ids(), []);
    attention.dispose();
    attention = newWindow();
    assert.deepEqual(ids(), [], 'nor in the next window');
    open(review('a'), review('a, changed'));
    assert.deepEqual(ids(), ['a, changed']);
  });
});
