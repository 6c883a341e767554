/** Runs the Node and Python programs of the specifications unmodified, each as a process, against a real gateway. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTimeout } from '../../../src/base/errors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type Program, Programs, WAIT_MS } from '../../support/programs.ts';
import { pythonOrSkip, type Python } from '../../support/python.ts';
import { describeShared } from '../../support/shared.ts';
import { earlyTimeouts, timeOutOldest } from '../../support/earlyTimeout.ts';
import { TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const fullInterface = 'provider-interface-v2.md';
const coreProfile = 'provider-interface-core.md';
/** The indentation of each statement of the two Python programs, which the documents have lost. */
const indentation: Record<string, number[]> = {
  [fullInterface]: [0, 0, 0, 1, 2, 2, 3, 3, 4, 3, 4, 5, 4, 5, 4, 3, 4, 0],
  [coreProfile]: [0, 0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 7, 6, 5, 6, 5, 6, 5, 6, 5, 6, 7, 7, 5, 6, 6, 7, 5, 2, 3, 3, 0],
};

interface Example {
  title: string;
  /** File name in the folder of the programs. */
  file: string;
  text: string;
  language: 'js' | 'python';
  tool: string;
  /** Arguments of the tool and its answer. */
  calls: [args: Record<string, unknown>, data: unknown][];
  /** Connects again when the gateway has ended; other programs exit. */
  comesBack: boolean;
  /** Says goodbye at the end of its session. */
  saysGoodbye: boolean;
  /** Exits when the list of sessions is empty. */
  needsSession: boolean;
}

function examplesOf(shared: string, document: string): Example[] {
  const printed = readFileSync(join(shared, 'spec/seeds', document), 'utf8').matchAll(/```(js|python)\n(import [\s\S]*?)```/g);
  return [...printed]
    .filter(([, , text]) => /import WebSocket|import .*websockets/.test(text ?? ''))
    .map(([, language = '', text = ''], at) => {
      const isPython = language === 'python';
      const isCompute = text.includes('"compute"');
      const names = ['Alice', 'Bob', 'Eve'];
      return {
        title: `${document}, program ${at + 1} (${isPython ? 'Python' : 'Node'})`,
        file: isPython ? 'example.py' : 'example.js',
        text: isPython ? indented(text, indentation[document] ?? []) : text,
        language: isPython ? 'python' : 'js',
        tool: /"?name"?: "(greet|say_hello|compute)"/.exec(text)?.[1] ?? '',
        calls: isCompute
          ? [1, 2, 3].map((factor) => [{ expr: `6 * ${factor}` }, 6 * factor])
          : names.map((name) => [{ name }, `Hello, ${name}!`]),
        comesBack: /setTimeout\(connect|while True/.test(text),
        saysGoodbye: text.includes('"goodbye"'),
        needsSession: /if not msg\["active"\]:\s*return/.test(text),
      };
    });
}

/** Only the indentation is changed. Lines inside brackets may stay as they are. */
function indented(text: string, levels: readonly number[]): string {
  let depth = 0;
  let at = 0;
  const lines = text.split('\n').map((line) => {
    if (!line.trim()) return line;
    const level = depth > 0 ? 0 : levels[at++];
    assert.ok(level !== undefined, `the printed program has more statements than are known: ${line}`);
    for (const char of line) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0;
    return ' '.repeat(4 * level) + line;
  });
  assert.equal(at, levels.length, 'the printed program has fewer statements than are known');
  return lines.join('\n');
}

describeShared('the Node and Python programs of the specifications', (shared) => {
  const examples = [fullInterface, coreProfile].flatMap((document) => examplesOf(shared, document));
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let python: Python | undefined;

  const startGateway = async (args?: string[], env?: Record<string, string>) => {
    gateway = await startGatewayProcess(programs.home, args, env);
    owner = await TestOwner.of(gateway);
  };
  /** Replaces the running gateway, on the same port. */
  const restartGateway = async (signal: NodeJS.Signals) => {
    owner.dispose();
    await gateway.stop(signal);
    await startGateway(['--port', String(gateway.port)]);
  };
  const start = ({ file, text, language }: Example): Program => {
    writeFileSync(join(programs.folder, file), text);
    return programs.start(file, gateway, { TAP_PROVIDER_TOKEN: gateway.token }, language === 'python' ? python : undefined);
  };
  const isThere = (sessionId: string, { tool }: Example) => owner.tools(sessionId, [...tapTools, tool], WAIT_MS);
  /** The provider that is not the gateway's own. */
  const provider = async () => (await owner.client.request('diagnostics', {})).providers.find(({ name }) => name !== 'tap');

  beforeEach(() => (programs = new Programs()));
  afterEach(async () => {
    owner?.dispose();
    await programs.stop();
    await gateway?.stop();
    programs.home.remove();
  });

  it('are found', () => assert.equal(examples.map(({ language }) => language).join(), 'js,js,python,js,python'));

  for (const example of examples) {
    const { title, tool, calls, comesBack, saysGoodbye, needsSession } = example;
    const [first, second, third] = calls as [Example['calls'][0], Example['calls'][0], Example['calls'][0]];
    describe(title, () => {
      before(function () {
        if (example.language === 'python') python = pythonOrSkip(this);
      });

      it('answers calls side by side', async () => {
        await startGateway();
        const session = await owner.session('a');
        start(example);
        await isThere('a', example);
        const answers = await Promise.all(calls.map(([args]) => session.call(tool, args)));
        assert.deepEqual(
          answers,
          calls.map(([, data]) => ({ ok: true, data })),
        );
        const wrong = await session.call(tool, { [Object.keys(first[0])[0] as string]: 7 });
        assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
      });

      it('connects when there is no session', async () => {
        await startGateway();
        const program = start(example);
        const connected = async () => {
          while ((await owner.client.request('diagnostics', {})).connections < 2) await new Promise(setImmediate); // tap is one
        };
        if (needsSession) {
          assert.equal(await program.ended(), 0);
          await owner.session('late');
          start(example);
        } else {
          await withTimeout(connected(), WAIT_MS, 'the connection of the program');
          await owner.session('late');
        }
        await isThere('late', example);
      });

      it('is there after the gateway was killed and started again', async function () {
        this.timeout(40_000);
        await startGateway();
        await owner.session('a');
        const program = start(example);
        await isThere('a', example);
        await restartGateway('SIGKILL');
        const session = await owner.session('b');
        // It has the token of the old gateway, which another program may know by now, so it is refused.
        if (comesBack) await eventually(() => /AUTH_FAILED/.test(program.output), 'the refusal of the old token', WAIT_MS);
        else await program.ended();
        program.child.kill('SIGKILL');
        start(example);
        await isThere('b', example);
        assert.deepEqual(await session.call(tool, second[0]), { ok: true, data: second[1] });
      });

      if (comesBack)
        it('comes back by itself to a gateway that was killed while an owner lives', async function () {
          this.timeout(40_000);
          gateway = await startGatewayProcess(programs.home);
          owner = new TestOwner(async () => ({ url: gateway.url, token: gateway.secret }));
          await owner.connected();
          const session = await owner.session('a');
          const program = start(example);
          await isThere('a', example);
          const { pid } = await owner.client.request('diagnostics', {});
          await gateway.stop('SIGKILL');
          gateway = await startGatewayProcess(programs.home, ['--port', String(gateway.port)]);
          const isBack = async () => {
            const status =
              owner.client.state.kind === 'connected' && (await owner.client.request('diagnostics', {}).catch(() => undefined));
            return status && status.pid !== pid && status.providers.some(({ name }) => name !== 'tap');
          };
          await eventually(isBack, 'the program at the next gateway', WAIT_MS);
          assert.deepEqual(await session.call(tool, first[0]), { ok: true, data: first[1] });
          assert.doesNotMatch(program.output, /AUTH_FAILED/);
        });

      it('answers a call that is pending while another times out, and its late answers harm nothing', async () => {
        await startGateway(undefined, earlyTimeouts(programs.home.folder, 60_000));
        const session = await owner.session('a');
        const { child } = start(example);
        await isThere('a', example);
        const before = await provider();
        child.kill('SIGSTOP'); // it cannot answer now
        const late = session.call(tool, first[0]);
        const pending = session.call(tool, second[0]);
        const timedOut = await timeOutOldest(gateway, late, () => owner.client.request('diagnostics', {}));
        assert.ok(!timedOut.ok && timedOut.errorCode === 'TIMEOUT', JSON.stringify(timedOut));
        child.kill('SIGCONT');
        assert.deepEqual(await pending, { ok: true, data: second[1] });
        assert.deepEqual(await session.call(tool, third[0]), { ok: true, data: third[1] });
        assert.equal((await provider())?.id, before?.id);
        assert.deepEqual((await owner.client.request('diagnostics', {})).lastErrors, []);
      });

      it('goes through a shutdown', async function () {
        this.timeout(40_000);
        await startGateway();
        const session = await owner.session('a');
        const program = start(example);
        await isThere('a', example);
        // Longer than this test may take. The gateway does not wait for a provider that says goodbye.
        await session.end(saysGoodbye ? 60_000 : 200);
        if (comesBack && !needsSession) {
          await owner.session('b');
          await isThere('b', example);
        } else {
          assert.equal(await program.ended(), 0, program.output);
        }
        assert.deepEqual((await owner.client.request('diagnostics', {})).lastErrors, []);
      });
    });
  }
});
