/** Providers that are JavaScript modules, in real workers, honest and not. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenCtxClient } from '../../../src/openctx/index.ts';
import { HttpProvider, openClient } from './openCtxProviders.ts';

const root = join(import.meta.dirname, '../../..');
const resource = { uri: 'file:///a.js', content: 'text' };
const HONEST = `export default { capabilities: () => ({}), items: (params, settings) => [{ title: JSON.stringify([params, settings]) }] };`;

/** Says at once what it can, and never anything of a document. */
async function startSlowServer() {
  const provider = await HttpProvider.start({ capabilities: () => ({}) });
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  provider.respond = (response, { method }) => (method === 'capabilities' ? response.end('{"result":{}}') : asked());
  return { url: provider.url, isAsked, close: () => provider.close() };
}

describe('OpenCtx providers that are modules', function () {
  let folder: string;
  const clients: OpenCtxClient[] = [];
  const put = (name: string, text: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const open = (...uris: string[]) => openWith({ providers: Object.fromEntries(uris.map((uri) => [uri, true])) });
  const openWith = (options: Parameters<typeof openClient>[0]) => {
    const client = openClient({ workspaceFolder: folder, ...options });
    clients.push(client);
    return client;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-openctx-'));
    writeFileSync(join(folder, 'package.json'), '{}');
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.dispose();
    rmSync(folder, { recursive: true });
  });

  it('are files by their path, by a path in the workspace and as file:, and packages of the workspace', async () => {
    const path = put('a.mjs', HONEST);
    put('b.js', `module.exports = { capabilities: async () => ({}), items: async () => [{ title: 'b' }] };`);
    put(
      'c.cjs',
      `exports.default = { capabilities() { return {}; }, items() { return [{ title: this === exports.default ? 'c' : 'lost' }]; } };`,
    );
    put('node_modules/@some/provider/package.json', '{"name":"@some/provider","main":"x.cjs"}');
    put('node_modules/@some/provider/x.cjs', `module.exports = { capabilities: () => ({}), items: () => [{ title: 'package' }] };`);
    const client = openWith({
      providers: { [path]: { a: 1 }, './b.js': true, [pathToFileURL(join(folder, 'c.cjs')).href]: true, '@some/provider': true },
    });
    const { results, errors } = await client.items(resource);
    assert.deepEqual(errors, []);
    assert.deepEqual(results.map(({ title }) => title).sort(), [JSON.stringify([resource, { a: 1 }]), 'b', 'c', 'package']);
  });

  it('do not run where the file has another content than was allowed', async () => {
    const path = put('a.mjs', HONEST);
    const digest = createHash('sha256').update(HONEST).digest('hex');
    const client = openWith({ providers: { [path]: true }, moduleDigests: { [path]: digest } });
    put('a.mjs', `${HONEST}\nimport('node:fs').then(({ writeFileSync }) => writeFileSync(${JSON.stringify(join(folder, 'mark'))}, ''));`);
    const { errors } = await client.items(resource);
    assert.match(errors[0]?.message ?? '', /its file has changed since it was allowed/);
    assert.equal(existsSync(join(folder, 'mark')), false);
    assert.equal(client.state(path)?.kind, 'failed');
    put('a.mjs', HONEST);
    const again = openWith({ providers: { [path]: true }, moduleDigests: { [path]: digest } });
    assert.equal((await again.items(resource)).results.length, 1);
    assert.deepEqual(again.state(path), { kind: 'works' });
  });

  for (const [name, honest] of [
    ['a.mjs', HONEST],
    ['a.cjs', `module.exports = { capabilities: () => ({}), items: () => [{ title: String(require('./helper.cjs').n) }] };`],
  ] as const)
    it(`run the content that was compared, however often the file changes meanwhile (${name})`, async () => {
      const mark = join(folder, 'mark');
      put('helper.cjs', 'exports.n = 7;');
      const path = put(name, honest);
      const marked = `${name === 'a.mjs' ? "import { writeFileSync } from 'node:fs';" : "const { writeFileSync } = require('node:fs');"}`;
      const texts = [honest, `${marked} writeFileSync(${JSON.stringify(mark)}, ''); ${honest}`];
      const swapping = `const { renameSync, writeFileSync } = require('node:fs'); const [, path, ...texts] = process.argv;
        for (;;) for (const text of texts) { writeFileSync(path + '.new', text); renameSync(path + '.new', path); }`;
      const swapper = spawn(process.execPath, ['-e', swapping, path, ...texts], { stdio: 'ignore' });
      const digest = createHash('sha256').update(honest).digest('hex');
      const outcomes = new Set<string>();
      try {
        for (let tries = 0; tries < 60 && (tries < 12 || outcomes.size < 2); tries++) {
          const client = openWith({ providers: { [path]: true }, moduleDigests: { [path]: digest } });
          const { results, errors } = await client.items(resource);
          outcomes.add(errors[0] ? 'refused' : 'ran');
          assert.match(errors[0]?.message ?? 'its file has changed', /its file has changed/);
          if (name === 'a.cjs' && results[0]) assert.equal(results[0].title, '7');
          assert.equal(existsSync(mark), false, 'what was not allowed has run');
          client.dispose();
        }
      } finally {
        swapper.kill('SIGKILL');
      }
      assert.deepEqual([...outcomes].sort(), ['ran', 'refused']);
    });

  it('have all of CommonJS where their content was compared, with data and a cache', async () => {
    put('data.json', '{"n":7}');
    put('helper.cjs', "exports.of = require('./a.cjs').early;");
    const text = `#!/usr/bin/env node
exports.early = 1; const found = [require('./data.json').n, require('./helper.cjs').of, __filename in require.cache, typeof require.resolve.paths];
exports.default = { capabilities: () => ({}), items: async () => [{ title: JSON.stringify([...found, typeof (await import('node:fs')).readFileSync]) }] };`;
    const path = put('a.cjs', text);
    const digest = createHash('sha256').update(text).digest('hex');
    const { results, errors } = await openWith({ providers: { [path]: true }, moduleDigests: { [path]: digest } }).items(resource);
    assert.deepEqual(errors, []);
    assert.equal(results[0]?.title, '[7,1,true,"function","function"]');
  });

  it('are not waited for when nobody wants the answer any more, which is no failure', async () => {
    const slow = put('slow.mjs', `export default { capabilities: () => ({}), items: () => new Promise(() => undefined) };`);
    const { url, ...server } = await startSlowServer();
    const asked: string[] = [];
    const client = openWith({ providers: { [slow]: true, [url]: true }, onDidAnswer: ({ provider }) => asked.push(provider) });
    const stop = new AbortController();
    const answers = client.annotations(resource, { signal: stop.signal });
    await server.isAsked;
    stop.abort();
    assert.deepEqual(
      (await answers).errors.map(({ message }) => message),
      ['The request was cancelled.', 'The request was cancelled.'],
    );
    assert.deepEqual([client.state(slow), client.state(url)], [{ kind: 'works' }, { kind: 'works' }]);
    assert.equal(asked.length, 2);
    server.close();
  });

  it('speak the later dialect too, and need not have every method', async () => {
    const path = put(
      'a.mjs',
      `export default { meta: () => ({ name: 'later', annotations: {} }), annotations: ({ uri }) => [{ uri, item: { title: 'x' } }] };`,
    );
    const client = open(path);
    assert.equal((await client.items(resource)).results[0]?.title, 'x');
    assert.match((await client.mentions({})).errors[0]?.message ?? '', /it has no mentions/);
  });

  it('are not run where modules may not', async () => {
    const path = put(
      'a.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'ran'))}, ''); ${HONEST}`,
    );
    const client = openWith({ providers: { [path]: true }, mayRunModules: false });
    assert.match((await client.items(resource)).errors[0]?.message ?? '', /is a program/);
    assert.ok(!existsSync(join(folder, 'ran')));
  });

  for (const [what, code, message] of [
    ['throws when it is loaded', 'throw new Error("at once")', /at once/],
    [
      'throws later, by itself',
      `setTimeout(() => { throw new Error('later') }); export default { capabilities: () => new Promise(() => {}) };`,
      /has failed: later/,
    ],
    ['throws when it is asked', `export default { capabilities() { throw new Error('asked') } };`, /asked/],
    ['loops', `export default { capabilities() { for (;;); } };`, /did not answer within 5 s/],
    ['never answers', `export default { capabilities: () => new Promise(() => {}) };`, /did not answer within 5 s/],
    ['ends the process', `export default { capabilities() { process.exit(3); } };`, /ended by itself, with code 3/],
    ['is no provider', `export const x = 1;`, /its default export is no provider/],
    ['has a fault of syntax', `export default {`, /Unexpected/],
    ['floods', `export default { capabilities: () => ({ x: 'x'.repeat(1e6) }) };`, /more than 50000 bytes/],
    [
      'eats the memory',
      `export default { capabilities() { const all = []; for (;;) all.push(new Array(1000).fill({})); } };`,
      /memory|did not answer/i,
    ],
    ['gives what is no JSON', `const x = {}; x.x = x; export default { capabilities: () => x };`, /no JSON/],
    [
      'posts messages of its own',
      `import { parentPort } from 'node:worker_threads';
for (const message of [null, undefined, 3, 'text', {}, { id: 'x' }, { id: 1, text: 3 }]) parentPort.postMessage(message);
export default { capabilities() { throw new Error('tried') } };`,
      /tried/,
    ],
    [
      'posts more than it may',
      `import { parentPort } from 'node:worker_threads';
for (let id = 0; id < 5; id++) parentPort.postMessage({ id, text: JSON.stringify({ result: 'x'.repeat(100_000) }) });
export default { capabilities: () => ({ x: 'x'.repeat(1e6) }) };`,
      /more than 50000 bytes/,
    ],
    [
      'pollutes Object.prototype',
      `Object.prototype.polluted = 1; export default { capabilities() { throw new Error('tried') } };`,
      /tried/,
    ],
  ] as const)
    it(`are one error beside an honest one: it ${what}`, async () => {
      const [good, bad] = [put('good.mjs', HONEST), put('bad.mjs', code)];
      const client = openWith({ providers: { [good]: true, [bad]: true }, limits: { timeoutMs: 5_000, maxBytes: 50_000 } });
      const { results, errors } = await client.items(resource);
      assert.deepEqual(
        results.map(({ provider }) => provider),
        [good],
      );
      assert.deepEqual(
        errors.map(({ provider }) => provider),
        [bad],
      );
      assert.match(errors[0]?.message ?? '', message);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });

  it('are started again after they have ended', async () => {
    const marker = join(folder, 'marker');
    const path = put(
      'a.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
export default { capabilities: () => ({}), items() { if (existsSync(${JSON.stringify(marker)})) return [{ title: 'back' }]; writeFileSync(${JSON.stringify(marker)}, ''); process.exit(1); } };`,
    );
    const client = open(path);
    assert.match((await client.items(resource)).errors[0]?.message ?? '', /ended by itself/);
    client.tryAgain(path);
    assert.equal((await client.items(resource)).results[0]?.title, 'back');
  });

  it('print nothing into the output of the program', async () => {
    const path = put('a.mjs', `console.log('SAID'); process.stdout.write('SAID'); ${HONEST}`);
    const write = process.stdout.write;
    let printed = '';
    process.stdout.write = (chunk: string | Uint8Array) => ((printed += String(chunk)), true);
    try {
      assert.equal((await open(path).items(resource)).results.length, 1);
    } finally {
      process.stdout.write = write;
    }
    assert.ok(!printed.includes('SAID'));
  });

  it('may be a published one: issues of Linear, from a stand-in of its service', async () => {
    const linear = await HttpProvider.start({});
    const issue = { identifier: 'TAP-1', title: 'Fix it', url: 'https://linear.app/tap/issue/TAP-1', description: 'It is broken' };
    const asked: string[] = [];
    linear.respond = (response, message) => {
      const { query } = message as unknown as { query: string };
      asked.push(query);
      const data = query.includes('IssueWithComment')
        ? { issue: { ...issue, comments: { nodes: [{ body: 'Me too' }] } } }
        : { viewer: { createdIssues: { nodes: [issue] }, assignedIssues: { nodes: [] } }, issueSearch: { nodes: [issue] } };
      response.end(JSON.stringify({ data }));
    };
    try {
      mkdirSync(join(folder, 'node_modules/@openctx'), { recursive: true });
      symlinkSync(
        join(root, 'node_modules/@openctx/provider-linear-issues'),
        join(folder, 'node_modules/@openctx/provider-linear-issues'),
        'dir',
      );
      // The provider is as it is published. Its requests go to the stand-in.
      const path = put(
        'linear.mjs',
        `const real = fetch; globalThis.fetch = (url, init) => real(String(url).replace('https://api.linear.app/', ${JSON.stringify(linear.url)}), init);
export { default } from '@openctx/provider-linear-issues';`,
      );
      const client = openWith({ providers: { [path]: { accessToken: '${secret:linear}' } }, findSecret: async () => 'lin_api_1' });
      const mentions = await client.mentions({ query: 'fix' });
      assert.deepEqual(mentions.errors, []);
      assert.deepEqual(
        mentions.results.map(({ title, uri }) => [title, uri]),
        [['TAP-1 Fix it', issue.url]],
      );
      const { results, errors } = await client.items({ mention: mentions.results[0] ?? assert.fail() });
      assert.deepEqual(errors, []);
      assert.match(results[0]?.ai?.content ?? '', /It is broken[^]*Me too/);
      assert.equal(linear.headers[0]?.['authorization'], 'lin_api_1');
      assert.equal(asked.length, 2);
    } finally {
      linear.close();
    }
  });
});
