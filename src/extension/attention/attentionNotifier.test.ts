import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { Emitter } from '../../base/event.ts';
import { nullLogger } from '../../base/log.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import { AttentionNotifier, HEAD_START_MS } from './attentionNotifier.ts';

const item = (id: string): AttentionItem => ({
  id,
  hostId: 'h',
  hostLabel: 'Host',
  kind: 'call',
  uri: 'demo:/1',
  title: 'Fix it',
  what: 'x',
  since: 0,
});

/** A window with its own view of what waits. The storage is that of all windows. */
class Window {
  readonly shown: string[] = [];
  readonly open = new Set<string>();
  readonly #didChange = new Emitter<void>();
  readonly #didFocus = new Emitter<void>();
  readonly #didChangeScreen = new Emitter<void>();
  readonly #onScreen = new Set<string>();
  readonly #attention: { items: readonly AttentionItem[]; onDidChange: Emitter<void>['event'] };
  readonly #state = { focused: false };
  readonly #notifier: AttentionNotifier<AttentionItem>;
  isOn = true;

  constructor(storage: MemoryStorage, windowId: string, focused: boolean, clock = new FakeClock()) {
    this.#attention = { items: [], onDidChange: this.#didChange.event };
    this.#state.focused = focused;
    this.#notifier = new AttentionNotifier({
      attention: this.#attention,
      clock,
      logger: nullLogger,
      storage,
      windowId,
      window: { state: this.#state, onDidChangeWindowState: this.#didFocus.event },
      isOn: () => this.isOn,
      screen: { has: ({ id }) => this.#onScreen.has(id), onDidChange: this.#didChangeScreen.event },
      show: ({ id }) => {
        this.shown.push(id);
        this.open.add(id);
        return { dispose: () => this.open.delete(id) };
      },
    });
  }

  waits(...ids: string[]): void {
    this.#attention.items = ids.map(item);
    this.#didChange.fire();
  }
  focus(focused: boolean): void {
    this.#state.focused = focused;
    this.#didFocus.fire();
  }
  close(): void {
    this.#notifier.dispose();
  }
  look(...ids: string[]): void {
    this.#onScreen.clear();
    for (const id of ids) this.#onScreen.add(id);
    this.#didChangeScreen.fire();
  }
}

describe('AttentionNotifier', () => {
  let storage: MemoryStorage;
  beforeEach(() => (storage = new MemoryStorage()));

  it('notifies of each thing once, and no more when it was answered', () => {
    const window = new Window(storage, 'w', true);
    window.waits('a');
    window.waits('a', 'b');
    assert.deepEqual(
      [window.shown, [...window.open]],
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    );
    window.waits('b');
    assert.deepEqual([window.shown, [...window.open]], [['a', 'b'], ['b']]);
    window.waits('a', 'b');
    assert.deepEqual(window.shown, ['a', 'b']);
  });

  it('does not come back after a reload', () => {
    new Window(storage, 'before', true).waits('a');
    const window = new Window(storage, 'after', true);
    window.waits('a', 'b');
    assert.deepEqual(window.shown, ['b']);
  });

  it('says nothing of what is on screen, also later, and goes when it comes on screen', () => {
    const window = new Window(storage, 'w', true);
    window.look('a');
    window.waits('a', 'b');
    window.look('b');
    assert.deepEqual([window.shown, [...window.open]], [['b'], []]);
    window.look();
    window.waits('a', 'b', 'c');
    assert.deepEqual(window.shown, ['b', 'c']);
  });

  it('comes from the window that had the focus last, and from another once that has it', () => {
    const first = new Window(storage, 'first', true);
    const second = new Window(storage, 'second', false);
    for (const window of [second, first]) window.waits('a');
    assert.deepEqual([first.shown, second.shown], [['a'], []]);
    first.focus(false);
    for (const window of [second, first]) window.waits('a', 'b');
    assert.deepEqual([first.shown, second.shown], [['a', 'b'], []]);
    second.focus(true);
    for (const window of [first, second]) window.waits('a', 'b', 'c');
    assert.deepEqual([first.shown, second.shown], [['a', 'b'], ['c']]);
  });

  it('is made up for by a window that gets the focus, of what still waits', () => {
    const window = new Window(storage, 'second', false);
    window.waits('a', 'b');
    window.waits('b');
    assert.deepEqual(window.shown, []);
    window.focus(true);
    window.focus(false);
    window.focus(true);
    assert.deepEqual(window.shown, ['b']);
  });

  it('comes a moment later from another window when the one that had the focus last does not notify', () => {
    const clock = new FakeClock();
    const away = new Window(storage, 'away', true, clock);
    away.focus(false);
    const window = new Window(storage, 'window', false, clock);
    window.waits('a');
    clock.advance(HEAD_START_MS - 1);
    assert.deepEqual(window.shown, []);
    window.waits('a', 'b');
    clock.advance(1);
    assert.deepEqual(window.shown, ['a']);
    away.close();
    clock.advance(HEAD_START_MS);
    assert.deepEqual([window.shown, away.shown, clock.pending], [['a', 'b'], [], 0]);
  });

  it('comes from no other window once it was notified of, answered or seen', () => {
    const clock = new FakeClock();
    const first = new Window(storage, 'first', true, clock);
    const second = new Window(storage, 'second', false, clock);
    second.waits('a', 'b', 'c', 'd');
    first.waits('a');
    second.waits('a', 'c', 'd');
    second.look('c');
    clock.advance(HEAD_START_MS);
    assert.deepEqual([first.shown, second.shown], [['a'], ['d']]);
    second.look();
    second.waits('a', 'b', 'c', 'd');
    clock.advance(HEAD_START_MS - 1);
    assert.deepEqual(second.shown, ['d'], 'what waits again has to wait again');
    second.close();
    clock.advance(HEAD_START_MS);
    assert.deepEqual([second.shown, clock.pending], [['d'], 0]);
  });

  it('is off by the setting, and does not make up for it', () => {
    const window = new Window(storage, 'w', true);
    window.isOn = false;
    window.waits('a');
    window.isOn = true;
    window.waits('a', 'b');
    assert.deepEqual(window.shown, ['b']);
  });
});
