/** The Python SDK: a program that uses it, against a real gateway. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '../../fakes/eventually.ts';
import { type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { Impostor } from '../../support/impostor.ts';
import { type Program, Programs, WAIT_MS } from '../../support/programs.ts';
import { pythonOrSkip, type Python } from '../../support/python.ts';
import { TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const root = join(import.meta.dirname, '../../..');
const sdk = join(root, 'python/tapline.py');
const tools = ['greet', 'count', 'wait', 'parts', 'fail', 'ask', 'change'];
const all = [...tapTools, ...tools];

describe('the Python SDK', function () {
  this.timeout(60_000);
  let python: Python;
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  before(function () {
    python = pythonOrSkip(this);
  });
  beforeEach(async () => {
    programs = new Programs();
    copyFileSync(sdk, join(programs.folder, 'tapline.py'));
    await startGateway();
  });
  afterEach(async () => {
    owner.dispose();
    await programs.stop();
    await gateway.stop();
    programs.home.remove();
  });

  const startGateway = async () => {
    gateway = await startGatewayProcess(programs.home);
    owner = await TestOwner.of(gateway);
  };
  const start = (env: Record<string, string> = {}): Program => {
    copyFileSync(join(root, 'test/fixtures/pythonProvider.py'), join(programs.folder, 'provider.py'));
    return programs.start('provider.py', gateway, { TAP_PROVIDER_TOKEN: '', TAP_GATEWAY_URL: '', ...env }, python);
  };
  const prints = (program: Program, text: string) =>
    eventually(() => program.output.includes(text), `“${text}” in what it prints`, WAIT_MS).catch((error: unknown) => {
      throw new Error(`${String(error)}, which is: ${program.output}`);
    });
  const lastErrors = async () => (await owner.client.request('diagnostics', {})).lastErrors;

  it('finds the gateway and its token, lends functions as tools, and derives their parameters from type hints', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    const greet = owner.last('tools/changed').tools.find(({ name }) => name === 'greet');
    assert.equal(greet?.description, 'Greets somebody.');
    assert.deepEqual(greet.parameters, {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Whom' },
        polite: { type: 'boolean', default: false },
        times: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        tone: { enum: ['warm', 'dry'], default: 'warm' },
      },
      required: ['name'],
      additionalProperties: false,
    });
    assert.deepEqual(await session.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
    assert.deepEqual(await session.call('greet', { name: 'Ä', polite: true, times: 2 }), { ok: true, data: 'Good day, Ä! Good day, Ä!' });
    const wrong = await session.call('greet', { name: 1 });
    assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
    assert.deepEqual(await lastErrors(), []);
  });

  it('answers with JSON, with parts in their order, and with a file', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    for (const [kind, data] of [
      ['text', 'alone'],
      ['json', [1]],
      ['none', null],
      ['list', [1, 'two']],
    ])
      assert.deepEqual(await session.call('parts', { kind }), { ok: true, data });
    assert.deepEqual(await session.call('parts', { kind: 'several' }), {
      ok: true,
      data: {
        content: [
          { type: 'text', text: 'first' },
          { type: 'image', mimeType: 'image/png', data: 'AAEC' },
          { type: 'text', text: '{\n  "sides": 6\n}' },
          { type: 'resource', resource: { uri: 'file:///a%20b.csv', mimeType: 'text/csv', text: 'a,b' } },
        ],
        structuredContent: { sides: 6 },
      },
    });
    const { file } = (await session.call('parts', { kind: 'file' })) as { file?: { base64: string } };
    assert.equal(Buffer.from(file?.base64 ?? '', 'base64').toString(), 'content');
  });

  it('fails with the code of the tool, and fails only the call whose result cannot be sent', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    const fail = async (how: string) => {
      const outcome = await session.call('fail', { how });
      assert.ok(!outcome.ok, JSON.stringify(outcome).slice(0, 200));
      return outcome;
    };
    const coded = await fail('code');
    assert.deepEqual(
      [coded.error, coded.errorCode, coded.details],
      ['there is none', 'NOT_FOUND', { errorCode: 'NOT_FOUND', retryable: true }],
    );
    const own = await fail('own');
    assert.deepEqual([own.errorCode, own.details], ['INTERNAL', { errorCode: 'NO_DICE', retryable: false }]);
    assert.deepEqual((await fail('number')).details, { errorCode: '404', retryable: false });
    const others = await fail('other');
    assert.deepEqual([others.error, others.errorCode], ['just so', 'INTERNAL']);
    assert.match((await fail('large')).error, /PAYLOAD_TOO_LARGE/);
    assert.match((await fail('set')).error, /not JSON serializable/);
    assert.match((await fail('nan')).error, /not JSON compliant/);
    assert.match((await fail('exit')).error, /cancelled by its own program/);
    assert.deepEqual(await session.call('fail', { how: 'surrogate' }), { ok: true, data: 'a?' });
    assert.deepEqual(await session.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
  });

  it('reports progress, runs calls side by side, and cancels async functions and threads', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    const progress: string[] = [];
    const count = session.call('count', { to: 2 }, undefined, (message) => progress.push(message));
    const stop = new AbortController();
    const waiting = session.call('wait', {}, stop.signal);
    await owner.next('tool/progress', ({ message }) => message === 'waits');
    assert.deepEqual(await count, { ok: true, data: { counted: 2 } });
    assert.deepEqual(progress, ['1 of 2', '2 of 2']);
    stop.abort('enough');
    const stopped = await waiting;
    assert.ok(!stopped.ok && stopped.errorCode === 'CANCELLED');
    await owner.next('push/surfaced', ({ event }) => event === 'the thread was cancelled');
    const controller = new AbortController();
    const endless = session.call('count', { to: 1000 }, controller.signal);
    await owner.next('tool/progress', ({ message }) => message === '1 of 1000');
    controller.abort('enough');
    const cancelled = await endless;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    await owner.next('push/surfaced', ({ event }) => event.startsWith('stopped at '));
    assert.deepEqual(await session.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
    assert.deepEqual(await lastErrors(), []);
  });

  it('serves every session, also later ones, prints to which, and leaves when it is interrupted', async () => {
    const program = start();
    await prints(program, 'python: waits for a session');
    const first = await owner.session('a');
    await owner.tools('a', all, WAIT_MS);
    await prints(program, `python: lends ${tools.join(', ')} to all sessions`);
    const second = await owner.session('b');
    await owner.tools('b', all, WAIT_MS);
    await prints(program, 'python: lends its tools to “label of b”');
    await prints(program, 'new b label of b');
    assert.deepEqual(await second.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
    await first.end(60_000); // longer than this test may take: it is ready by itself
    await prints(program, 'ended a');
    const busy = second.call('wait', {});
    await owner.next('tool/progress', ({ message }) => message === 'waits');
    program.child.kill('SIGINT');
    assert.equal(await program.ended(), 0, program.output);
    assert.match(program.output, /has ended\n$/);
    assert.doesNotMatch(program.output, /Traceback/);
    assert.equal((await busy).ok, false);
    await owner.tools('b', tapTools, WAIT_MS);
  });

  it('serves the one session that it names, or that its token is for', async () => {
    const session = await owner.session('a');
    await owner.session('b');
    const named = start({ TEST_SESSION: 'b' });
    await owner.tools('b', all, WAIT_MS);
    await prints(named, 'to “label of b”');
    named.child.kill('SIGTERM');
    assert.equal(await named.ended(), 0);
    const issued = start({ TAP_PROVIDER_TOKEN: await session.issueToken() });
    await owner.tools('a', all, WAIT_MS);
    await owner.session('c');
    await prints(issued, 'lends its tools to “label of a”');
    assert.doesNotMatch(issued.output, /label of c/);
    assert.deepEqual(await lastErrors(), []);
  });

  it('serves the session that its function chooses, and waits while it chooses none', async () => {
    await owner.session('a');
    const program = start({ TEST_CHOOSES: '1' });
    await prints(program, "chooses of ['a']");
    const second = await owner.session('b');
    await owner.tools('b', all, WAIT_MS);
    await prints(program, 'to “label of b”');
    assert.deepEqual(await second.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
    await second.end(60_000);
    await prints(program, 'ended b');
    await owner.session('broken');
    await prints(program, 'python: cannot choose');
    assert.equal(program.child.exitCode, null);
    assert.deepEqual(await lastErrors(), []);
  });

  describe('without a token', () => {
    const pairs = (env: Record<string, string> = {}) => start({ COPILOT_HOME: programs.folder, TEST_PAIRS: '1', ...env });
    const typesTo = async (program: Program, change = (code: string) => code) => {
      const { code } = await owner.next('pairing/started', undefined, WAIT_MS);
      program.child.stdin?.write(`${change(code)}\n`);
    };
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

    it('pairs by the code that the user types, with another try after a wrong one, and keeps the token for the next start', async () => {
      const session = await owner.session('a');
      const program = pairs();
      await prints(program, 'state pairing');
      await typesTo(program, wrong);
      await prints(program, '(the last one was wrong; 2 more)');
      await typesTo(program);
      await owner.tools('a', all, WAIT_MS);
      await prints(program, 'python: lends');
      assert.match(program.output, /to “label of a”/);
      const token = /token (ext-\S+)/.exec(program.output)?.[1];
      assert.ok(token, program.output);
      assert.deepEqual(await session.call('greet', { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
      program.child.kill('SIGTERM');
      await program.ended();
      await owner.tools('a', tapTools, WAIT_MS);
      const again = pairs({ TEST_TOKEN: token });
      await owner.tools('a', all, WAIT_MS);
      assert.doesNotMatch(again.output, /state pairing/);
    });

    it('pairs anew when its token is refused, and says that the token is no longer valid', async () => {
      await owner.session('a');
      const program = pairs({ TEST_TOKEN: 'ext-of-a-gateway-that-has-ended' });
      await prints(program, 'token None');
      await typesTo(program);
      await owner.tools('a', all, WAIT_MS);
    });

    it('ends when no tries are left, and when the user types nothing', async () => {
      await owner.session('a');
      const clumsy = pairs();
      for (const prompt of ['session\n', '2 more', '1 more']) {
        await prints(clumsy, prompt);
        await typesTo(clumsy, wrong);
      }
      assert.equal(await clumsy.ended(), 0, clumsy.output);
      assert.match(clumsy.output, /AUTH_FAILED: pairing: .*\n(.*\n)*has ended\n$/);
      const silent = pairs();
      await prints(silent, 'state pairing');
      silent.child.stdin?.write('\n');
      assert.equal(await silent.ended(), 0, silent.output);
    });

    it('disconnects from a gateway that does not answer a code', async () => {
      const impostor = await Impostor.start({ answers: { auth: { type: 'auth.pairing', prompt: 'The code?' } } });
      const program = pairs({ TEST_URL: impostor.url });
      await prints(program, 'The code?');
      program.child.stdin?.write('123456\n');
      await prints(program, 'the answer of the gateway to the pairing code has not come within 10 s');
      await impostor.stop();
    });
  });

  it('comes back with everything after the gateway was killed, and after a start with another token', async () => {
    const before = await owner.session('a');
    const { token } = gateway;
    start({ TAP_PROVIDER_TOKEN: token });
    await owner.tools('a', all, WAIT_MS);
    assert.deepEqual(await before.call('change', { what: 'tools' }), { ok: true, data: 'bound' });
    const changed = [...tapTools, ...tools.filter((name) => name !== 'wait'), 'later'];
    await owner.tools('a', changed, WAIT_MS);
    for (const [kill, sessionId] of [
      ['SIGKILL', 'b'],
      ['SIGTERM', 'c'],
    ] as const) {
      owner.dispose();
      await gateway.stop(kill);
      await startGateway(); // on another port: the lock file says where
      const session = await owner.session(sessionId);
      await owner.tools(sessionId, changed, WAIT_MS);
      assert.deepEqual(await session.call('later', {}), { ok: true, data: 'later' });
    }
    assert.notEqual(gateway.token, token);
  });

  it('tells a token that it found only to a listener that has proved to know it, and one that is given to any', async () => {
    await owner.session('a');
    for (const relayTo of [undefined, gateway.port]) {
      const impostor = await Impostor.start(relayTo === undefined ? {} : { relayTo });
      const program = start({ TAP_GATEWAY_URL: impostor.url });
      await prints(program, 'did not prove to be who was meant; it was told nothing');
      const trusting = start({ TEST_URL: impostor.url, TEST_TOKEN: 'given' });
      await eventually(() => impostor.heard.includes('"token":"given"'), 'the token that is given', WAIT_MS);
      assert.ok(!impostor.heard.includes(gateway.token));
      for (const { child } of [program, trusting]) child.kill('SIGKILL');
      await impostor.stop();
    }
    start({ TAP_PROVIDER_TOKEN: 'of a gateway that has ended' });
    await owner.tools('a', all, WAIT_MS); // by the token of the file
  });

  it('survives a gateway that says things which make no sense', async () => {
    const nonsense = { active: [1, { id: 2 }, null, { id: 'a', label: '\u001b[31mred' }] };
    const impostor = await Impostor.start({
      answers: { auth: { type: 'sessions', ...nonsense }, hello: { type: 'hello.ack', providerId: 7 } },
    });
    const program = start({ TEST_URL: impostor.url, TEST_TOKEN: 'given' });
    await prints(program, 'a message of the gateway: providerId is missing or wrong');
    assert.equal(program.child.exitCode, null);
    await impostor.stop();
  });

  it('has gates, transforms and context, which wait for consent, and says so', async () => {
    const session = await owner.session('a');
    const program = start({ TEST_HOOKS: '1', TEST_CONTEXT: 'The sun shines.' });
    await prints(program, 'hooks and transforms and context wait for the user’s consent');
    assert.equal((await session.evaluateHooks('bash', { command: 'rm' })).decision, 'allow');
    await owner.client.request('consent/answer', { provider: 'python', allow: true });
    await eventually(async () => (await session.evaluateHooks('bash', { command: 'rm' })).decision === 'deny', 'the gate', WAIT_MS);
    assert.equal((await session.evaluateHooks('bash', { command: 'ls' })).decision, 'allow');
    assert.equal((await session.evaluateHooks('bash', { command: 'boom' })).decision, 'deny');
    const { sections, context } = await session.evaluateTransforms({ guidelines: 'be brief' });
    assert.equal(sections.find(({ section }) => section === 'guidelines')?.content, 'BE BRIEF');
    assert.deepEqual(context, [{ provider: 'python', content: 'The sun shines.' }]);
  });

  it('changes its hooks, its context and its filter, and queries its streams', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    await owner.client.request('consent/answer', { provider: 'python', allow: true }).catch(() => undefined);
    for (const what of ['context', 'hooks', 'filter'])
      assert.deepEqual(await session.call('change', { what }), { ok: true, data: 'bound' }, what);
    await owner.client.request('consent/answer', { provider: 'python', allow: true });
    await eventually(async () => (await session.evaluateHooks('rm', {})).decision === 'deny', 'the rule', WAIT_MS);
    assert.deepEqual((await session.evaluateTransforms()).context, [{ provider: 'python', content: 'It rains.' }]);
    const streams = await session.call('change', { what: 'stream' });
    assert.ok(streams.ok && 'data' in streams, JSON.stringify(streams));
    const entries = (streams.data as Record<string, { event: string }[]>)['python@python'];
    assert.deepEqual(
      entries?.map(({ event }) => event),
      ['news'],
    );
  });

  it('asks the user of the session, and takes no for an answer where nobody can be asked', async () => {
    const session = await owner.session('a');
    start();
    await owner.tools('a', all, WAIT_MS);
    const questions: unknown[] = [];
    const outcome = await session.call('ask', { question: 'Sure?' }, undefined, undefined, undefined, undefined, async (question) => {
      questions.push(question);
      return { action: 'accept', content: { sure: true } };
    });
    assert.deepEqual(outcome, { ok: true, data: ['accept', { sure: true }] });
    assert.deepEqual(questions, [{ message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } }]);
    assert.deepEqual(await session.call('ask', { question: 'Sure?' }), { ok: true, data: ['decline', null] });
  });

  it('runs in a loop of the program, which closes it or cancels it', async () => {
    await owner.session('a');
    const code = `
import asyncio, signal
from tapline import Provider
providers = [Provider(name) for name in ("closed", "cancelled")]
bound = None
for provider in providers:
    provider.tool("Does nothing", name=provider.name)(lambda: None)
    provider.on("state")(lambda state: bound.put_nowait(state) if state == "bound" else None)
async def main():
    global bound
    bound, told = asyncio.Queue(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, told.set)
    closed, cancelled = [asyncio.ensure_future(provider.serve()) for provider in providers]
    await bound.get()
    await bound.get()
    await told.wait()
    try:
        providers[0].tool("Too late")
    except RuntimeError as error:
        print(error)
    providers[0].close()
    cancelled.cancel()
    await closed
    print("cancelled:", isinstance((await asyncio.gather(cancelled, return_exceptions=True))[0], asyncio.CancelledError))
    print([provider.state for provider in providers])
asyncio.run(main())
`;
    writeFileSync(join(programs.folder, 'loop.py'), code);
    const program = programs.start('loop.py', gateway, { TAP_PROVIDER_TOKEN: '', TAP_GATEWAY_URL: '' }, python);
    await owner.next('tools/changed', ({ tools: offered }) => offered.length === tapTools.length + 2, WAIT_MS);
    program.child.kill('SIGUSR1');
    await owner.tools('a', tapTools, WAIT_MS);
    assert.equal(await program.ended(), 0, program.output);
    assert.match(program.output, /use update_tools\(\) and update_hooks\(\)\ncancelled: True\n\['closed', 'closed'\]\n$/);
    assert.doesNotMatch(program.output, /Traceback|never retrieved/);
  });

  it('runs the example of the documentation', async () => {
    const [, example] = /```python\n(.*?)```/s.exec(readFileSync(join(root, 'docs/provider-sdk.md'), 'utf8')) ?? [];
    writeFileSync(join(programs.folder, 'dice.py'), example ?? '');
    const session = await owner.session('a');
    const program = programs.start('dice.py', gateway, { TAP_PROVIDER_TOKEN: '', TAP_GATEWAY_URL: '' }, python);
    await owner.tools('a', [...tapTools, 'dice_roll'], WAIT_MS);
    await prints(program, 'dice: lends dice_roll to all sessions');
    const rolled = await session.call('dice_roll', { sides: 6, count: 2 });
    assert.ok(rolled.ok && 'data' in rolled, JSON.stringify(rolled));
    assert.equal((rolled.data as { rolls: number[] }).rolls.length, 2);
    await owner.next('tool/progress', ({ message }) => message === 'rolls die 2');
    const wrong = await session.call('dice_roll', { sides: 1 });
    assert.ok(!wrong.ok && wrong.error === 'A die has at least two sides');
  });

  it('says at once what cannot be lent', () => {
    const lends = (code: string) => {
      const program = ['from tapline import *', 'provider = Provider("x")', code].join('\n');
      const env = { ...process.env, PYTHONPATH: [programs.folder, python.path].join(delimiter), PYTHONDONTWRITEBYTECODE: '1' };
      return spawnSync(python.command, ['-c', program], { encoding: 'utf8', env, timeout: WAIT_MS }).stderr.trim().split('\n').at(-1);
    };
    assert.match(
      lends('@provider.tool()\ndef f(a: complex): pass') ?? '',
      /^TypeError: tool 'f': a: .*complex.* has no JSON Schema here\. Give/,
    );
    assert.match(lends('@provider.tool()\ndef f(a: "Unknown"): pass') ?? '', /^TypeError: tool 'f': its type hints cannot be read/);
    assert.match(lends('@provider.tool\ndef f(): pass') ?? '', /^TypeError: write @provider\.tool\(\) with its parentheses$/);
    assert.match(lends('for _ in range(2): provider.tool("d", name="f")(lambda: 1)') ?? '', /^ValueError: there are two tools 'f'$/);
    assert.equal(lends('provider.tool("d", name="f")(lambda **args: args)'), '');
  });
});
