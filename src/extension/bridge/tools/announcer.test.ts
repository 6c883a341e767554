import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { Announcer } from './announcer.ts';

describe('The announcer', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const told: string[] = [];
    const announcer = new Announcer(clock, (tools) => told.push(tools.map(({ name }) => name).join()));
    return { clock, told, announcer };
  };
  const tools = (...names: string[]) => names.map((name) => ({ name }));

  it('tells the last of many changes, 200 ms after it', () => {
    const { clock, told, announcer } = setUp();
    announcer.begin([]);
    announcer.set(tools('a'));
    clock.advance(199);
    announcer.set(tools('a', 'b'));
    clock.advance(199);
    assert.deepEqual(told, []);
    clock.advance(1);
    assert.deepEqual(told, ['a,b']);
  });

  it('tells nothing when the set is as it was told, however often it is given', () => {
    const { clock, told, announcer } = setUp();
    announcer.begin(tools('a'));
    announcer.set(tools('a'));
    announcer.set(tools('b'));
    announcer.set(tools('a'));
    clock.advance(1_000);
    assert.deepEqual([told, clock.pending], [[], 0]);
    announcer.set(tools('b'));
    clock.advance(100);
    announcer.set(tools('b'));
    clock.advance(100);
    assert.deepEqual(told, ['b'], 'the same set again does not put it off');
  });

  it('tells nothing while nothing is lent', () => {
    const { clock, told, announcer } = setUp();
    announcer.set(tools('a'));
    clock.advance(1_000);
    announcer.begin(tools('a'));
    announcer.set(tools('b'));
    announcer.end();
    clock.advance(1_000);
    announcer.set(tools('c'));
    clock.advance(1_000);
    assert.deepEqual(told, []);
  });
});
