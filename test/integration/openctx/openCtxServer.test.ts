/** “npm run openctx” as a process, asked by our client and by the published one, with real notes and a real provider at a real gateway. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type Range } from '@openctx/client';
import { WebSocket } from 'ws';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle, ToolCallRequest } from '../../../src/tap/provider/providerApi.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { at, openClient } from './openCtxProviders.ts';

const script = join(import.meta.dirname, '../../../dist/openctx.cjs');
const uri = 'file:///work/src/a.ts';
const content = 'one\n// TODO(ann): two\n';

interface Said {
  url: string;
  token: string;
  providers: { name: string; later: string; seed: string }[];
}

describe('the OpenCtx server', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let server: PrintingProcess<Said>;
  let issues: ProviderHandle;
  let isBroken: boolean;
  let asked: ToolCallRequest[];
  const disposables: { dispose(): void }[] = [];

  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    const notes = join(home.folder, 'notes');
    mkdirSync(notes);
    writeFileSync(join(notes, 'marks.md'), '---\npath: "**/*.ts"\ncontains: TODO\n---\n# Marks\n\nWho does it is in **parentheses**.\n');
    writeFileSync(join(notes, 'broken.md'), '---\npath: 3\n---\n# Broken heading\n');
    writeFileSync(join(notes, 'release.md'), '# How to release\n\nAsk first.\n');
    server = await startPrintingProcess<Said>(
      'OpenCtx server',
      script,
      ['--port', '0', '--notes', notes, '--provider', 'issues'],
      home.env,
    );
    issues = connectProvider('issues', {
      session: 'all',
      connect: () => ({ socket: new WebSocket(gateway.url), token: readFileSync(home.tokenFile, 'utf8') }),
      tools: [
        { name: 'openctx_items', description: 'Issues of a file', parameters: { type: 'object' } },
        { name: 'openctx_mentions', description: 'Issues', parameters: { type: 'object' } },
        { name: 'openctx_mention_items', description: 'One issue', parameters: { type: 'object' } },
      ],
      onToolCall: (call) => {
        asked.push(call);
        if (isBroken) throw new Error('the tracker is away');
        if (call.tool === 'openctx_mentions') return [{ title: 'Issue 7', uri: 'issue:7' }];
        if (call.tool === 'openctx_mention_items') return [{ title: 'Issue 7', ai: { content: 'It is open.' } }];
        return [{ title: 'Issue 7', url: 'https://example.com/7', ai: { content: 'It is open.' }, range: at(1, 3, 1, 7) }];
      },
    });
    isBroken = false;
    asked = [];
    const headers = { Authorization: `Bearer ${server.said.token}` };
    const body = JSON.stringify({ method: 'mentions' });
    await eventually(async () => {
      const response = await fetch(server.said.providers[1]?.later ?? '', { method: 'POST', headers, body });
      return 'result' in ((await response.json()) as object);
    }, 'the provider at the gateway');
  });
  after(async () => {
    issues?.close();
    await server?.stop();
    await endDaemons(home.lockFile);
    await gateway?.stop('SIGKILL');
    home.remove();
  });
  beforeEach(() => {
    isBroken = false;
    asked = [];
  });
  afterEach(() => disposables.splice(0).forEach((one) => one.dispose()));

  const addressesOf = (dialect: 'later' | 'seed') => server.said.providers.map((one) => one[dialect]);
  const settingsOf = (addresses: string[]) => Object.fromEntries(addresses.map((one) => [one, { token: server.said.token }]));
  const client = (addresses: string[]) => {
    const one = openClient({ providers: settingsOf(addresses) });
    disposables.push(one);
    return one;
  };

  it('says what it serves', () => {
    const { url, token, providers } = server.said;
    assert.deepEqual(providers, [
      { name: 'Notes in notes', later: `${url}/notes`, seed: `${url}/0.1/${token}/notes` },
      { name: 'issues', later: `${url}/provider/issues`, seed: `${url}/0.1/${token}/provider/issues` },
    ]);
  });

  it('says at its start what is wrong with a heading', () =>
    eventually(() => /The heading of .*broken\.md is ignored: path/.test(server.stderr()), 'the warning'));

  it('answers a client of OpenCtx 0.1, which sends neither settings nor headers', async () => {
    const [notes = '', provider = ''] = addressesOf('seed');
    for (const [address, title] of [
      [notes, 'Marks'],
      [provider, 'Issue 7'],
    ] as const) {
      const ask = async (method: string, params: object) =>
        (await (await fetch(address, { method: 'POST', body: JSON.stringify({ method, params }) })).json()) as unknown;
      assert.deepEqual(await ask('capabilities', {}), { result: {} });
      const { result } = (await ask('items', { uri, content })) as { result: { title: string }[] };
      assert.deepEqual(
        result.map((one) => one.title),
        [title],
      );
    }
    const one = openClient({ providers: { [notes]: true } });
    disposables.push(one);
    const { results, errors } = await one.items({ uri, content });
    assert.deepEqual([results.map(({ title }) => title), errors], [['Marks'], []]);
  });

  for (const dialect of ['seed', 'later'] as const)
    it(`gives the items of a file to our client, in the ${dialect} dialect`, async () => {
      const [notes = '', provider = ''] = addressesOf(dialect);
      const one = client([notes, provider]);
      const { results, errors } = await one.items({ uri, content });
      assert.deepEqual(errors, []);
      assert.deepEqual(
        results.map(({ provider: from, title, range, ai }) => [from, title, range, ai?.content]),
        [
          [notes, 'Marks', at(1, 3, 1, 7), '# Marks\n\nWho does it is in **parentheses**.'],
          [provider, 'Issue 7', at(1, 3, 1, 7), 'It is open.'],
        ],
      );
      assert.deepEqual(
        asked.map(({ tool, args }) => [tool, args]),
        [['openctx_items', { uri, content }]],
      );
      const { results: none } = await one.items({ uri: 'file:///work/a.py', content });
      assert.deepEqual(
        none.map(({ title }) => title),
        ['Issue 7'],
      );
    });

  it('gives what can be mentioned, and its items', async () => {
    const one = client(addressesOf('later'));
    const { results, errors } = await one.mentions({ query: 'release' });
    assert.deepEqual(errors, []);
    assert.deepEqual(
      results.map(({ title }) => title),
      ['How to release', 'Issue 7'],
    );
    for (const [at, text] of [
      [0, '# How to release\n\nAsk first.'],
      [1, 'It is open.'],
    ] as const) {
      const items = await one.items({ mention: results[at] ?? assert.fail() });
      assert.deepEqual(
        items.results.map(({ ai }) => ai?.content),
        [text],
      );
    }
  });

  it('gives the same to the published client', async () => {
    const published = createClient({
      configuration: async () => ({ enable: true, providers: settingsOf(addressesOf('later')) }),
      makeRange: (place: Range) => place,
      logger: () => undefined,
    });
    disposables.push(published);
    const annotations = await published.annotations({ uri, content });
    assert.deepEqual(
      annotations.map(({ item, range }) => [item.title, range]),
      [
        ['Marks', at(1, 3, 1, 7)],
        ['Issue 7', at(1, 3, 1, 7)],
      ],
    );
    const [mention] = await published.mentions({ query: 'how' });
    const [item] = await published.items({ mention: mention ?? assert.fail() });
    assert.equal(item?.ai?.content, '# How to release\n\nAsk first.');
  });

  it('says why a provider gives nothing, and gives what the others have', async () => {
    isBroken = true;
    const one = client(addressesOf('later'));
    const { results, errors } = await one.annotations({ uri, content });
    assert.deepEqual(
      results.map(({ item }) => item.title),
      ['Marks'],
    );
    assert.match(errors[0]?.message ?? '', /openctx_items has failed: .*the tracker is away/);
  });

  it('reads a body that does not say how long it is', async () => {
    const { url, token } = server.said;
    const ask = (...parts: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${token}`, 'Transfer-Encoding': 'chunked' };
        const sent = request(`${url}/notes`, { method: 'POST', headers, agent: false }, (response) => {
          resolve(response.statusCode);
          response.on('error', () => undefined).destroy();
        });
        sent.on('error', reject);
        for (const part of parts) sent.write(part);
        sent.end();
      });
    assert.equal(await ask('{"method":', '"meta"}'), 200);
    assert.equal(await ask(), 400);
    assert.equal(await ask('x'.repeat(8 * 1024 * 1024), 'x'), 413);
  });

  it('refuses who has no token, web pages, and what is no request', async () => {
    const { url, token } = server.said;
    const ask = async (
      path: string,
      body: unknown,
      headers: Record<string, string> = { Authorization: `Bearer ${token}` },
      method = 'POST',
    ) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body: text }) });
      const said = await response.text();
      return [response.status, said === '' ? undefined : ((JSON.parse(said) as { error?: { code: number } }).error?.code ?? 'result')];
    };
    const meta = { method: 'meta' };
    assert.deepEqual(await ask('/notes', meta), [200, 'result']);
    assert.deepEqual(await ask('/notes', { ...meta, settings: { token } }, {}), [200, 'result']);
    for (const settings of [{}, { token: 'wrong' }, { token: 3 }, [], 'text', null])
      assert.deepEqual(await ask('/notes', { ...meta, settings }, {}), [401, 401]);
    assert.deepEqual(await ask('/notes', { ...meta, settings: { token } }, { Authorization: 'Bearer wrong' }), [401, 401]);
    assert.deepEqual(await ask('/notes', { ...meta, settings: { token } }, { Origin: 'https://example.com' }), [403, undefined]);
    assert.deepEqual(await ask('/notes', '', {}, 'GET'), [405, 405]);
    for (const body of ['', 'no JSON', '[]', '"text"', 'null']) assert.deepEqual(await ask('/notes', body), [400, 400], body);
    assert.deepEqual(await ask('/notes', 'x'.repeat(9 * 1024 * 1024)), [413, 413]);
    const seed = { method: 'capabilities' };
    assert.deepEqual(await ask(`/0.1/${token}/notes`, seed, {}), [200, 'result']);
    for (const wrong of ['wrong', `${token}x`, token.slice(1), '%00', '%E0%A4%A'])
      for (const path of ['notes', 'provider/issues']) assert.deepEqual(await ask(`/0.1/${wrong}/${path}`, seed, {}), [401, 401], wrong);
    assert.deepEqual(await ask('/0.1/wrong/notes', seed), [401, 401], 'the address counts');
    assert.deepEqual(await ask('/0.1/provider/issues', seed), [200, 'result']);
    assert.deepEqual(await ask(`/0.1/${token}/notes`, meta, {}), [200, -32601]);
    assert.deepEqual(await ask(`/0.1/${token}/notes`, seed, { Origin: 'https://example.com' }), [403, undefined]);
    assert.deepEqual(await ask(`/${token}/notes`, meta, {}), [404, 404]);
    for (const path of ['/', '/note', '/provider/other', '/provider/', '/0.1', '/notes/x'])
      assert.deepEqual(await ask(path, meta), [404, 404], path);
    for (const [path, method, params, code] of [
      ['/notes', 'capabilities', {}, -32601],
      ['/notes', 'constructor', {}, -32601],
      ['/notes', '__proto__', {}, -32601],
      ['/0.1/notes', 'meta', {}, -32601],
      ['/0.1/notes', 'mentions', {}, -32601],
      ['/notes', 3, {}, -32600],
      ['/notes', 'annotations', { uri: 'no URI', content: '' }, -32602],
      ['/notes', 'annotations', { uri }, -32602],
      ['/notes', 'annotations', [], -32602],
      ['/notes', 'mentions', { query: 3 }, -32602],
      ['/notes', 'items', { mention: { uri } }, -32602],
      ['/0.1/notes', 'items', { mention: { title: '', uri } }, -32602],
      ['/notes', 'items', { mention: { title: '', uri: pathToFileURL(join(home.folder, 'notes', '..', 'x')).href } }, -32603],
    ] as const)
      assert.deepEqual(await ask(path, { method, params }), [200, code], JSON.stringify({ path, method, params }));
    assert.deepEqual(await ask('/notes', { method: 'items', params: { message: 'any' } }), [200, 'result']);
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${url}/notes`, { method: 'POST', headers: { Host: 'example.com' } }, ({ statusCode }) => resolve(statusCode));
      sent.on('error', reject);
      sent.end('{}');
    });
    assert.equal(rebound, 403);
    assert.ok(!server.stderr().includes(token));
  });

  it('keeps its token in a file, and says what is wrong with its options', async () => {
    const file = join(home.folder, 'token');
    const run = (...args: string[]) => startPrintingProcess<Said>('OpenCtx server', script, args, home.env);
    const args = ['--port', '0', '--notes', join(home.folder, 'notes'), '--token-file', file];
    const first = await run(...args);
    await first.stop();
    const second = await run(...args);
    await second.stop();
    assert.equal(second.said.token, first.said.token);
    await assert.rejects(run('--port', '0'), /There is nothing to serve/);
    await assert.rejects(run('--port', '0', '--notes', file), /There is no folder .*token/);
    await assert.rejects(run('--port', 'x', '--notes', '.'), /--port must be a whole number/);
    await assert.rejects(
      run('--port', new URL(server.said.url).port, '--notes', join(home.folder, 'notes')),
      /is in use by another program/,
    );
  });
});
