/** What our documents tell users to type is run as it stands there, in a home of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { readTapConfig } from '../../../src/tap/owner/config/tapConfig.ts';
import { createProvider, FileResult, ToolError } from '../../../src/tap/provider/providerNode.ts';
import type { OfferedTool, ToolOutcome } from '../../../src/tap/wire/owner/ownerMessages.ts';
import { GithubStandIn, STAND_IN_TOKEN } from '../../fakes/githubStandIn.ts';
import { TestGateway } from '../gateway/gatewayHarness.ts';
import { type CodeBlock, codeBlocksOf, COMMAND_MS, FreshHome, root } from './documented.ts';

const files = [
  'README.md',
  ...['install', 'hosts', 'models', 'portal', 'gateway', 'library', 'tools'].map((name) => `docs/${name}.md`),
  'docs/provider-sdk.md',
  'examples/providers/README.md',
  'examples/owners/README.md',
  'docs/gateway-owner-link.md',
];
const blocks = files.flatMap(codeBlocksOf);
/** Those that no test here runs, and what does. */
const elsewhere = new Map([
  ['sh: npm ci && npm start', 'test/e2e/start.test.ts, without the installation'],
  ['sh: npm ci && npm run package', 'test/e2e, which installs the package'],
  ['sh: npm ci && npm test', 'this run'],
  ['sh: ollama pull', 'test/integration/portal/portalExample.test.ts, with a scripted model'],
  ['sh: npm run -s tapline -- job Overnight', 'test/integration/portal/portalExample.test.ts, with a scripted model'],
  ['text: /loop 2s npm test', 'test/e2e/keepAnEye.test.ts, which types it'],
  ['python: import random', 'test/integration/gateway/gatewayPython.test.ts'],
  ['sh: python3 -m venv', 'test/integration/gateway/gatewayOwnExamples.test.ts, with a Python that has the package'],
]);
const isElsewhere = ({ name }: CodeBlock) => [...elsewhere.keys()].some((begin) => name.startsWith(begin));
const taken = new Set<CodeBlock>();

const BUILD = 'npm ci && npm run build\n';
/** The block of the file that begins so. */
function block(file: string, name: string): string {
  const found = blocks.filter((one) => one.file === file && one.name.startsWith(name));
  assert.equal(found.length, 1, `${file} has one block “${name}”`);
  taken.add(found[0] as CodeBlock);
  return (found[0] as CodeBlock).text;
}
const EXAMPLES = 'examples/providers/README.md';
const exampleOf = (command: string) => block(EXAMPLES, `sh: npm ci && npm run build ${command}`);
const pageOf = (page: string) =>
  exampleOf(`python3 -m http.server 8088 --bind 127.0.0.1 # open http://127.0.0.1:8088/examples/providers/${page}`);
const texts = {
  keptHost: block('docs/hosts.md', 'sh: npm run host -- --port 8081'),
  talk: block('docs/library.md', 'js: import { randomUUID }'),
  host: block('docs/hosts.md', 'sh: npm run host -- --port 0'),
  install: block('docs/library.md', 'sh: npm ci && npm run build'),
  gateway: block('docs/gateway.md', 'sh: npm run gateway -- --port 9400'),
  owner: block('examples/owners/README.md', 'sh: node examples/owners/node.mjs'),
  dice: block('README.md', "js: import { createProvider } from 'tapline/provider'"),
  diceByStep: block('docs/tools.md', "js: import { createProvider } from 'tapline/provider'"),
  weather: block('docs/provider-sdk.md', 'js: import { createProvider, ToolError }'),
  ownGateway: block('examples/owners/README.md', 'sh: npm ci npm run gateway'),
  provider: exampleOf('node examples/providers/node.mjs'),
  ownProvider: block('examples/owners/README.md', 'sh: node examples/providers/node.mjs'),
  typed: block('examples/owners/README.md', 'text: example_greet'),
  portal: block('docs/portal.md', 'sh: npm run portal -- --port 0 --agent demo'),
  overnight: block('docs/portal.md', 'sh: git diff HEAD~1'),
  mcp: codeBlocksOf('docs/mcp.md')[0]?.text ?? '',
  page: pageOf('browser.html'),
  tablePage: pageOf('recipes/table.html'),
  github: exampleOf('GITHUB_TOKEN=$(gh auth token) node examples/providers/recipes/github.mjs'),
  ciReview: exampleOf('GITHUB_TOKEN=$(gh auth token) node examples/providers/recipes/ciReview.mjs'),
  sarifTriage: exampleOf('node examples/providers/recipes/sarifTriage.mjs'),
  tapConfig: block('docs/gateway-owner-link.md', 'json: { "providers": [{ "name": "ci"'),
  tool: block('docs/gateway-owner-link.md', 'json: { "name": "example_greet"'),
  outcomes: block('docs/gateway-owner-link.md', 'json: ['),
  streams: block('docs/gateway-owner-link.md', 'json: { "streams"'),
  prompt: block('docs/gateway-owner-link.md', 'json: { "sections"'),
};
/** A gateway and a page have fixed ports in the documents. Tests take free ones. */
const onFreePort = (command: string) => command.replace(/(--port|http\.server) \d+/, '$1 0');

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'ts' ? undefined : member)));

describe('what the documents tell users to type', function () {
  this.timeout(4 * COMMAND_MS);
  let home: FreshHome;
  beforeEach(() => (home = new FreshHome()));
  afterEach(() => home.dispose());

  const startGateway = async (command = 'npm run gateway') => {
    const gateway = home.run(`${onFreePort(command.trim())} ${/--port/.test(command) ? '' : '-- --port 0'}`);
    return gateway.address<{ url: string }>();
  };
  /** A folder of a user's project, which has the package. */
  const project = () => {
    const folder = join(home.folder, 'project');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules/tapline'), 'dir');
    return folder;
  };

  it('runs an agent host that keeps its port, its token and its sessions, and a program that talks to it', async () => {
    const command = texts.keptHost.replaceAll('./data', join(home.folder, 'data'));
    const host = home.run(onFreePort(command));
    const { url, token } = await host.address<{ url: string; token: string }>();
    assert.equal(readFileSync(join(home.folder, 'data/host-token'), 'utf8').trim(), token);
    const program = join(project(), 'talk.mjs');
    writeFileSync(program, texts.talk.replace('ws://127.0.0.1:8081', url));
    const talk = home.run(`node talk.mjs ${join(home.folder, 'data/host-token')}`, join(home.folder, 'project'));
    await talk.says(/I am the \*\*demo agent\*\*/);
    assert.equal(await talk.ended(), 0);
    assert.ok(existsSync(join(home.folder, 'data/host')));
  });

  it('runs an agent host that AHP clients reach with its token', async () => {
    const { url, token } = await home.run(texts.host).address<{ url: string; token: string }>();
    const client = await AgentHostClient.connect({ url, token });
    assert.equal(client.state.kind, 'connected');
    client.close();
  });

  it('packs the library for other projects', () => {
    const command = texts.install;
    assert.match(command, /^npm install --install-links /m);
    const [{ files: packed }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8' }));
    const { exports: entries, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const wanted = Object.values({ ...entries, ...bin }).flatMap((entry) =>
      typeof entry === 'string' ? entry : Object.values(entry as object),
    );
    const paths = (packed as { path: string }[]).map(({ path }) => `./${path}`);
    assert.deepEqual(
      wanted.filter((path) => !paths.includes(path as string)),
      [],
    );
  });

  it('lends the die of the README to every session, called with the example owner', async () => {
    assert.equal(texts.diceByStep, texts.dice);
    await startGateway(texts.gateway);
    const status = home.run('npm run gateway -- status');
    await status.says(/Sessions \(0\)\s+Providers wait: open a session/);
    const owner = home.run(texts.owner);
    await owner.says(/There are no tools: start a provider/);
    writeFileSync(join(project(), 'dice.mjs'), texts.dice);
    home.run('node dice.mjs', join(home.folder, 'project'));
    await owner.says(/Tools: roll \(dice\)/);
    owner.type('roll {"sides": 6}');
    await owner.says(/"It shows [1-6]\."/);
    const second = home.run(texts.owner);
    await second.says(/Tools: roll \(dice\)/);
    second.type('roll {"sides": 6}');
    await second.says(/"It shows [1-6]\."/);
  });

  it('lends the weather of the SDK’s page until it is stopped', async () => {
    await startGateway();
    const owner = home.run('node examples/owners/node.mjs');
    await owner.says(/no tools/);
    writeFileSync(join(project(), 'weather.mjs'), texts.weather);
    const weather = home.run('node weather.mjs', join(home.folder, 'project'));
    await owner.says(/weather says: The weather station is here/);
    await owner.says(/Tools: weather_now \(weather\), weather_warnings \(weather\)/);
    owner.type('weather_now {"place": 7}');
    await owner.says(/INVALID_ARGUMENTS/);
    await weather.interrupt();
    await owner.says(/weather_warnings \(weather\)\n(?:.*\n)*There are no tools/);
  });

  it('runs the example owner and the example provider together', async () => {
    assert.equal(texts.ownGateway, 'npm ci\nnpm run gateway\n');
    await startGateway();
    const provider = home.run(texts.provider.replace(BUILD, ''));
    await provider.says(/waiting for a session: open one in VS Code with Tapline, or run Tapline's examples\/owners\/node.mjs/);
    const owner = home.run('node examples/owners/node.mjs');
    await owner.says(/Tools: example_greet \(example\), example_count \(example\)/);
    assert.equal(texts.ownProvider, 'node examples/providers/node.mjs\n');
    owner.type(texts.typed.trim());
    await owner.says(/"Hello, Ada!"/);
    await provider.says(/bound: lends example_greet, example_count to all sessions/);
    await owner.interrupt();
    const next = home.run('node examples/owners/node.mjs');
    await next.says(/Tools: example_greet \(example\), example_count \(example\)/);
    await provider.says(/lends its tools to “.+” too/);
  });

  it('runs the portal, whose client lists its sessions', async () => {
    const portal = home.run(texts.portal);
    const { page, url, token } = await portal.address<{ page: string; url: string; token: string }>();
    assert.match(await (await fetch(page)).text(), /<title>/);
    const list = await fetch(`${url}/api/copilot/job`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    assert.ok(list.ok);
    const ps = home.run('npm run -s tapline -- ps');
    assert.equal(await ps.ended(), 0);
  });

  it('makes the files that the overnight jobs read', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: home.folder });
    git('init', '-q');
    for (const text of ['one', 'two']) {
      writeFileSync(join(home.folder, 'file.txt'), `${text}\n`);
      git('add', 'file.txt');
      git('commit', '-qm', text);
    }
    assert.equal(await home.run(texts.overnight, home.folder).ended(), 0);
    assert.match(readFileSync(join(home.folder, 'changes.diff'), 'utf8'), /^-one\n\+two$/m);
    assert.match(readFileSync(join(home.folder, 'commits.txt'), 'utf8'), /two\n.*one/);
  });

  it('gives MCP clients the tools of the gateway', async () => {
    const { mcpServers } = JSON.parse(texts.mcp);
    const { command, args } = mcpServers.tapline as { command: string; args: string[] };
    await startGateway();
    const env = {
      HOME: home.folder,
      PATH: process.env.PATH ?? '',
      TAPLINE_HOME: join(home.folder, '.tapline'),
      COPILOT_HOME: join(home.folder, '.copilot'),
    };
    const transport = new StdioClientTransport({ command, args: args.map((arg) => arg.replace('/path/to/tapline', root)), env });
    const client = new Client({ name: 'documented', version: '1' });
    try {
      await client.connect(transport);
      assert.ok((await client.listTools()).tools.length > 0);
    } finally {
      await client.close();
    }
  });

  for (const { text, shows } of [
    { text: texts.page, shows: /Gateway <input id="gateway"/ },
    { text: texts.tablePage, shows: /Lend this table/ },
  ])
    it(`serves the example page with “${shows.source}”`, async function () {
      try {
        execFileSync('python3', ['--version']);
      } catch {
        this.skip();
      }
      const command = onFreePort(text.replace(BUILD, ''));
      const server = home.run(command.replace('python3 ', 'python3 -u '));
      const port = await server.says(/port (\d+)/);
      const address = new URL(/# open (\S+)/.exec(command)?.[1] ?? '');
      address.port = port;
      assert.match(await (await fetch(address)).text(), shows);
      const script = await fetch(`http://127.0.0.1:${port}/dist/lib/providerBrowser.js`);
      // Its body is read, so that no connection is open when the server ends.
      assert.match(await script.text(), /export/);
      assert.ok(script.ok);
    });

  describe('the recipes', () => {
    let github: GithubStandIn;
    beforeEach(async () => {
      github = new GithubStandIn();
      await github.start();
      await startGateway();
    });
    afterEach(() => github.stop());
    /** As a user who has signed in with `gh`, and has put in the names. */
    const typed = (command: string) => {
      const { GITHUB_API_URL } = github.env;
      const filled = command.replace(BUILD, '').replace('OWNER/REPOSITORY', github.repository).replace('BRANCH', 'main');
      return home.run(
        `export GITHUB_API_URL=${GITHUB_API_URL}; gh() { echo ${STAND_IN_TOKEN}; }\n${filled.replace('FOLDER', home.folder)}`,
      );
    };
    const ownerWith = async (tools: RegExp) => {
      const owner = home.run('node examples/owners/node.mjs');
      await owner.says(tools);
      return owner;
    };

    it('reads issues at GitHub', async () => {
      github.addIssue('It is too hot');
      typed(texts.github);
      const owner = await ownerWith(/Tools: github_list \(github\)/);
      owner.type('github_list {"what": "issues"}');
      await owner.says(/"title":"It is too hot"/);
    });

    it('reviews CI', async () => {
      typed(texts.ciReview);
      const owner = await ownerWith(/Tools: ci_runs \(ci\)/);
      owner.type('ci_runs');
      await owner.says(/^\[\]$/m);
    });

    it('sorts findings', async () => {
      const result = { ruleId: 'too-hot', message: { text: 'It is too hot' } };
      writeFileSync(join(home.folder, 'results.sarif'), JSON.stringify({ runs: [{ tool: { driver: {} }, results: [result] }] }));
      const sarif = typed(texts.sarifTriage);
      await sarif.says(/results\.sarif: 1 new, 0 gone, 1 of 1 findings are open/);
      const owner = await ownerWith(/Tools: sarif_findings \(sarif\)/);
      owner.type('sarif_findings');
      await owner.says(/"rule":"too-hot"/);
    });
  });

  it('shows the owner link’s shapes as a real gateway sends them', async () => {
    writeFileSync(join(home.folder, 'tap.config.json'), texts.tapConfig);
    assert.equal((await readTapConfig(home.folder))?.providers[0]?.name, 'ci');

    const tool = JSON.parse(texts.tool) as OfferedTool;
    const [answered, file, failed] = JSON.parse(texts.outcomes) as [ToolOutcome, ToolOutcome, ToolOutcome];
    const gateway = new TestGateway();
    await gateway.start();
    const owner = await gateway.owner();
    const session = await owner.session('a');
    const options = { url: gateway.server.url, token: gateway.server.gateway.grants.fileToken };
    const example = createProvider('example', {
      ...options,
      tools: [{ name: tool.name, description: tool.description, parameters: tool.parameters }],
      onToolCall({ args }) {
        if (args.name === 'Ada') return 'Hello, Ada!';
        if (args.name === 'file') return picture();
        throw new ToolError('NOT_FOUND', 'no weather of Atlantis');
      },
    });
    const picture = () => {
      assert.ok(example.state.kind === 'bound' && example.state.persistDir);
      const path = join(example.state.persistDir, 'picture.png');
      writeFileSync(path, Buffer.from([0, 1, 2]));
      return new FileResult({ path, mimeType: 'image/png', size: 3, ttl: 60 });
    };
    const weather = createProvider('weather', {
      ...options,
      context: 'It rains in Oslo.',
      hooks: { transforms: { guidelines: { action: 'append', content: 'Metric units.' } } },
    });
    try {
      const { tools } = await owner.next('tools/changed', ({ tools: now }) => now.some(({ provider }) => provider === 'example'));
      assert.deepEqual(
        tools.find(({ name }) => name === tool.name),
        tool,
      );
      assert.deepEqual(await session.call(tool.name, { name: 'Ada' }), answered);
      assert.deepEqual(await session.call(tool.name, { name: 'file' }), file);
      assert.deepEqual(await session.call(tool.name, { name: 'x' }), failed);
      example.push({ level: 'surface', event: 'stopped at 3 of 10' });
      await owner.next('push/surfaced');
      const { streams } = await owner.client.request('stream/query', { sessionId: 'a' });
      assert.deepEqual(withoutTimes({ streams }), withoutTimes(JSON.parse(texts.streams)));
      await owner.next('consent/asked', ({ provider }) => provider === 'weather');
      await owner.client.request('consent/answer', { provider: 'weather', allow: true });
      const prompt = await owner.client.request('transforms/evaluate', { sessionId: 'a', sections: { guidelines: 'Be brief.' } });
      assert.deepEqual(prompt, JSON.parse(texts.prompt));
    } finally {
      for (const provider of [example, weather]) provider.close();
      await gateway.stop();
    }
  });

  it('all, here or elsewhere', () => {
    const left = blocks.filter((one) => !taken.has(one) && !isElsewhere(one));
    assert.deepEqual(
      left.map(({ file, name }) => `${file}: ${name}`),
      [],
    );
  });
});
