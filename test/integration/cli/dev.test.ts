/** `tapline dev` as a real process, with a provider that is saved meanwhile. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';
import { FreshHome, root, type Shell } from '../docs/documented.ts';
import { eventually } from '../../fakes/eventually.ts';

const script = join(root, 'dist/tapline.cjs');

const provider = (tools: string, options = '') => `
import { createProvider, image, text, tool, ToolError } from 'tapline/provider';
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('pid', import.meta.url), String(process.pid));
const roll = tool({
  name: 'dice_roll',
  description: 'Rolls a die',
  input: { type: 'object', properties: { sides: { type: 'integer', minimum: 2 } }, required: ['sides'] },
  run({ sides }, { progress }) {
    progress('rolling');
    if (sides === 13) throw new ToolError('UNLUCKY', 'not thirteen', true);
    return [text('up to ' + sides), image(Uint8Array.of(1, 2, 3))];
  },
});
const more = tool({ name: 'dice_count', description: 'Counts the dice', run: () => ({ dice: 1 }) });
console.log('hello from the program');
createProvider('dice', { tools: ${tools}, ${options} });
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('tapline dev', function () {
  this.timeout(120_000);
  let home: FreshHome;
  let folder: string;
  let file: string;
  beforeEach(() => {
    home = new FreshHome();
    folder = join(home.folder, 'project');
    file = join(folder, 'dice.mjs');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules/tapline'), 'dir');
  });
  afterEach(() => home.dispose());
  const start = (name = 'dice.mjs'): Shell => home.run(`exec node ${script} dev ${name}`, folder);
  const pid = (): number => Number(readFileSync(join(folder, 'pid'), 'utf8'));

  it('calls the tools of a provider by hand, and prints results, progress and errors', async () => {
    writeFileSync(file, provider('[roll]'));
    const dev = start();
    dev.type('dice_roll {"sides": 6}');
    await dev.says(/^dice\.mjs: hello from the program$/m);
    await dev.says(/^\+ dice_roll \{"sides":2\} {3}Rolls a die$/m);
    await dev.says(/ {2}… rolling\nup to 6\n\[image, image\/png, 3 bytes\]\n/);
    dev.type('dice_roll {"sides": 13}');
    await dev.says(/^UNLUCKY: not thirteen \(retryable\)$/m);
    dev.type('dice_roll {"sides": 1}');
    await dev.says(/^INVALID_ARGUMENTS: .*sides.*\nSuch a call fits: dice_roll \{"sides":2\}$/m);
    dev.type('dice_roll six');
    await dev.says(/^The arguments are not JSON .* For example: dice_roll \{"sides":2\}$/m);
    dev.type('dice_rol {}');
    await dev.says(/^There is no tool “dice_rol”\. There are: dice_roll\. Type help\.$/m);
    dev.type('tools dice_roll');
    await dev.says(/"provider": "dice"/);
    dev.type('help');
    await dev.says(/calls a tool/);
    dev.type('quit');
    assert.equal(await dev.ended(), 0);
    assert.ok(!isAlive(pid()));
  });

  it('starts the provider again when it is saved, and prints what that changed', async () => {
    writeFileSync(file, provider('[roll]'));
    const dev = start();
    await dev.says(/^\+ dice_roll/m);
    const first = pid();
    writeFileSync(file, provider('[{ ...roll, description: "Rolls" }, more]'));
    await dev.says(/^dice\.mjs was saved: dice\.mjs is started again\.$/m);
    await dev.says(/^~ dice_roll: description\n\+ dice_count {3}Counts the dice$/m);
    assert.ok(!isAlive(first));
    dev.type('dice_count');
    await dev.says(/^\{\n {2}"dice": 1\n\}$/m);
    writeFileSync(file, provider('[more]'));
    await dev.says(/^- dice_roll$/m);
    writeFileSync(join(folder, 'notes.txt'), 'no source file');
    dev.type('restart');
    await dev.says(/^The tools are as before\.$/m);
    writeFileSync(file, 'throw new Error("oh");');
    await dev.says(/^dice\.mjs: Error: oh$/m);
    await dev.says(/^dice\.mjs has ended \(code 1\)\. Save it to start it again\.$/m);
    await dev.says(/^- dice_count$/m);
    writeFileSync(file, provider('[roll]'));
    await dev.says(/^- dice_count\n[^]*\+ dice_roll/m);
  });

  it('shows pushes, and allows and checks the rules of the provider', async () => {
    const options = `hooks: { onPreToolUse: [{ match: { tool: 'shell' }, action: 'deny', reason: 'not here' }] }`;
    writeFileSync(
      file,
      provider('[roll]', options).replace('createProvider(', 'const p = createProvider(') +
        'p.onDidChangeState(({ kind }) => kind === "bound" && p.push({ level: "surface", event: "the dice are here" }));',
    );
    const dev = start();
    await dev.says(/^dice wants hooks\. A user is asked about that; here it is allowed\.$/m);
    await dev.says(/^dice pushes \(surface\): the dice are here$/m);
    await dev.says(/^\+ dice_roll/m);
    dev.type('check shell {"command": "ls"}');
    await dev.says(/^deny: not here$/m);
    dev.type('check read');
    await dev.says(/^allow$/m);
  });

  it('does all that a script types, also where a closed terminal may not be used, and leaves no folder', async () => {
    writeFileSync(file, provider('[roll]'));
    // As in Node.js 24.
    writeFileSync(
      join(folder, 'strict.cjs'),
      `const { Interface } = require('node:readline');
const { prompt } = Interface.prototype;
Interface.prototype.prompt = function (...args) {
  if (this.closed) throw new Error('readline was closed');
  return prompt.apply(this, args);
};`,
    );
    const temporary = join(home.folder, 'tmp');
    mkdirSync(temporary);
    const lines = String.raw`dice_roll {"sides": 6}\ndice_roll {"sides": 7}\n`;
    for (const strict of ['', '--require ./strict.cjs']) {
      const dev = home.run(`printf '${lines}' | TMPDIR=${temporary} node ${strict} ${script} dev dice.mjs`, folder);
      assert.equal(await dev.ended(), 0);
      await dev.says(/up to 6\n[^]*up to 7\n/);
    }
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('says what to do where there is no such file, or nothing that can run it', async () => {
    const missing = start('none.mjs');
    await missing.says(/There is no file “none\.mjs”\. Name your provider: tapline dev provider\.mjs/);
    assert.equal(await missing.ended(), 2);
    writeFileSync(join(folder, 'dice.rb'), '');
    const unknown = start('dice.rb');
    await unknown.says(/“dice\.rb” is none of \.mjs, .*\.py/);
    assert.equal(await unknown.ended(), 2);
    const unnamed = start('');
    await unnamed.says(/Name your provider/);
    assert.equal(await unnamed.ended(), 2);
  });

  it('completes names in a terminal, and Ctrl+C ends it and the provider', async () => {
    writeFileSync(file, provider('[roll]'));
    const env = { ...process.env, TAPLINE_HOME: join(home.folder, '.tapline'), COPILOT_HOME: join(home.folder, '.copilot') };
    const terminal = pty.spawn(process.execPath, [script, 'dev', 'dice.mjs'], { cwd: folder, env, cols: 200 });
    let shown = '';
    terminal.onData((data) => (shown += data));
    const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    await eventually(() => shown.includes('+ dice_roll'), 'the tools', 30_000);
    // What is typed in one piece counts as pasted, in which a tab completes nothing.
    for (const [typed, seen] of [
      ['dice_r', 'dice_r'],
      ['\t', 'oll'],
    ] as const) {
      terminal.write(typed);
      await eventually(() => shown.endsWith(seen), seen);
    }
    terminal.write(' {"sides": 4}\r');
    await eventually(() => shown.includes('up to 4'), 'the result', 30_000);
    const own = pid();
    terminal.write('\u0003');
    assert.equal(await ended, 0);
    assert.ok(!isAlive(own));
  });

  it('ends the provider when it is ended by a signal', async () => {
    writeFileSync(file, provider('[roll]', 'onError: () => undefined') + 'process.on("SIGINT", () => undefined);');
    const dev = start();
    await dev.says(/^\+ dice_roll/m);
    await dev.interrupt();
    assert.equal(await dev.ended(), 0);
    assert.ok(!isAlive(pid()));
  });
});
