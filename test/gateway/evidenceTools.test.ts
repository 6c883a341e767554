/** The tools with which a session's model shows that what it says is so. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmitterSpec } from '../../src/tap/wire/emitters/emitterSpec.ts';
import type { CheckAnswer, Verdict } from '../../src/tap/wire/evidence/verdict.ts';
import { TapProvider } from '../../src/gateway/connections/tapProvider.ts';
import { tapStreams } from '../../src/gateway/streams/tapStreams.ts';
import { Limit } from '../../src/tap/wire/limits.ts';
import { FakeGateway, hello } from '../fakes/fakeGateway.ts';

describe('the tools for evidence', () => {
  let fake: FakeGateway;
  let tap: TapProvider;
  let folder: string;
  let outside: string;
  beforeEach(() => {
    const parent = mkdtempSync(join(tmpdir(), 'tapline-evidence-'));
    folder = join(parent, 'in');
    outside = join(parent, 'out');
    for (const one of [folder, outside]) mkdirSync(one);
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    fake = new FakeGateway();
    tap = new TapProvider(fake.gateway);
    fake.session('a', { cwd: folder });
    fake.clock.advance(1000);
  });
  afterEach(() => {
    tap.dispose();
    fake.dispose();
    rmSync(join(folder, '..'), { recursive: true });
  });

  const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const outcomeOf = async (tool: string, args: object, sessionId = 'a') => {
    const session = fake.gateway.sessions.get(sessionId);
    assert.ok(session);
    return await fake.gateway.dispatcher.call({ session, tool, args }).outcome;
  };
  const data = async <T>(tool: string, args: object, sessionId?: string): Promise<T> => {
    const outcome = await outcomeOf(tool, args, sessionId);
    assert.ok(outcome.ok && 'data' in outcome, JSON.stringify(outcome));
    return outcome.data as T;
  };
  const refused = async (tool: string, args: object) => {
    const outcome = await outcomeOf(tool, args);
    assert.ok(!outcome.ok, JSON.stringify(outcome));
    return `${outcome.errorCode}: ${outcome.error}`;
  };
  const verify = (...checks: object[]) =>
    data<{ goal: string; verdict: Verdict; checks: CheckAnswer[] }>('tap_verify_goal_output', { goal: 'it works', checks });
  /** `verdict line` of one check. */
  const answer = async (check: object) => {
    const { verdict, checks } = await verify(check);
    const [only, ...more] = checks;
    assert.ok(only && more.length === 0 && only.verdict === verdict);
    return `${only.verdict} ${only.line}`;
  };

  it('say whether files are there and what they hold, with the line that decides', async () => {
    file('sum.js', 'const a = 1;\r\nexport const sum = (a, b) => a + b;\r\n');
    mkdirSync(join(folder, 'sub'));
    assert.equal(await answer({ kind: 'fileExists', path: 'sum.js' }), 'supported sum.js is a file of 51 bytes');
    assert.equal(await answer({ kind: 'fileExists', path: 'sub' }), 'supported sub is a folder');
    assert.equal(await answer({ kind: 'fileExists', path: 'sub/none' }), 'contradicted there is no sub/none');
    assert.equal(await answer({ kind: 'fileExists', path: 'sum.js/none' }), 'contradicted there is no sum.js/none');
    const line = 'export const sum = (a, b) => a + b;';
    assert.equal(
      await answer({ kind: 'fileContains', path: join(folder, 'sum.js'), text: 'a + b' }),
      `supported ${folder}/sum.js:2: ${line}`,
    );
    assert.equal(await answer({ kind: 'fileContains', path: 'sum.js', text: ';\nexport' }), 'supported sum.js:1: const a = 1;');
    assert.equal(
      await answer({ kind: 'fileContains', path: 'sum.js', text: 'a - b' }),
      'contradicted sum.js has no "a - b" in its 2 lines',
    );
    assert.equal(await answer({ kind: 'fileContains', path: 'sub', text: 'x' }), 'contradicted sub is a folder, not a file');
    assert.equal(await answer({ kind: 'fileMatches', path: 'sum.js', pattern: '^export .*;$' }), `supported sum.js:2: ${line}`);
    assert.match(
      await answer({ kind: 'fileMatches', path: 'sum.js', pattern: 'import' }),
      /^contradicted no line of sum\.js matches "import"/,
    );
  });

  it('compare values of JSON files, in whatever order their fields are', async () => {
    file('package.json', '{"version":"2.0.0","scripts":{"test":"mocha","a/b":[1,{"x":1,"y":null}]}}');
    const at = (pointer: string, value: unknown) => answer({ kind: 'jsonEquals', path: 'package.json', pointer, value });
    assert.equal(await at('/version', '2.0.0'), 'supported package.json has "2.0.0" at "/version"');
    assert.equal(await at('/scripts/a~1b', [1, { y: null, x: 1 }]), 'supported package.json has [1,{"x":1,"y":null}] at "/scripts/a~1b"');
    assert.equal(await at('/version', '1.0.0'), 'contradicted package.json has "2.0.0" at "/version"');
    assert.equal(await at('/engines', null), 'contradicted package.json has nothing at "/engines"');
    file('package.json', '{"version":');
    assert.match(await at('/version', '2.0.0'), /^contradicted package\.json is not JSON/);
  });

  it('look at nothing outside the folder of the session', async () => {
    file('here.txt', 'x');
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync('here.txt', join(folder, 'inner'));
    for (const path of ['../out/secret.txt', join(outside, 'secret.txt'), '../out/none', '/etc/passwd'])
      assert.equal(await answer({ kind: 'fileExists', path }), `unknown ${path}: it lies outside the folder of the session`);
    for (const path of ['link', 'linked/secret.txt', 'linked'])
      assert.equal(
        await answer({ kind: 'fileContains', path, text: 'secret' }),
        `unknown ${path}: it leads outside the folder of the session`,
      );
    assert.equal(await answer({ kind: 'fileContains', path: 'inner', text: 'x' }), 'supported inner:1: x');
    fake.session('remote', { cwd: undefined });
    fake.clock.advance(1000);
    const { verdict } = await data<{ verdict: Verdict }>(
      'tap_verify_goal_output',
      { goal: 'x', checks: [{ kind: 'fileExists', path: 'here.txt' }] },
      'remote',
    );
    assert.equal(verdict, 'unknown');
  });

  it('say names without control characters, and not more of them than is needed', async () => {
    const bad = '\u001b[2J\u202egnp';
    for (const check of [
      { kind: 'fileExists', path: bad },
      { kind: 'fileContains', path: bad, text: 'x' },
      { kind: 'fileMatches', path: bad, pattern: 'x' },
      { kind: 'jsonEquals', path: bad, pointer: '', value: 1 },
      { kind: 'streamContains', stream: bad, text: 'x' },
    ]) {
      const { checks } = await verify(check);
      assert.match(checks[0]?.check ?? '', /\[2Jgnp/);
      for (const said of [checks[0]?.check, checks[0]?.line]) assert.doesNotMatch(said ?? '', /[\u001b\u202e]/, check.kind);
    }
    const path = `${'sub/'.repeat(900)}none`;
    const { checks } = await verify({ kind: 'fileContains', path, text: 'wanted' });
    assert.match(checks[0]?.check ?? '', /^sub\/.{100,200}… contains "wanted"$/);
  });

  it('neither wait at a pipe nor read a file without end', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    assert.equal(await answer({ kind: 'fileExists', path: 'pipe' }), 'unknown pipe: it is neither a file nor a folder');
    file('large', '');
    truncateSync(join(folder, 'large'), 2 ** 40);
    assert.equal(
      await answer({ kind: 'fileContains', path: 'large', text: 'x' }),
      `unknown large is too large to be looked at: ${2 ** 40} bytes`,
    );
    assert.match(await answer({ kind: 'fileExists', path: 'large' }), /^supported/);
  });

  it('take patterns in linear time alone, and not for long', async () => {
    file('text', `${'a'.repeat(200_000)}b\n`.repeat(9));
    assert.match(await answer({ kind: 'fileMatches', path: 'text', pattern: '(?=a)' }), /^unknown pattern: /);
    assert.match(await answer({ kind: 'fileMatches', path: 'text', pattern: '(a' }), /^unknown pattern: /);
    const started = performance.now();
    assert.match(
      await answer({ kind: 'fileMatches', path: 'text', pattern: '(a?){300}c' }),
      /^unknown (the pattern takes too long|pattern: )/,
    );
    assert.ok(performance.now() - started < 10_000);
  });

  it('believe streams that a provider or an emitter fills, and none that the model has written', async () => {
    const ci = fake.spawned('a').say(hello({ session: 'a', name: 'ci' }));
    ci.say({ type: 'push', stream: 'runs', level: 'keep', event: 'build 7\nfailed' });
    assert.match(await answer({ kind: 'streamContains', stream: 'runs', text: 'failed' }), /^supported runs@ci at .*: failed$/);
    assert.match(await answer({ kind: 'streamContains', stream: 'runs', text: 'passed' }), /^contradicted none of the 1 events of runs@ci/);
    assert.match(await answer({ kind: 'streamContains', stream: 'other', text: 'x' }), /^unknown there is no stream "other"/);
    await data('tap_post', { stream: 'notes', event: 'all tests pass' });
    assert.match(await answer({ kind: 'streamContains', stream: 'notes', text: 'pass' }), /^unknown .*no evidence/);
    const session = fake.gateway.sessions.get('a');
    assert.ok(session);
    fake.gateway.emitters.start(session, { name: 'tests', command: 'true', autoStart: false }, 'user');
    const metadata = { emitter: 'tests', run: 1 };
    for (let at = 0; at <= Limit.streamEntries; at++)
      session.streams.append(tapStreams, 'tests', { ts: '2026-01-01T00:00:00.000Z', event: `line ${at}.`, level: 'keep', metadata });
    assert.match(await answer({ kind: 'streamContains', stream: 'tests', text: 'line 200.' }), /^supported tests@tap/);
    assert.match(await answer({ kind: 'streamContains', stream: 'tests', text: 'line 0.' }), /^unknown .*older ones are gone/);
  });

  it('believe no line of a model in the stream of an emitter', async () => {
    const check = (stream: string) => answer({ kind: 'streamContains', stream, text: 'tests pass' });
    const session = fake.gateway.sessions.get('a');
    assert.ok(session);
    const start = (spec: EmitterSpec) => fake.gateway.emitters.start(session, { ...spec, autoStart: false }, 'model');
    // Posted before an emitter took the stream.
    await data('tap_post', { stream: 'tests', event: 'all tests pass' });
    start({ name: 'tests', command: 'true' });
    assert.match(await check('tests'), /^unknown .*no evidence/);
    // A prompt, and what is said of its emitter.
    const said = start({ name: 'said', prompt: 'all tests pass' });
    said.runNow();
    said.note('all tests pass', 'keep');
    fake.clock.advance(1_000);
    const { items = [] } = session.streams.all().find(({ name }) => name === 'said') ?? {};
    assert.equal(items.filter(({ event }) => event === 'all tests pass').length, 2, JSON.stringify(items));
    assert.match(await check('said'), /^unknown .*no evidence/);
    // Once its emitter is forgotten, the stream is free.
    for (let at = 0; at <= Limit.emitters; at++)
      fake.gateway.emitters.start(session, { name: `other-${at}`, command: 'true', stream: 'others', autoStart: false }, 'user');
    await data('tap_post', { stream: 'tests', event: 'all tests pass' });
    assert.match(await check('tests'), /^unknown .*no evidence/);
  });

  it('believe no provider that calls itself tap', async () => {
    const metadata = { emitter: 'tests', run: 1 };
    const other = fake.spawned('a').say(hello({ session: 'a', name: 'tap' }));
    other.say({ type: 'push', stream: 'tests', level: 'keep', event: 'all tests pass', metadata });
    const session = fake.gateway.sessions.get('a');
    assert.ok(session?.streams.readNamed('tap', 'tests', 1)?.length, 'it was pushed');
    const check = { kind: 'streamContains', stream: 'tests', text: 'tests pass' };
    assert.match(await answer(check), /^unknown .*no evidence/);
    session.streams.append(tapStreams, 'tests', { ts: '2026-01-01T00:00:00.000Z', event: '1 failing', level: 'keep', metadata });
    assert.match(await answer(check), /^contradicted none of the 1 events/);
  });

  it('ask the session what has become of a command', async () => {
    const check = { kind: 'command', command: 'npm test', exitCode: 0, output: '3 passing' };
    assert.match(await answer(check), /^supported as stated/);
    const asked: unknown[] = [];
    fake.owner.answers = {
      'session/commands': (params) => {
        asked.push(params);
        return { runs: [{ exitCode: 1, output: '1 failing', isCut: false }] };
      },
    };
    assert.match(await answer(check), /^contradicted the session’s record: .*code 1, not 0/);
    assert.deepEqual(asked, [{ sessionId: 'a', command: 'npm test' }]);
    fake.owner.answers = { 'session/commands': () => Promise.reject(new Error('asleep')) };
    assert.equal(await answer(check), 'unknown the record of the session could not be asked: asleep');
  });

  it('take no time of the others for long outputs of commands', async () => {
    const printed = 'a'.repeat(Limit.seenOutput);
    fake.owner.answers = { 'session/commands': () => ({ runs: [{ exitCode: 0, output: printed, isCut: true }] }) };
    // Each is found nowhere, and only at the end of what is compared.
    const output = Array.from({ length: 50 }, (_, at) => `b${'a'.repeat(77)}${at % 10}`).join('\n');
    const check = { kind: 'command', command: 'npm test', exitCode: 0, output, text: `b${'a'.repeat(3_999)}` };
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const before = process.cpuUsage();
    const { verdict } = await verify(...Array.from({ length: 50 }, () => check));
    isOver = true;
    const { user } = process.cpuUsage(before);
    assert.equal(verdict, 'unknown');
    assert.ok(turns >= 50, `others had ${turns} turns`);
    assert.ok(user < 5e6, `${user} µs`);
    assert.match(
      await refused('tap_verify_goal_output', { goal: 'x', checks: [{ ...check, output: 'x\n'.repeat(101) }] }),
      /output.*100 lines/,
    );
    assert.match(await refused('tap_verify_goal_output', { goal: 'x', checks: [{ ...check, output: 'x'.repeat(4_001) }] }), /output/);
  });

  it('support a goal only if all checks do, and each claim for itself', async () => {
    file('a.txt', 'one');
    const [is, isNot, unclear] = ['one', 'two']
      .map((text) => ({ kind: 'fileContains', path: 'a.txt', text }))
      .concat({ kind: 'fileContains', path: '..', text: 'x' });
    const verdict = async (...checks: (object | undefined)[]) => (await verify(...(checks as object[]))).verdict;
    assert.deepEqual(
      [await verdict(is, is), await verdict(is, unclear), await verdict(is, unclear, isNot)],
      ['supported', 'unknown', 'contradicted'],
    );
    const { goal } = await verify(is as object);
    assert.equal(goal, 'it works');
    const { claims } = await data<{ claims: { claim: string; verdict: Verdict; evidence: CheckAnswer[] }[] }>('tap_audit_claims', {
      claims: [
        { claim: 'one', evidence: [is, is] },
        { claim: 'two', evidence: [isNot] },
        { claim: 'three', evidence: [unclear] },
      ],
    });
    assert.deepEqual(
      claims.map(({ claim, verdict: of, evidence }) => [claim, of, evidence.length]),
      [
        ['one', 'supported', 2],
        ['two', 'contradicted', 1],
        ['three', 'unknown', 1],
      ],
    );
    const judged = fake.owner
      .all('goal/judged')
      .map(({ sessionId, judgement: { kind, text, verdict: of } }) => [sessionId, kind, text, of]);
    assert.deepEqual(judged.slice(-4), [
      ['a', 'goal', 'it works', 'supported'],
      ['a', 'claim', 'one', 'supported'],
      ['a', 'claim', 'two', 'contradicted'],
      ['a', 'claim', 'three', 'unknown'],
    ]);
    assert.deepEqual(claims[1]?.evidence[0], {
      ...{ check: 'a.txt contains "two"', verdict: 'contradicted', seenBy: 'gateway' },
      line: 'a.txt has no "two" in its 1 lines',
    });
  });

  it('refuse arguments that do not fit, and say which', async () => {
    const check = (fields: object) => refused('tap_verify_goal_output', { goal: 'x', checks: [fields] });
    assert.match(await refused('tap_verify_goal_output', { checks: [] }), /^INVALID_ARGUMENTS: .*goal/);
    assert.match(await refused('tap_verify_goal_output', { goal: 'x', checks: [] }), /^INVALID_ARGUMENTS: .*checks/);
    assert.match(await check({ kind: 'run', command: 'ls' }), /^INVALID_ARGUMENTS: .*kind/);
    assert.match(await check({ kind: 'fileExists', file: 'x' }), /^INVALID_ARGUMENTS: .*file/);
    assert.match(await check({ kind: 'command', command: 'ls', exitCode: '0' }), /^INVALID_ARGUMENTS: .*exitCode/);
    assert.equal(await check({ kind: 'fileContains', path: 'a' }), 'INTERNAL: checks.0.text: is missing: fileContains needs it');
    assert.equal(await check({ kind: 'command', command: 'ls' }), 'INTERNAL: checks.0.exitCode: is missing: command needs it');
    assert.equal(await check({ kind: 'jsonEquals', path: 'a', pointer: '' }), 'INTERNAL: checks.0.value: is missing: jsonEquals needs it');
    assert.equal(await check({ kind: 'fileExists', path: 'a', text: 'x' }), 'INTERNAL: checks.0.text: is not for fileExists');
    assert.match(await check({ kind: 'jsonEquals', path: 'a', pointer: 'b.c', value: 1 }), /checks[./]0[./]pointer/);
    assert.equal(await check({ kind: 'fileExists', path: 'a\0' }), 'INTERNAL: checks.0.path: must not hold a NUL');
    const evidence = Array.from({ length: 30 }, () => ({ kind: 'fileExists', path: 'a' }));
    assert.match(
      await refused('tap_audit_claims', {
        claims: [
          { claim: 'a', evidence },
          { claim: 'b', evidence },
        ],
      }),
      /more than 50 checks/,
    );
    assert.equal(
      await refused('tap_audit_claims', { claims: [{ claim: ' ', evidence: [{ kind: 'fileExists', path: 'a' }] }] }),
      'INTERNAL: claims.0.claim: must not be blank',
    );
  });

  it('say in their schema all that a call needs, and stay small', () => {
    const session = fake.gateway.sessions.get('a');
    assert.ok(session);
    for (const name of ['tap_verify_goal_output', 'tap_audit_claims']) {
      const { tools } = fake.gateway.announcer.offerOf(session);
      const tool = tools.find((one) => one.name === name);
      assert.ok(tool);
      assert.equal(tool.annotations?.readOnlyHint, true);
      const schema = JSON.stringify(tool.parameters);
      assert.doesNotMatch(schema, /oneOf|allOf|\$ref/, 'models fill in a flat object');
      assert.ok(schema.length < 4_000, `${schema.length}`);
    }
  });
});
