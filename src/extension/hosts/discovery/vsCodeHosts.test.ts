import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { eventually } from '../../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../../base/log.ts';
import { offerNodes } from '../../../views/sessionList/offerNodes.ts';
import { HostAnswers } from './hostAnswers.ts';
import type { LocalHost } from './localHosts.ts';
import { VsCodeHosts, type VsCodeHostsOptions } from './vsCodeHosts.ts';

const host = (id: string): LocalHost => ({ id, label: `VS Code ${id}`, pid: 1, address: 'ws+unix:/x.sock', token: 's3cret' });

describe('Hosts of VS Code', () => {
  let folder: string;
  beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'tapline-answers-')), 'hosts')));
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  function setUp(options: Partial<VsCodeHostsOptions> = {}, computer = 'here') {
    const clock = new FakeClock();
    const world = { running: [host('a'), host('b')], looks: 0 };
    const find = () => (world.looks++, Promise.resolve([...world.running]));
    const answers = new HostAnswers(folder, computer);
    const hosts = new VsCodeHosts({ find, answers, offers: () => true, clock, logger: nullLogger, ...options });
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join();
    return { clock, world, hosts, offered: () => ids(hosts.offered), accepted: () => ids(hosts.accepted) };
  }
  const files = () => readdirSync(folder).map((name) => join(folder, name));

  it('are offered until the user has answered, and then never again', async () => {
    const { hosts, offered, accepted } = setUp();
    let changes = 0;
    hosts.onDidChange(() => changes++);
    await hosts.look();
    await hosts.look();
    assert.deepEqual([offered(), accepted(), changes], ['a,b', '', 1]);
    await hosts.answer(host('a'), 'connect');
    await hosts.answer(host('b'), 'notNow');
    assert.deepEqual([offered(), accepted(), changes], ['', 'a', 3]);
    const later = setUp();
    await later.hosts.look();
    assert.deepEqual([later.offered(), later.accepted()], ['', 'a']);
    for (const file of files()) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /s3cret/);
      if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    await later.hosts.answer(host('b'), 'connect');
    assert.equal(later.accepted(), 'a,b');
  });

  it('are looked for where they may be offered, or when the user asks', async () => {
    const { hosts, world, clock, offered } = setUp({ offers: () => false });
    await hosts.look();
    clock.advance(60_000);
    assert.deepEqual([world.looks, offered(), hosts.found.length], [0, '', 0]);
    await hosts.look(true);
    assert.deepEqual([world.looks, offered(), hosts.found.length], [1, '', 2]);
  });

  it('are accepted on one computer, and on no other that shares the folder', async () => {
    const { hosts } = setUp();
    await hosts.answer(host('a'), 'connect');
    const other = setUp({}, 'there');
    await other.hosts.look();
    assert.deepEqual([other.offered(), other.accepted()], ['a,b', '']);
  });

  it('are left alone as soon as the user has said so in another window', async () => {
    const here = setUp();
    const there = setUp();
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

  it('are not connected to again by an answer about another one, in a window that has not heard of it', async () => {
    const [here, there] = [setUp(), setUp()];
    await here.hosts.answer(host('a'), 'connect');
    await there.hosts.look();
    await here.hosts.answer(host('a'), 'notNow');
    assert.equal(there.accepted(), 'a');
    await there.hosts.answer(host('b'), 'connect');
    assert.equal(there.accepted(), 'b');
    await here.hosts.look();
    assert.equal(here.accepted(), 'b');
  });

  it('are told of without their tokens', async () => {
    const { hosts } = setUp();
    await hosts.look();
    assert.deepEqual(hosts.found[0], { id: 'a', label: 'VS Code a' });
    assert.doesNotMatch(inspect(hosts, { depth: 5 }), /s3cret/);
  });

  it('are not accepted because of what is no answer', async () => {
    const { hosts, accepted } = setUp();
    await hosts.answer(host('a'), 'connect');
    const [file = ''] = files();
    const text = readFileSync(file, 'utf8');
    for (const wrong of ['', 'null', '"connect"', text.replace('connect', 'yes'), text.replace('VS Code a', '').replace('""', '7')]) {
      writeFileSync(file, wrong);
      await hosts.look();
      assert.equal(accepted(), '', wrong);
    }
    writeFileSync(join(folder, 'copy.json'), text);
    await hosts.look();
    assert.equal(accepted(), '');
    writeFileSync(file, text);
    await hosts.look();
    assert.equal(accepted(), 'a');
    if (process.platform === 'win32') return;
    chmodSync(file, 0o622);
    await hosts.look();
    assert.equal(accepted(), '');
  });

  it('stay as they were while the answers cannot be read, which is logged, and are not connected to then', async () => {
    const lines: string[] = [];
    const { hosts, accepted } = setUp({ logger: { ...nullLogger, warn: (line) => void lines.push(line) } });
    await hosts.answer(host('a'), 'connect');
    const [file = ''] = files();
    rmSync(file);
    mkdirSync(file);
    await hosts.look();
    await hosts.look();
    assert.equal(accepted(), 'a');
    assert.match(lines.join('\n'), /^What you have answered about agent hosts of VS Code cannot be read: EISDIR[^\n]*$/);
    await assert.rejects(async () => hosts.transport(host('a'))('', new AbortController().signal), /EISDIR/);
  });

  it('are looked for every half minute, and not offered where that is switched off', async () => {
    let isOn = false;
    const { hosts, world, clock, offered } = setUp({ offers: () => isOn });
    await hosts.look();
    assert.equal(offered(), '');
    isOn = true;
    clock.advance(30_000);
    await eventually(() => offered() === 'a,b', 'the offer');
    isOn = false;
    assert.equal(offered(), '');
    isOn = true;
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
