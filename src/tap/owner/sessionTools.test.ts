import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { OwnerEvent, OwnerState } from './ownerClient.ts';
import type { OfferedTool } from '../wire/owner/ownerMessages.ts';
import { SessionTools } from './sessionTools.ts';

const toolOf = (name: string): OfferedTool => ({ name, description: '', parameters: {}, provider: 'p', trust: 'project', timeoutMs: 1 });

describe('the tools of a session', () => {
  let clock: FakeClock;
  let events: Emitter<OwnerEvent>;
  let states: Emitter<OwnerState>;
  let changes: number;
  let tools: SessionTools;
  beforeEach(() => {
    clock = new FakeClock();
    events = new Emitter();
    states = new Emitter();
    changes = 0;
    tools = new SessionTools({ onEvent: events.event, onDidChangeState: states.event }, 'own', clock, () => changes++);
  });
  const tell = (names: string[], sessionId = 'own') =>
    events.fire({ event: 'tools/changed', params: { sessionId, revision: 1, tools: names.map(toolOf) } });
  const names = async () => (await tools.list(10_000)).map(({ name }) => name);

  it('are listed when they have come to rest, and at once from then on', async () => {
    const listed = names();
    tell(['a']);
    clock.advance(199);
    tell(['a', 'b']);
    clock.advance(200);
    assert.deepEqual(await listed, ['a', 'b']);
    tell(['c']);
    assert.deepEqual(await names(), ['c']);
  });

  it('are listed after a second even where they never rest', async () => {
    const listed = names();
    for (let at = 0; at < 10; at++) {
      tell([`tool${at}`]);
      clock.advance(100);
    }
    assert.deepEqual(await listed, ['tool9']);
  });

  it('are not known while the gateway does not know the session; the wait for it is bounded', async () => {
    tell(['x'], 'other');
    const listed = assert.rejects(tools.list(10_000), TimeoutError);
    clock.advance(10_000);
    await listed;
    assert.equal(clock.pending, 0);
  });

  it('have changed, once, 200 ms after the last change, and only where they are not what was told last', async () => {
    tell(['a']);
    clock.advance(1_000);
    assert.equal(changes, 0, 'nobody has asked');
    await names();
    tell(['a', 'b']);
    clock.advance(150);
    tell(['a', 'b', 'c']);
    clock.advance(199);
    assert.equal(changes, 0);
    clock.advance(1);
    assert.equal(changes, 1);
    tell(['a']);
    tell(['a', 'b', 'c']);
    clock.advance(1_000);
    assert.equal(changes, 1);
  });

  it('have changed for a client that has only called one since', async () => {
    tell(['a']);
    clock.advance(200);
    await names();
    tell(['a', 'b']);
    await tools.ready(10_000);
    clock.advance(200);
    assert.equal(changes, 1);
  });

  it('have changed when a new gateway has them, even if they look the same', async () => {
    tell(['a']);
    clock.advance(200);
    await names();
    states.fire({ kind: 'waiting', error: 'gone' });
    assert.equal(tools.find('a'), undefined);
    const listed = names();
    tell(['a']);
    clock.advance(200);
    assert.deepEqual([await listed, changes], [['a'], 1]);
  });

  it('are silent once disposed of', () => {
    tell(['a']);
    tools.dispose();
    tell(['b']);
    assert.equal(clock.pending, 0);
  });
});
