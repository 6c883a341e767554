import assert from 'node:assert/strict';
import { WindowStart } from './windowStart.ts';

describe('The start of a window', () => {
  const ended: string[] = [];
  const part = (name: string) => ({ dispose: () => void ended.push(name) });
  beforeEach(() => ended.splice(0));

  it('is one for all that ask', async () => {
    let starts = 0;
    const window = new WindowStart(async () => ++starts);
    assert.deepEqual(await Promise.all([window.started(), window.started()]), [1, 1]);
    assert.equal(await window.started(), 1);
  });

  it('is another one after a failure, of which nothing is left', async () => {
    let starts = 0;
    const window = new WindowStart(async (life) => {
      starts++;
      life.ownLast(part(`identity ${starts}`));
      life.own(part(`hosts ${starts}`));
      if (starts === 1) throw new Error('the disk is full');
      life.own(part(`views ${starts}`));
      return starts;
    });
    await assert.rejects(window.started(), /the disk is full/);
    assert.deepEqual(ended, ['hosts 1', 'identity 1']);
    assert.equal(await window.started(), 2);
    window.dispose();
    assert.deepEqual(ended.slice(2), ['hosts 2', 'views 2', 'identity 2']);
  });

  it('ends everything although one part throws', async () => {
    const failing = {
      dispose() {
        throw new Error('not this one');
      },
    };
    const window = new WindowStart(async (life) => {
      life.own(failing);
      life.own(part('views'));
    });
    await window.started();
    assert.throws(() => window.dispose(), /not this one/);
    assert.deepEqual(ended, ['views']);
  });

  it('says why it failed, also when what was begun cannot be ended', async () => {
    const window = new WindowStart(async (life) => {
      life.own({
        dispose() {
          throw new Error('not this one');
        },
      });
      throw new Error('the disk is full');
    });
    await assert.rejects(window.started(), /the disk is full/);
  });

  it('leaves nothing when the window ends meanwhile', async () => {
    let go = () => undefined as void;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const window = new WindowStart(async (life) => {
      life.own(part('hosts'));
      await waiting;
      assert.ok(life.isOver);
      life.own(part('views'));
      life.ownLast(part('identity'));
    });
    const started = window.started();
    window.dispose();
    assert.deepEqual(ended, ['hosts']);
    go();
    await started;
    assert.deepEqual(ended, ['hosts', 'views', 'identity']);
    await assert.rejects(window.started(), /has ended/);
  });
});
