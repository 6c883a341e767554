import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually } from '../../../test/fakes/eventually.ts';
import { hasOwnProc, isRunning, ownIdentity, startTimeOf } from './processIdentity.ts';

describe('which process a number means', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const start = async (command: string, args: string[]) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    children.push(child);
    await new Promise((resolve) => child.once('spawn', resolve));
    return child as ChildProcess & { pid: number };
  };
  const own = ownIdentity();

  it('is known of this process and of one that it has started', async () => {
    assert.equal(isRunning(process.pid, own), true);
    const { pid } = await start('sleep', ['60']);
    assert.equal(isRunning(pid, { ...own, startTime: startTimeOf(pid) ?? '' }), true);
  });

  it('is no process that has ended', async () => {
    const child = await start('sleep', ['60']);
    const identity = { ...own, startTime: startTimeOf(child.pid) ?? '' };
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    assert.equal(isRunning(child.pid, identity), false);
    assert.equal(isRunning(child.pid, { ...own, startTime: '' }), false);
    assert.equal(isRunning(NaN, own), false);
  });

  it('is not said of another namespace', () => {
    assert.equal(isRunning(process.pid, { ...own, pidNamespace: 'another' }), undefined);
  });

  describe('on Linux', () => {
    before(function () {
      if (!hasOwnProc()) this.skip();
    });

    it('is no other process that has got the number', async () => {
      const { pid } = await start('sleep', ['60']);
      assert.match(startTimeOf(pid) ?? '', /^\d+$/);
      assert.equal(isRunning(pid, own), false);
      assert.equal(isRunning(pid, { ...own, startTime: '' }), true, 'where it is not known when the other began');
    });

    it('is read past a name with anything in it', async () => {
      const script = `process.title = 'a) R 1 (b'; setInterval(() => {}, 1000)`;
      const { pid } = await start(process.execPath, ['-e', script]);
      const before = startTimeOf(pid);
      await eventually(() => readFileSync(`/proc/${pid}/stat`, 'latin1').includes('R 1 ('), 'the name');
      assert.equal(startTimeOf(pid), before);
    });

    it('is no zombie', async () => {
      // The shell has become something that does not ask how its child ended.
      const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      children.push(parent);
      const pid = Number(await new Promise((resolve) => parent.stdout?.once('data', resolve)));
      await eventually(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')), 'a zombie');
      process.kill(pid, 0); // its number is still taken
      assert.equal(isRunning(pid, { ...own, startTime: '' }), false);
    });
  });
});
