/** An MCP server of the user, as an MCP client gets it from Tapline: through the provider, a real gateway and Tapline's server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { resultOf } from '../../../src/extension/bridge/session/callResult.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { McpClient, mcpScript, MCP_WAIT_MS, startHttpMcp, textOf } from '../../support/mcpServers.ts';
import { Program } from '../../support/programs.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';

const richServer = join(import.meta.dirname, '../../support/richMcpServer.mjs');

describe('an MCP server through Tapline', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let program: Program;
  let client: McpClient;
  /** The same server without Tapline between. */
  let direct: Client;
  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    mkdirSync(home.env.TAPLINE_HOME, { recursive: true });
    const server = { command: process.execPath, args: [richServer] };
    writeFileSync(join(home.env.TAPLINE_HOME, 'mcp.json'), JSON.stringify({ mcpServers: { rich: server } }));
    program = new Program(
      spawn(process.execPath, [mcpScript, 'provider'], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...home.env } }),
    );
    direct = new Client({ name: 'direct', version: '1.0.0' });
    await direct.connect(new StdioClientTransport(server), { timeout: MCP_WAIT_MS });
    client = await McpClient.overStdio(home);
    await client.untilTools((names) => names.includes('kinds'));
  });
  after(async () => {
    await client.close();
    await direct.close();
    program.child.kill('SIGTERM');
    assert.equal(await program.ended(), 0, program.output);
    await endDaemons(home.lockFile);
    await gateway.stop('SIGKILL');
    home.remove();
  });

  for (const name of ['kinds', 'text_and_image', 'structured', 'structured_alone'])
    it(`answers with the same parts in the same order: ${name}`, async () => {
      assert.deepEqual(await client.call(name), await direct.callTool({ name }));
    });

  it('has the title and the hints of each tool', async () => {
    const { tools } = await client.client.listTools();
    const [kinds, other] = ['kinds', 'future'].map((name) => tools.find((tool) => tool.name === name));
    assert.deepEqual([kinds?.title, other?.title], ['All kinds (rich)', 'future (rich)']);
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    assert.deepEqual([kinds?._meta?.['tapline/annotations'], kinds?.annotations], [hints, undefined]);
    assert.equal(other?._meta?.['tapline/annotations'], undefined);
  });

  it('has the schema of each tool’s result, where a client can use it, and results that fit it', async () => {
    // `listTools` refuses the whole list for the schema that is of no use.
    const own = await direct.request({ method: 'tools/list' }, ListToolsResultSchema);
    const { tools } = await client.client.listTools();
    const schemaOf = (list: typeof tools, name: string) => list.find((tool) => tool.name === name)?.outputSchema;
    for (const name of ['structured', 'misfit', 'kinds']) assert.deepEqual(schemaOf(tools, name), schemaOf(own.tools, name), name);
    assert.ok(schemaOf(tools, 'structured'));
    assert.equal(schemaOf(tools, 'unusable'), undefined);
    assert.deepEqual((await client.call('unusable')).structuredContent, { a: 1 });
    assert.deepEqual((await client.call('structured')).structuredContent, { sum: 3 });
  });

  it('says so where a result does not fit the schema, and has the rest of it', async () => {
    await client.client.listTools(); // the client checks results against what it was told
    for (const [name, why, kinds] of [
      ['misfit', 'data/sum must be number', ['text', 'image', 'text']],
      ['promised_nothing', 'there is none', ['text', 'text']],
    ] as const) {
      const { content, structuredContent, isError } = await client.call(name);
      const said = content.at(-1);
      assert.deepEqual([structuredContent, isError, content.map(({ type }) => type)], [undefined, true, kinds]);
      assert.ok(said?.type === 'text' && said.text.startsWith('The tool has run') && said.text.endsWith(`promises: ${why}`));
    }
  });

  it('checks results for a client that was told the schema, whatever others of its server were told', async () => {
    const server = await startHttpMcp(home);
    const [told, untold] = await Promise.all([McpClient.overHttp(server.said), McpClient.overHttp(server.said)]);
    try {
      await told.untilTools((names) => names.includes('misfit'));
      assert.equal((await told.call('misfit')).isError, true);
      const answer = async () => await untold.call('misfit');
      await eventually(async () => !textOf(await answer()).startsWith('NOT_FOUND'), 'the tool in the other session', MCP_WAIT_MS);
      assert.deepEqual(await answer(), await direct.callTool({ name: 'misfit' }));
    } finally {
      await Promise.all([told, untold].map((one) => one.close()));
      assert.equal(await server.stop(), 0);
    }
  });

  it('answers with parts of more than 5 MiB, and says that a result is too large for an MCP client', async () => {
    const size = 6 * 1024 * 1024;
    const request = { name: 'large', arguments: { size } };
    assert.deepEqual(await client.call('large', { size }), await direct.callTool(request));
    assert.equal(textOf(await client.call('large_text', { size })).length, size);
    const larger = await client.call('large', { size: 12 * 1024 * 1024 });
    assert.deepEqual([larger.isError, /^PAYLOAD_TOO_LARGE: The tool has run/.test(textOf(larger))], [true, true]);
  });

  it('says what it cannot pass on', async () => {
    const future = await client.call('future');
    assert.equal(textOf(future), 'before\n(a part of the kind “video” was left out: it is not one that Tapline can pass on)\nafter');
    const failing = await client.call('failing');
    assert.deepEqual(
      [failing.isError, textOf(failing)],
      [true, 'INTERNAL: no such sum\n\n(an image, image/png, about 72 bytes, was left out)'],
    );
  });

  it('declares what it supports, and nothing else', async () => {
    assert.equal(
      textOf(await client.call('capabilities')),
      '{"elicitation":{"form":{"applyDefaults":true},"url":{}}}',
      'to a server: no sampling',
    );
    assert.deepEqual(client.client.getServerCapabilities(), { tools: { listChanged: true } });
  });

  it('answers an agent host with what its protocol has for each part', async () => {
    const owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    try {
      await owner.connected();
      const session = await owner.session('host');
      await owner.next('tools/changed', ({ sessionId, tools }) => sessionId === 'host' && tools.some(({ name }) => name === 'kinds'));
      const { content = [] } = resultOf(await session.call('kinds', {}), 'kinds');
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text', 'embeddedResource', 'text', 'embeddedResource', 'embeddedResource', 'text', 'text', 'embeddedResource', 'text', 'text'],
      );
      assert.deepEqual(resultOf(await session.call('structured', {}), 'structured'), {
        success: true,
        pastTenseMessage: 'Called structured',
        content: [{ type: 'text', text: '{"sum":3}' }],
        structuredContent: { sum: 3 },
      });
      const large = resultOf(await session.call('large', { size: 8 * 1024 * 1024 }), 'large');
      assert.deepEqual(
        large.content?.map(({ type }) => type),
        ['text', 'embeddedResource', 'text'],
      );
    } finally {
      owner.dispose();
    }
  });
});
