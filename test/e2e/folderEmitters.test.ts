/** Emitters of a folder in the real workbench: nothing runs before the whole list was seen and allowed, and again when it changes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../fakes/eventually.ts';
import { isAlive, untilGone } from '../support/processes.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const WAIT_MS = 15_000;

describe('the emitters of a folder, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  before(async () => {
    tapline = await takeTapline();
    write('first');
    workbench = await Workbench.open(tapline, { width: 1400, height: 900 });
    await workbench.openTapline();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot('failed-folder-emitters');
  });

  /** Its command leaves the number of its process in a file of that name. */
  const write = (name: string) => {
    const emitters = `[{ "name": "watch", "command": "echo $$ > ${name}.pid; echo ${name}; exec sleep 600", "every": "5m" }]`;
    writeFileSync(join(tapline.workspace, 'tap.config.json'), `// What is watched here.\n{ "emitters": ${emitters} }\n`);
  };
  const pidFile = (name: string) => join(tapline.workspace, `${name}.pid`);
  const pidOf = async (name: string) => {
    await eventually(() => existsSync(pidFile(name)) && readFileSync(pidFile(name), 'utf8').trim() !== '', `${name} runs`, WAIT_MS);
    return Number(readFileSync(pidFile(name), 'utf8'));
  };
  const toast = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
  const question = 'names an emitter that watches something for agent sessions: “watch”';
  const review = async () => {
    await workbench.press(toast(question).getByRole('button', { name: 'Review…' }));
    await workbench.page.locator('.monaco-editor .view-line', { hasText: 'Emitter 1: "watch"' }).waitFor();
  };
  const allow = () => workbench.press(toast('Run this emitter of').getByRole('button', { name: 'Run', exact: true }));

  it('run after their list was seen and allowed, go on in the next window, and are asked about when they change', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await toast(question).waitFor();
    await review();
    await workbench.page.locator('.view-line', { hasText: 'echo first' }).waitFor();
    await workbench.page.locator('.view-line', { hasText: 'runs at once and again after "5m"' }).waitFor();
    await workbench.shot('44-folder-emitters');
    assert.ok(!existsSync(pidFile('first')));
    await allow();
    const first = await pidOf('first');
    await workbench.reload();
    write('second');
    await toast(question).waitFor();
    await untilGone(first);
    assert.ok(!existsSync(pidFile('second')));
    await review();
    await workbench.page.locator('.view-line', { hasText: 'echo second' }).waitFor();
    await allow();
    assert.ok(isAlive(await pidOf('second')));
  });
});
