/** The programs that the specifications print, unmodified, and our own examples, each as a process of its own against a real gateway. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTimeout } from '../../src/base/errors.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts';
import { describeShared } from '../support/shared.ts';
import { TestOwner } from './gatewayHarness.ts';

const root = join(import.meta.dirname, '../..');
const WAIT_MS = 15_000;
const tapTools = ['tap_list_streams', 'tap_query_stream', 'tap_post_event', 'tap_gateway_status'];

/** The examples dial port 9400 by name; a test's gateway is on a port of its own. What they import as `ws` is ws, except for that number. */
const WS = `
import WebSocket from ${JSON.stringify(pathToFileURL(join(root, 'node_modules/ws/wrapper.mjs')).href)};
export default class extends WebSocket {
  constructor(url, ...rest) {
    super(url.replace(':9400', ':' + process.env.TEST_GATEWAY_PORT), ...rest);
  }
}
`;

class Programs {
  readonly home = new GatewayHome();
  readonly folder = join(this.home.folder, 'programs');
  readonly #children: ChildProcess[] = [];

  constructor() {
    mkdirSync(join(this.folder, 'node_modules/ws'), { recursive: true });
    writeFileSync(join(this.folder, 'node_modules/ws/package.json'), '{"name":"ws","type":"module","exports":"./index.js"}');
    writeFileSync(join(this.folder, 'node_modules/ws/index.js'), WS);
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
  }

  start(file: string, gateway: GatewayProcess, env: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [join(this.folder, file)], {
      stdio: 'ignore',
      env: { ...process.env, ...this.home.env, TEST_GATEWAY_PORT: String(gateway.port), ...env },
    });
    this.#children.push(child);
    return child;
  }
  async stop(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of running) child.kill('SIGKILL');
    await withTimeout(Promise.all(ended), WAIT_MS, 'the end of the examples');
  }
}

describeShared('the Node examples of the specifications', (shared) => {
  const examples = ['provider-interface-v2.md', 'provider-interface-core.md'].flatMap((document) =>
    [...readFileSync(join(shared, 'spec/seeds', document), 'utf8').matchAll(/```js\n(import WebSocket from "ws";[\s\S]*?)```/g)].map(
      ([, program], at) => ({
        title: `${document}, ${at + 1}`,
        program: program ?? '',
        tool: /name: "(greet|say_hello)"/.exec(program ?? '')?.[1] ?? '',
        // Only the core's example promises to come back.
        comesBack: (program ?? '').includes('setTimeout(connect'),
      }),
    ),
  );
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  beforeEach(async () => {
    programs = new Programs();
    gateway = await startGatewayProcess(programs.home);
    owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
  });
  afterEach(async () => {
    owner.dispose();
    await programs.stop();
    await gateway.stop();
    programs.home.remove();
  });
  const start = (program: string) => {
    writeFileSync(join(programs.folder, 'example.js'), program);
    return programs.start('example.js', gateway, { TAP_PROVIDER_TOKEN: gateway.token });
  };

  it('are found', () => assert.equal(examples.length, 3));

  for (const { title, program, tool, comesBack } of examples) {
    it(`${title}: answers calls side by side and goes through a shutdown`, async () => {
      const session = await owner.session('a');
      start(program);
      await owner.tools('a', [...tapTools, tool], WAIT_MS);
      const answers = await Promise.all(['Alice', 'Bob'].map((name) => session.call(tool, { name })));
      assert.deepEqual(answers, [
        { ok: true, data: 'Hello, Alice!' },
        { ok: true, data: 'Hello, Bob!' },
      ]);
      const wrong = await session.call(tool, {});
      assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
      await session.end(500);
    });

    it(`${title}: with no session at connect`, async () => {
      start(program);
      const connected = async () => {
        while ((await owner.client.request('diagnostics', {})).connections < 2) await new Promise(setImmediate); // tap is one
      };
      await withTimeout(connected(), WAIT_MS, 'the connection of the example');
      const session = await owner.session('late');
      await owner.tools('late', [...tapTools, tool], WAIT_MS);
      assert.deepEqual(await session.call(tool, { name: 'Eve' }), { ok: true, data: 'Hello, Eve!' });
    });

    if (!comesBack) continue;
    it(`${title}: comes back by itself after the gateway was killed and started again`, async () => {
      await owner.session('a');
      start(program);
      await owner.tools('a', [...tapTools, tool], WAIT_MS);
      owner.dispose();
      const { port } = gateway;
      await gateway.stop('SIGKILL');
      gateway = await startGatewayProcess(programs.home, ['--port', String(port)]);
      owner = new TestOwner({ url: gateway.url, token: gateway.secret });
      await owner.connected();
      const session = await owner.session('b');
      await owner.tools('b', [...tapTools, tool], WAIT_MS);
      assert.deepEqual(await session.call(tool, { name: 'Eve' }), { ok: true, data: 'Hello, Eve!' });
    });
  }
});

describe('our own examples', () => {
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  beforeEach(async () => {
    assert.ok(existsSync(join(root, 'dist/lib/provider.js')), 'dist/lib is missing: run `npm run build` first');
    programs = new Programs();
    symlinkSync(root, join(programs.folder, 'node_modules/tapline'), 'dir');
    gateway = await startGatewayProcess(programs.home);
    owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
  });
  afterEach(async () => {
    owner.dispose();
    await programs.stop();
    await gateway.stop();
    programs.home.remove();
  });

  it('node.mjs finds the gateway and its token by itself, counts with progress, can be cancelled, and comes back', async function () {
    this.timeout(40_000);
    copyFileSync(join(root, 'examples/providers/node.mjs'), join(programs.folder, 'node.mjs'));
    const session = await owner.session('a');
    programs.start('node.mjs', gateway, { TAP_PROVIDER_TOKEN: '', TAP_GATEWAY_URL: '' });
    const tools = [...tapTools, 'example_greet', 'example_count'];
    await owner.tools('a', tools, WAIT_MS);
    assert.deepEqual(await session.call('example_greet', { name: 'Alice' }), { ok: true, data: 'Hello, Alice!' });
    assert.deepEqual(await session.call('example_count', { to: 2 }), { ok: true, data: { counted: 2 } });
    assert.equal((await owner.next('tool/progress', ({ message }) => message.startsWith('2'))).message, '2 of 2');
    const controller = new AbortController();
    const endless = session.call('example_count', { to: 100 }, controller.signal);
    await owner.next('tool/progress', ({ message }) => message === '1 of 100');
    controller.abort('enough');
    const cancelled = await endless;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');

    owner.dispose();
    await gateway.stop('SIGKILL');
    gateway = await startGatewayProcess(programs.home);
    owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
    await owner.session('b');
    await owner.tools('b', tools, WAIT_MS);
  });
});
