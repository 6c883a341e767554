/** The providers that the extension gives to copy, run as their first lines say: in a folder with nothing else in it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readyMade, readyMades } from '../../../src/extension/providers/readyMade.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type Python, pythonOrSkip } from '../../support/python.ts';
import { TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const dist = join(import.meta.dirname, '../../../dist');
const WAIT_MS = 15_000;

describe('a provider that was copied from the extension', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let program: ChildProcess | undefined;
  beforeEach(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    owner = await TestOwner.of(gateway);
  });
  afterEach(async () => {
    if (program && program.exitCode === null && program.signalCode === null) {
      program.kill('SIGKILL');
      await once(program, 'exit');
    }
    owner.dispose();
    await gateway.stop();
    home.remove();
  });

  async function answers(language: 'node' | 'python', command: string, env: Record<string, string> = {}): Promise<void> {
    const folder = join(home.folder, 'somewhere');
    mkdirSync(folder);
    const text = await readyMade(language, { dist, home: home.env.TAPLINE_HOME, gatewayUrl: gateway.url });
    assert.ok(text.includes(readyMades[language].steps), 'it says how to run it');
    const { fileName } = readyMades[language];
    writeFileSync(join(folder, fileName), text);
    const session = await owner.session('a');
    program = spawn(command, [fileName], { cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH, ...home.env, ...env } });
    const prefix = { node: 'example', python: 'python' }[language];
    await owner.tools('a', [...tapTools, `${prefix}_greet`, `${prefix}_count`], WAIT_MS);
    assert.deepEqual(await session.call(`${prefix}_greet`, { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
  }

  it('works in Node.js', () => answers('node', process.execPath));

  describe('in Python', () => {
    let python: Python;
    before(function () {
      python = pythonOrSkip(this);
    });
    it('works', () => answers('python', python.command, { PYTHONPATH: python.path }));
  });
});
