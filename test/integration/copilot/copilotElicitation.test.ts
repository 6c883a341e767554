/** Questions of the user's MCP servers, with a real server and the real engine. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SessionInputAnswerValue, SessionInputRequest } from '../../../src/ahp/v1/inputRequest.ts';
import { processesWith, untilGone } from '../../support/processes.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost, type CopilotConversation } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

const server = fileURLToPath(new URL('../../fixtures/askingServer.mjs', import.meta.url));

describe('an MCP server of the user’s own', () => {
  const host = new CopilotHost();
  let client: V1Client;
  let talk: CopilotConversation;
  before(async () => {
    mkdirSync(host.home, { recursive: true });
    const asking = { type: 'local', command: process.execPath, args: [server, host.base], tools: ['*'] };
    writeFileSync(join(host.home, 'mcp-config.json'), JSON.stringify({ mcpServers: { asking } }));
    client = await host.start();
  });
  after(() => host.stop());
  beforeEach(async () => {
    talk = await host.session(client);
  });

  /** Lets the server ask that, and waits for the question. */
  const asked = async (request: object): Promise<{ turnId: string; request: SessionInputRequest }> => {
    host.model.reply([{ tool: 'asking-ask', args: { request } }], [{ text: 'Well.' }]);
    const turnId = await talk.send('Ask');
    await talk.decide('asking-ask', 'once');
    return { turnId, request: await talk.until('the question', ({ inputRequests }) => inputRequests?.[0]) };
  };
  const form = (properties: object, required: string[] = []) => ({
    message: 'Tell me',
    requestedSchema: { type: 'object', properties, required },
  });
  const accept = async ({ id }: SessionInputRequest, values: Record<string, SessionInputAnswerValue>): Promise<void> => {
    const answers = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { state: 'submitted' as const, value }]));
    await talk.dispatch({ type: 'session/inputCompleted', requestId: id, response: 'accept', answers });
  };
  /** What the server heard. */
  const heard = async (turnId: string): Promise<unknown> => {
    assert.equal((await talk.ended(turnId)).state, 'complete');
    const last = host.model.requests.at(-1)?.messages.at(-1);
    assert.equal(last?.role, 'tool');
    return JSON.parse(String(last.content));
  };

  it('is called with consent, and its questions become a form with its names, limits, choices and defaults', async () => {
    const { turnId, request } = await asked(
      form(
        {
          name: { type: 'string', title: 'Name', minLength: 2, maxLength: 20, default: 'Ann' },
          mail: { type: 'string', format: 'email', description: 'Where to write to' },
          count: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
          price: { type: 'number' },
          sure: { type: 'boolean', default: true },
          color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
          size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l', title: 'Large' }] }, // prettier-ignore
          tags: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b', 'c'] }, default: ['a'] },
        },
        ['name', 'count'],
      ),
    );
    assert.equal(request.message, 'asking asks: Tell me');
    assert.deepEqual(request.questions, [
      { kind: 'text', id: 'name', title: 'Name', message: 'Name', required: true, min: 2, max: 20, defaultValue: 'Ann' },
      { kind: 'text', id: 'mail', title: 'mail', message: 'Where to write to', required: false, format: 'email' },
      { kind: 'integer', id: 'count', title: 'count', message: 'count', required: true, min: 1, max: 9, defaultValue: 2 },
      { kind: 'number', id: 'price', title: 'price', message: 'price', required: false },
      { kind: 'boolean', id: 'sure', title: 'sure', message: 'sure', required: false, defaultValue: true },
      {
        kind: 'single-select',
        id: 'color',
        title: 'color',
        message: 'color',
        required: false,
        options: [
          { id: '0', label: 'Red' },
          { id: '1', label: 'Green', recommended: true },
        ],
      },
      {
        kind: 'single-select',
        id: 'size',
        title: 'size',
        message: 'size',
        required: false,
        options: [
          { id: '0', label: 'Small' },
          { id: '1', label: 'Large' },
        ],
      },
      {
        kind: 'multi-select',
        id: 'tags',
        title: 'tags',
        message: 'tags',
        required: false,
        options: [
          { id: '0', label: 'a', recommended: true },
          { id: '1', label: 'b' },
          { id: '2', label: 'c' },
        ],
        min: 1,
        max: 2,
      },
    ]);
    assert.deepEqual(request.answers, {
      color: { state: 'draft', value: { kind: 'selected', value: '1' } },
      tags: { state: 'draft', value: { kind: 'selected-many', value: ['0'] } },
    });
    await accept(request, {
      name: { kind: 'text', value: 'Bob' },
      count: { kind: 'number', value: 3 },
      sure: { kind: 'boolean', value: false },
      size: { kind: 'selected', value: '1' },
      tags: { kind: 'selected-many', value: ['1', '2'] },
    });
    // What was not answered is left out, also where a draft stood: the user did not send it.
    assert.deepEqual(await heard(turnId), {
      action: 'accept',
      content: { name: 'Bob', count: 3, sure: false, size: 'l', tags: ['b', 'c'] },
    });
  });

  it('gets no answers that break its form', async () => {
    const { turnId, request } = await asked(form({ count: { type: 'integer', minimum: 1 } }, ['count']));
    const complete = (value: number) => accept(request, { count: { kind: 'number', value } });
    await assert.rejects(complete(0), /at least 1/);
    await assert.rejects(accept(request, {}), /no submitted answer/);
    await complete(1);
    assert.deepEqual(await heard(turnId), { action: 'accept', content: { count: 1 } });
  });

  for (const response of ['decline', 'cancel'] as const)
    it(`hears that the user chose to ${response}`, async () => {
      const { turnId, request } = await asked(form({ name: { type: 'string' } }));
      await talk.dispatch({ type: 'session/inputCompleted', requestId: request.id, response });
      assert.deepEqual(await heard(turnId), { action: response });
    });

  it('may show a page, whole and to be opened by the user', async () => {
    const url = 'https://pages.example/pay?order=1';
    const { turnId, request } = await asked({ mode: 'url', message: 'Pay there', url, elicitationId: 'e1' });
    assert.deepEqual([request.message, request.url, request.questions], ['asking asks: Pay there', url, undefined]);
    await accept(request, {});
    assert.deepEqual(await heard(turnId), { action: 'accept' });
  });

  it('cannot open other addresses than pages, and the user is told', async () => {
    const request = { mode: 'url', message: 'Look', url: 'vscode://x/y', elicitationId: 'e1' };
    host.model.reply([{ tool: 'asking-ask', args: { request } }], [{ text: 'Well.' }]);
    const turnId = await talk.send('Ask');
    await talk.decide('asking-ask', 'once');
    assert.deepEqual(await heard(turnId), { action: 'cancel' });
    assert.match(textOf(await talk.ended(turnId)), /asking was not answered: the page to open has no http or https address/);
  });

  it('does not keep a cancelled turn, and is asked again in the next', async () => {
    const { turnId } = await asked(form({ name: { type: 'string' } }));
    await talk.cancel(turnId);
    assert.equal(talk.state.inputRequests, undefined);
    host.model.clear();
    const again = await asked(form({ name: { type: 'string' } }));
    await accept(again.request, { name: { kind: 'text', value: 'Bob' } });
    assert.deepEqual(await heard(again.turnId), { action: 'accept', content: { name: 'Bob' } });
  });

  it('is none that a repository names', async () => {
    const repository = join(host.base, 'repository');
    const mark = join(host.base, 'started');
    const names = ['.mcp.json', 'mcp.json', 'mcp-config.json', '.vscode/mcp.json', '.github/mcp.json', '.copilot/mcp-config.json'];
    const config = { command: 'touch', args: [mark], tools: ['*'] };
    for (const name of names) {
      mkdirSync(dirname(join(repository, name)), { recursive: true });
      writeFileSync(join(repository, name), JSON.stringify({ mcpServers: { x: config }, servers: { x: config } }));
    }
    const other = await host.session(client, { workingDirectory: pathToFileURL(repository).href });
    await other.say('Hello');
    const tools = (host.model.requests.at(-1)?.tools ?? []).map((tool) => tool.function.name);
    assert.ok(tools.includes('asking-ask') && !tools.some((name) => name.startsWith('x-')), String(tools));
    assert.equal(existsSync(mark), false);
  });

  it('takes its question back and ends when the engine dies', async () => {
    const { turnId } = await asked(form({ name: { type: 'string' } }));
    const servers = processesWith(host.base).filter((pid) => pid !== host.agent.enginePid);
    assert.ok(servers.length > 0);
    const pid = host.agent.enginePid!;
    process.kill(pid, 'SIGKILL');
    const turn = await talk.ended(turnId);
    assert.equal(turn.error?.errorType, 'EngineDied');
    assert.equal(talk.state.inputRequests, undefined);
    await untilGone(pid, ...servers);
    host.model.clear();
  });
});

describe('MCP servers of the user’s own that are missing', () => {
  for (const [what, config, problems] of [
    [
      'because they do not start',
      JSON.stringify({ mcpServers: { broken: { command: '/nowhere/x' }, dead: { command: 'false' } } }),
      [/The MCP server `broken` is not there: failed to spawn/, /The MCP server `dead` is not there: [^*]*exited/],
    ],
    [
      'because their file is damaged',
      '{ not json',
      [/Your MCP servers are not there: \[`[^`]*mcp-config\.json`\]\(<file:[^>]*>\) cannot be read/],
    ],
    ['because they have another name', '{ "servers": {} }', [/called “mcpServers”\. Rename “servers” in it\./]],
  ] as const)
    it(`${what} are told once, and the session works`, async () => {
      const host = new CopilotHost();
      try {
        mkdirSync(host.home, { recursive: true });
        writeFileSync(join(host.home, 'mcp-config.json'), config);
        const talk = await host.session(await host.start());
        host.model.reply([{ text: 'One.' }], [{ text: 'Two.' }]);
        const text = textOf(await talk.say('one'));
        for (const problem of problems) {
          assert.match(text, problem);
          assert.equal(text.split(problem).length, 2, text);
        }
        assert.match(text, /One\.$/);
        assert.equal(textOf(await talk.say('two')), 'Two.');
      } finally {
        await host.stop();
      }
    });
});

describe('the file of the user’s MCP servers', () => {
  it('is read again for the next turn of an open session when it has changed', async () => {
    const host = new CopilotHost();
    try {
      mkdirSync(host.home, { recursive: true });
      const talk = await host.session(await host.start());
      const toolNames = () => host.model.requests.at(-1)?.tools?.map(({ function: { name } }) => name) ?? [];
      await talk.say('one');
      assert.ok(!toolNames().includes('asking-ask'));
      const asking = { type: 'local', command: process.execPath, args: [server, host.base], tools: ['*'] };
      writeFileSync(join(host.home, 'mcp-config.json'), JSON.stringify({ mcpServers: { asking } }));
      await talk.say('two');
      assert.ok(toolNames().includes('asking-ask'));
      assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /one/, 'the conversation goes on');
      writeFileSync(join(host.home, 'mcp-config.json'), JSON.stringify({ mcpServers: {} }));
      await talk.say('three');
      assert.ok(!toolNames().includes('asking-ask'));
    } finally {
      await host.stop();
    }
  });
});
