/** The tables of the provider SDK's page: they name all that the types have, and each of their examples is run. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { WebSocket } from 'ws';
import * as z from 'zod';
import * as testing from '../../../src/gateway/testing/testGateway.ts';
import * as browserSdk from '../../../src/tap/provider/providerBrowser.ts';
import * as sdk from '../../../src/tap/provider/providerNode.ts';
import { eventually } from '../../fakes/eventually.ts';
import { TestGateway } from '../gateway/gatewayHarness.ts';
import { root } from './documented.ts';
import { TypeNames } from './typeNames.ts';

/** The examples of a table, by the name in their row. Tables are told apart by their first column and the names under it. */
type Rows = ReadonlyMap<string, string>;
type Options = sdk.NodeProviderOptions & { tools: sdk.ProviderTool[] };

const page = readFileSync(join(root, 'docs/provider-sdk.md'), 'utf8');
const tables = tablesOf(page);
const table = (kind: string, holds?: string): Rows => {
  const found = tables.filter((one) => one.kind === kind && (holds === undefined || one.rows.has(holds)));
  assert.equal(found.length, 1, `one table of “${kind}”`);
  return (found[0] as (typeof tables)[number]).rows;
};
const options = table('option');
const fields = table('field', 'input');
const call = table('field', 'progress');
const results = table('result');
const gates = table('gate');
const matches = table('match');
const transforms = table('transform');
const levels = table('level');
const members = table('member');
const state = table('field', 'persistDir');
const errors = table('error');
const forTests = table('name');

describe('the tables of the provider SDK’s page', function () {
  this.timeout(30_000);
  const names = new TypeNames([
    'src/tap/provider/providerNode.ts',
    'src/tap/provider/providerBrowser.ts',
    'src/tap/provider/tool.ts',
    'src/gateway/testing/testGateway.ts',
  ]);
  let gateway: testing.TestGateway;
  const providers: sdk.ProviderHandle[] = [];
  const lines: unknown[][] = [];
  const console = { log: (...values: unknown[]) => lines.push(values), error: (...values: unknown[]) => lines.push(values) };
  const roll = sdk.tool({ name: 'dice_roll', input: z.object({ sides: z.int().min(2) }), run: ({ sides }) => ({ shown: sides }) });
  const problems: string[] = [];
  const provide = (name: string, more: sdk.NodeProviderOptions): sdk.ProviderHandle => {
    const provider = sdk.createProvider(name, { connect: gateway.connect, onError: ({ message }) => problems.push(message), ...more });
    providers.push(provider);
    return provider;
  };
  /** The value of JavaScript that may use the SDK and these names. */
  const run = async (code: string, scope: Record<string, unknown> = {}): Promise<unknown> => {
    const all: Record<string, unknown> = { ...sdk, ...testing, z, roll, gateway, console, ...scope };
    const body = `return (async () => { ${code} })()`;
    return (new Function(...Object.keys(all), body) as (...values: unknown[]) => Promise<unknown>)(...Object.values(all));
  };
  const valueOf = async <T>(code: string, scope?: Record<string, unknown>): Promise<T> => (await run(`return ${code}`, scope)) as T;
  const object = <T>(rows: Rows, without: readonly string[] = [], scope?: Record<string, unknown>): Promise<T> =>
    valueOf(`({ ${[...rows].flatMap(([name, code]) => (without.includes(name) ? [] : code)).join(', ')} })`, scope);
  const example = (rows: Rows, name: string): string => rows.get(name) ?? assert.fail(`an example of “${name}”`);

  beforeEach(() => {
    gateway = testing.createTestGateway();
    lines.length = problems.length = 0;
  });
  afterEach(async () => {
    for (const provider of providers.splice(0)) provider.close();
    await gateway.close();
  });

  it('name all options, fields, members and exports that the types have, and nothing else', () => {
    const of = (rows: Rows) => [...rows.keys()].sort();
    const pairs: [string, string[], string[]][] = [
      ['options', of(options), names.members('NodeProviderOptions', 'BrowserProviderOptions')],
      ['fields of a tool', of(fields), names.members('ToolOptions', 'ProviderTool')],
      ['fields of a call', of(call), names.members('ToolCallRequest')],
      ['members of a provider', of(members), names.members('ProviderHandle')],
      ['fields of the state', of(state), names.members('ProviderState').filter((name) => name !== 'kind')],
      ['gates', of(gates), names.literals('HooksInput', 'onPreToolUse', 'action')],
      ['matches', of(matches), names.within('HooksInput', 'onPreToolUse', 'match')],
      ['transforms', of(transforms), names.literals('HooksInput', 'transforms', 'action')],
      ['levels', of(levels), names.literals('FilterInput', 'outcome')],
      ['members of a test gateway', of(forTests).filter((name) => !(name in testing)), names.members('TestGateway')],
    ];
    for (const [what, documented, existing] of pairs) assert.deepEqual(documented, existing, what);
    assert.ok(names.literals('ProviderHandle', 'push', 'level').every((level) => levels.has(level)));
    const exported = Object.keys({ ...sdk, ...browserSdk, ...testing });
    const ofPage = new Set(['createProvider', 'tool', ...results.keys(), ...errors.keys(), ...forTests.keys()]);
    assert.deepEqual(
      exported.filter((name) => !ofPage.has(name)),
      [],
    );
    const code = new MarkdownIt().parse(page, {}).flatMap(({ children }) => children?.filter(({ type }) => type === 'code_inline') ?? []);
    const inCode = new Set(code.flatMap(({ content }) => content.match(/\w+/g) ?? []));
    const others = names.members('TestGatewayOptions', 'CallOptions', 'CallResult', 'GateDecision');
    for (const name of others) assert.ok(inCode.has(name), name);
    for (const kind of names.literals('ProviderState', 'kind')) assert.ok(page.includes(`\`${kind}\``), kind);
    for (const { kind, rows } of tables)
      for (const [name, shown] of rows) assert.ok(shown.includes(name) || kind === 'member', `“${shown}” shows ${name}`);
  });

  const paired = ['url', 'token', 'onPairing', 'onToken'];

  it('have options that work together, whose functions are called', async () => {
    const given = await object<Options>(options, [...paired, 'session']);
    const called = new Set<string>();
    const spied = Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        if (typeof value !== 'function') return [name, value];
        const watched = (...args: unknown[]): unknown => {
          called.add(name);
          return (value as (...args: unknown[]) => unknown)(...args);
        };
        return [name, watched];
      }),
    );
    const provider = provide('weather', spied);
    assert.deepEqual((await gateway.call('weather_now', { place: 'Oslo' })).data, ['weather_now', { place: 'Oslo' }]);
    assert.equal((await gateway.check('bash', {})).reason, 'no shell');
    const { sections, context } = await gateway.prompt({ tone: 'be brief' });
    assert.equal(sections[0]?.content, 'BE BRIEF');
    assert.ok(context.some(({ content }) => content.includes('It rains in Oslo.')));
    gateway.event('user.message', { content: 'hi' });
    gateway.addSession('second');
    await gateway.call('dice_roll', { sides: 6 }, { session: 'second' });
    await gateway.endSession('second');
    provider.updateTools([{ name: 'dice_roll' }, { name: 'no good' }]).catch(() => undefined);
    provider.push({ level: 'keep', event: 'x', stream: '' });
    const functions = Object.keys(given).filter((name) => typeof given[name as keyof Options] === 'function');
    await eventually(() => functions.every((name) => called.has(name)), 'calls of all functions');
  });

  it('have a function that chooses a session', async () => {
    gateway.addSession('other');
    const provider = provide('weather', { ...(await valueOf<Options>(`({ ${example(options, 'session')} })`)), tools: [roll] });
    await gateway.tools(['dice_roll']);
    assert.equal(provider.state.kind === 'bound' && provider.state.sessionId, testing.DEMO_SESSION);
  });

  it('have options for pairing, and for the token of an earlier one', async () => {
    const real = new TestGateway();
    await real.start();
    const owner = await real.owner();
    await owner.session('a');
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    const asked: string[] = [];
    const prompt = async (question: string) => {
      asked.push(question);
      return (await owner.next('pairing/started')).code;
    };
    const rows = new Map(paired.map((name) => [name, example(options, name).replace('ws://127.0.0.1:9400', real.server.url)]));
    Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? WebSocket });
    for (let round = 1; round <= 2; round++) {
      const given = await object<browserSdk.BrowserProviderOptions>(rows, [], { sessionStorage, prompt });
      const provider = browserSdk.createProvider('page', { ...given, tools: [roll] });
      providers.push(provider);
      await eventually(() => provider.state.kind === 'bound', 'the session');
      provider.close();
    }
    assert.equal(asked.length, 1);
    assert.ok(kept.get('token'));
    await real.stop();
  });

  for (const schema of ['input', 'parameters', 'inputSchema'])
    it(`have fields of a tool, with its schema as ${schema}`, async () => {
      const others = ['input', 'parameters', 'inputSchema'].filter((name) => name !== schema);
      const made = sdk.tool(await object<Parameters<typeof sdk.tool>[0]>(fields, others));
      provide('dice', { tools: [made] });
      assert.deepEqual((await gateway.call('dice_roll', { sides: 6 })).data, { shown: 6 });
      await assert.rejects(gateway.call('dice_roll', { sides: 1 }), { code: 'INVALID_ARGUMENTS' });
      assert.deepEqual(problems, []);
    });

  it('have what a tool gets with a call, and what it answers', async () => {
    const path = () => join((provider.state as { persistDir: string }).persistDir, 'rain.csv');
    const onToolCall = async (request: sdk.ToolCallRequest) => {
      if (request.tool === 'weather_now')
        return run(`${[...call.values()].join('; ')}; return [place, action]`, { provider, traceparent: undefined, ...request });
      if (request.tool === 'FileResult') writeFileSync(path(), 'a,b');
      return run(example(results, request.tool), { path: path() });
    };
    const provider = provide('weather', { tools: ['weather_now', ...results.keys()].map((name) => ({ name })), onToolCall });
    const weather = await gateway.call('weather_now', { place: 'Oslo' });
    assert.deepEqual([weather.data, weather.progress], [['Oslo', 'decline'], ['asking the station']]);
    const kinds: Record<string, string[]> = {
      text: ['text'],
      image: ['image'],
      json: ['text', 'text'],
      file: ['resource'],
      FileResult: ['resource'],
    };
    for (const [name, types] of Object.entries(kinds))
      assert.deepEqual(
        (await gateway.call(name)).content.map(({ type }) => type),
        types,
        name,
      );
    await assert.rejects(gateway.call('ToolError'), { code: 'BUSY', retryable: true });
    assert.deepEqual([...results.keys()].sort(), [...Object.keys(kinds), 'ToolError'].sort());
  });

  it('have gates and what they match', async () => {
    const rules = await Promise.all([...gates.values()].map((code) => valueOf<object>(code)));
    const matching = await Promise.all([...matches.values()].map((code) => valueOf<object>(code)));
    const all = [...rules, ...matching.map((match) => ({ action: 'context', match, content: JSON.stringify(match) }))];
    const docs = sdk.tool({ name: 'docs_find', run: () => null });
    provide('docs', {
      tools: [docs],
      hooks: { onPreToolUse: all as never },
      onGate: () => ({ decision: 'deny', reason: 'asked' }),
    });
    await gateway.tools(['docs_find']);
    assert.equal((await gateway.check('rm', {})).reason, 'nothing is removed here');
    assert.equal((await gateway.check('bash', {})).reason, 'asked');
    const contextOf = async (tool: string, args: object = {}) =>
      (await gateway.check(tool, args)).context.map(({ content }) => content).join();
    assert.match(await contextOf('deploy'), /Fridays are bad/);
    assert.match(await contextOf('git', { command: 'push --force' }), /--force/);
    assert.match(await contextOf('docs_find'), /docs/);
    assert.match(await contextOf('read', { path: '/a/secrets/key' }), /secrets/);
    assert.equal(await contextOf('read', { path: '/a/key' }), '');
    assert.deepEqual(problems, []);
  });

  it('have transforms', async () => {
    const written = await Promise.all([...transforms].map(async ([name, code]) => [name, await valueOf<object>(code)]));
    provide('units', { tools: [roll], hooks: { transforms: Object.fromEntries(written) }, onTransform: () => 'asked' });
    await gateway.tools(['dice_roll']);
    const { sections } = await gateway.prompt(Object.fromEntries([...transforms.keys()].map((name) => [name, 'Be brief.'])));
    assert.deepEqual(Object.fromEntries(sections.map(({ section, content }) => [section, content])), {
      append: 'Be brief.\nMetric units.',
      prepend: 'Metric units.\nBe brief.',
      replace: 'Metric units.',
      callback: 'asked',
    });
  });

  it('have levels of a push, and what a provider can do while it runs', async () => {
    const provider = provide('weather', { tools: [roll] });
    await gateway.tools(['dice_roll']);
    for (const code of levels.values()) await run(code, { provider });
    provider.push({ level: 'surface', event: 'drizzle' });
    assert.equal((await gateway.pushed('it rains')).level, 'surface');
    assert.equal((await gateway.pushed('storm')).level, 'inject');
    const { [`weather@weather`]: kept } = await provider.queryStreams(['weather']);
    const events = kept?.map(({ event }) => event) ?? [];
    assert.ok(events.includes('station is up') && !events.includes('drizzle'), events.join());
    for (const code of members.values()) await run(code, { provider });
    assert.equal(provider.state.kind, 'closed');
    assert.deepEqual(problems, []);
  });

  it('have states and errors', async () => {
    const consenting = testing.createTestGateway({ consent: 'ask' });
    const seen: unknown[] = [];
    const provider = sdk.createProvider('weather', {
      connect: consenting.connect,
      tools: [roll],
      context: 'It rains.',
      onError: (error) => seen.push(error),
    });
    providers.push(provider);
    await consenting.tools(['dice_roll']);
    await run([...state.values()].join('; '), { state: provider.state });
    assert.deepEqual(lines.at(-1), [['context']]);
    await provider.updateTools([{ name: 'no good' }]).catch((error: unknown) => seen.push(error));
    assert.deepEqual(
      seen.map((error) => (error as Error).name),
      ['ConsentError', 'GatewayError'],
    );
    const before = lines.length;
    for (const error of seen) await run([...errors.values()].join('; '), { error });
    assert.deepEqual(lines.slice(before), [['asked', ['context']], ['INVALID_JSON']]);
    provider.close();
    await consenting.close();
  });

  it('have what tests of a provider need', () => run([...forTests.values()].join('; ')));
});

/** Rows `name | … | example` of the tables whose last column is “example”. */
function tablesOf(markdown: string): { kind: string; rows: Rows }[] {
  const found: { kind: string; rows: Map<string, string> }[] = [];
  let cells: string[] = [];
  for (const { type, children } of new MarkdownIt().parse(markdown, {})) {
    if (type === 'tr_open') cells = [];
    else if (type === 'inline') cells.push((children ?? []).map(({ content }) => content).join(''));
    else if (type === 'tr_close' && cells[2] === 'example') found.push({ kind: String(cells[0]), rows: new Map() });
    else if (type === 'tr_close' && cells[2] && found.length) found.at(-1)?.rows.set(String(cells[0]), cells[2]);
  }
  return found;
}
