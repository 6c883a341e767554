import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import { offerNodes } from '../../../views/sessionList/offerNodes.ts';
import type { LocalHost } from './localHosts.ts';
import { VsCodeHosts, type VsCodeHostsOptions } from './vsCodeHosts.ts';

const host = (id: string): LocalHost => ({ id, label: `VS Code ${id}`, pid: 1, address: 'ws+unix:/x.sock', token: 's3cret' });

function setUp(options: Partial<VsCodeHostsOptions> = {}, storage = new MemoryStorage()) {
  const clock = new FakeClock();
  const world = { running: [host('a'), host('b')], looks: 0 };
  const find = () => (world.looks++, Promise.resolve([...world.running]));
  const hosts = new VsCodeHosts({ find, storage, computer: 'here', offers: () => true, clock, ...options });
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join();
  return { clock, world, storage, hosts, offered: () => ids(hosts.offered), accepted: () => ids(hosts.accepted) };
}

describe('Hosts of VS Code', () => {
  it('are offered until the user has answered, and then never again', async () => {
    const { hosts, offered, accepted, storage } = setUp();
    let changes = 0;
    hosts.onDidChange(() => changes++);
    await hosts.look();
    await hosts.look();
    assert.deepEqual([offered(), accepted(), changes], ['a,b', '', 1]);
    await hosts.answer(host('a'), 'connect');
    await hosts.answer(host('b'), 'notNow');
    assert.deepEqual([offered(), accepted(), changes], ['', 'a', 3]);
    const later = setUp({}, storage);
    await later.hosts.look();
    assert.deepEqual([later.offered(), later.accepted()], ['', 'a']);
    assert.doesNotMatch(JSON.stringify(storage.get('tapline.vsCodeHosts')), /s3cret/);
    await later.hosts.answer(host('b'), 'connect');
    assert.equal(later.accepted(), 'a,b');
  });

  it('are accepted on one computer, and on no other that shares the memory', async () => {
    const { hosts, storage } = setUp();
    await hosts.answer(host('a'), 'connect');
    const other = setUp({ computer: 'there' }, storage);
    await other.hosts.look();
    assert.deepEqual([other.offered(), other.accepted()], ['a,b', '']);
  });

  it('are left alone as soon as the user has said so in another window', async () => {
    const here = setUp();
    const there = setUp({}, here.storage);
    const connect = () => here.hosts.transport(host('a'))('', new AbortController().signal);
    await assert.rejects(connect, /You have not agreed/);
    assert.equal(here.world.looks, 0);
    await here.hosts.answer(host('a'), 'connect');
    await here.hosts.look();
    let changes = 0;
    here.hosts.onDidChange(() => changes++);
    await there.hosts.answer(host('a'), 'notNow');
    await assert.rejects(connect, /You have not agreed/);
    await here.hosts.look();
    assert.deepEqual([here.accepted(), changes], ['', 1]);
  });

  it('are told of without their tokens', async () => {
    const { hosts } = setUp();
    await hosts.look();
    assert.deepEqual(hosts.found[0], { id: 'a', label: 'VS Code a' });
    assert.doesNotMatch(inspect(hosts, { depth: 5 }), /s3cret/);
  });

  it('are not accepted because of what is no answer', async () => {
    const { storage, accepted } = setUp();
    for (const value of [
      null,
      'connect',
      { 'here\na': 'connect' },
      { 'here\na': { answer: 'yes', label: 'x' } },
      { 'here\na': { answer: 'connect' } },
    ]) {
      await storage.update('tapline.vsCodeHosts', value);
      assert.equal(accepted(), '');
    }
  });

  it('are looked for every half minute, and not offered where that is switched off', async () => {
    let isOn = false;
    const { hosts, world, clock, offered } = setUp({ offers: () => isOn });
    await hosts.look();
    assert.equal(offered(), '');
    isOn = true;
    assert.equal(offered(), 'a,b');
    clock.advance(30_000);
    assert.equal(world.looks, 2);
    hosts.dispose();
    clock.advance(60_000);
    assert.equal(world.looks, 2);
  });

  it('have a row with both answers', () => {
    const [offer] = offerNodes([{ id: 'a', label: 'VS Code' }]);
    assert.deepEqual([offer?.label, offer?.details], ['VS Code', 'The agent host of VS Code is running here. Connect?']);
    assert.deepEqual(
      offer?.children.map(({ label, action, hostId }) => [label, action, hostId]),
      [
        ['Connect', 'connectVsCodeHost', 'a'],
        ['Not now', 'declineVsCodeHost', 'a'],
      ],
    );
  });
});
