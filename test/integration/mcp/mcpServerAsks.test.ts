/** What an MCP server of the user may ask of Tapline, and what it has to say beside its results. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClientCapabilities, type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { McpClient, mcpScript, MCP_WAIT_MS, textOf } from '../../support/mcpServers.ts';
import { Program } from '../../support/programs.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';

const server = { command: process.execPath, args: [join(import.meta.dirname, '../../support/askingMcpServer.mjs')], roots: true };

describe('an MCP server of the user', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let session: OwnedSession;
  let program: Program;
  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    owner = await TestOwner.of(gateway);
    session = owner.client.addSession({ sessionId: 'a', label: 'a', cwd: join(home.folder, 'a b') });
    mkdirSync(home.env.TAPLINE_HOME, { recursive: true });
    writeFileSync(join(home.env.TAPLINE_HOME, 'mcp.json'), JSON.stringify({ mcpServers: { asking: server } }));
    const env = { ...process.env, ...home.env, TAP_PROVIDER_TOKEN: '' };
    program = new Program(spawn(process.execPath, [mcpScript, 'provider'], { stdio: ['ignore', 'pipe', 'pipe'], env }));
    await owner.next('tools/changed', ({ tools }) => tools.some(({ name }) => name === 'roots'), MCP_WAIT_MS);
  });
  after(async () => {
    owner.dispose();
    program.child.kill('SIGTERM');
    assert.equal(await program.ended(), 0, program.output);
    await gateway.stop('SIGKILL');
    home.remove();
  });

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const outcome = await session.call(name, args);
    return outcome.ok ? (JSON.parse('data' in outcome ? String(outcome.data) : '') as unknown) : outcome.error;
  };
  const root = (name: string) => ({ uri: pathToFileURL(join(home.folder, name)).href, name });

  it('gets the folders of the sessions that have its tools, and hears of changes', async () => {
    const [one, both] = [[root('a b')], [root('a b'), root('b')]];
    assert.deepEqual(await call('roots'), one);
    const next = call('other_roots', { than: one });
    const other = owner.client.addSession({ sessionId: 'b', label: 'b', cwd: join(home.folder, 'b') });
    assert.deepEqual(await next, both);
    const after = call('other_roots', { than: both });
    await other.end();
    assert.deepEqual(await after, one);
  });

  it('writes its log beside its output, line by line and without control characters', async () => {
    await call('log', { data: 'disk\u001b[31m is\nfull' });
    await call('log', { data: { left: 0 } });
    await call('log', { data: 'x'.repeat(100_000) });
    const lines = readFileSync(join(home.env.TAPLINE_HOME, 'mcp-asking.log'), 'utf8').split('\n');
    assert.ok(lines.includes('[warning] the logger: disk [31m is full'), lines.join('\n'));
    assert.ok(lines.includes('[warning] the logger: {"left":0}'));
    assert.ok(lines.every(({ length }) => length < 2_100));
  });

  describe('that asks the user', () => {
    const clients: McpClient[] = [];
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });
    /** Its user answers everything so. */
    const connect = async (elicitation: ClientCapabilities['elicitation'], answer: ElicitResult) => {
      const client = await McpClient.overStdio(home, [], { elicitation });
      clients.push(client);
      const questions: ElicitRequest['params'][] = [];
      if (elicitation)
        client.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          questions.push(params);
          return answer;
        });
      await client.untilTools((names) => names.includes('ask'));
      return { client, questions };
    };
    const resultOf = async (client: McpClient, name: string, args = {}) => JSON.parse(textOf(await client.call(name, args))) as unknown;

    it('has a form shown to the user of the session, with who asks, and gets what they fill in, with defaults for the rest', async () => {
      const { client, questions } = await connect({ form: {} }, { action: 'accept', content: { name: 'Ada' } });
      assert.deepEqual(await resultOf(client, 'ask'), { action: 'accept', content: { name: 'Ada', age: 30 } });
      const [question] = questions;
      assert.equal(question?.message, 'The tool “ask” of the provider “asking” asks:\n\nWho?');
      assert.ok(question && 'requestedSchema' in question);
      assert.deepEqual(question.requestedSchema.required, ['name']);
    });

    it('has an address shown before it is opened, and none that is no page', async () => {
      const { client, questions } = await connect({ url: {} }, { action: 'accept' });
      assert.deepEqual(await resultOf(client, 'open', { url: 'https://sign-in.example/' }), { action: 'accept' });
      const [question] = questions;
      assert.ok(question && 'url' in question && question.url === 'https://sign-in.example/');
      assert.deepEqual(await resultOf(client, 'open', { url: 'file:///etc/passwd' }), { action: 'decline' });
      assert.deepEqual(await resultOf(client, 'ask'), { action: 'decline' }, 'the client has no forms');
      assert.equal(questions.length, 1);
    });

    it('lets the client know that the call waits for its user, with progress', async () => {
      const { client } = await connect({ form: {} }, { action: 'decline' });
      const progress: (string | undefined)[] = [];
      await client.call('ask', {}, { timeout: MCP_WAIT_MS, onprogress: ({ message }) => progress.push(message) });
      assert.deepEqual(progress, ['Waits for an answer of the user']);
    });

    it('gets the no of the user', async () => {
      for (const action of ['decline', 'cancel'] as const) {
        const { client } = await connect({ form: {} }, { action });
        assert.deepEqual(await resultOf(client, 'ask'), { action });
      }
    });

    it('is declined where there is nobody to ask: a client that cannot, and an agent host', async () => {
      const { client } = await connect(undefined, { action: 'accept' });
      assert.deepEqual(await resultOf(client, 'ask'), { action: 'decline' });
      assert.deepEqual(await call('ask'), { action: 'decline' });
    });

    it('is declined while it works for several sessions, because it does not say for which it asks', async () => {
      const { client, questions } = await connect({ form: {} }, { action: 'accept', content: { name: 'Ada' } });
      const other = call('hang');
      await owner.client.request('diagnostics', {}); // the call is at the gateway
      assert.deepEqual(await resultOf(client, 'ask'), { action: 'decline' });
      assert.deepEqual(questions, []);
      assert.equal(await call('release'), 'released');
      await other;
      assert.deepEqual(await resultOf(client, 'ask'), { action: 'accept', content: { name: 'Ada', age: 30 } });
    });

    // The last one: for the time that a call may take, the server might still ask for the one that was cut off here.
    it('is declined where it asks for a call that was cancelled, while another one runs', async () => {
      const { client, questions } = await connect({ form: {} }, { action: 'accept', content: { name: 'Ada' } });
      const cut = new AbortController();
      const late = client.call('late', {}, { signal: cut.signal });
      await client.call('capabilities'); // the server has the call before
      cut.abort();
      await assert.rejects(late);
      assert.deepEqual(await resultOf(client, 'release_late'), { action: 'decline' });
      assert.deepEqual(questions, []);
    });
  });

  it('is told what it cannot ask for, and why', async () => {
    assert.deepEqual(await call('capabilities'), {
      roots: { listChanged: true },
      elicitation: { form: { applyDefaults: true }, url: {} },
    });
    assert.match(String(await call('sample')), /lets no server use a model/);
  });
});
