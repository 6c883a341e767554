/** Both of our ends of MCP in its official conformance suite: the server over HTTP, and the client of the provider. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle, ToolCallRequest } from '../../../src/tap/provider/providerApi.ts';
import { ToolError } from '../../../src/tap/provider/providerErrors.ts';
import type { UserQuestion } from '../../../src/tap/wire/userQuestion.ts';
import { runClientScenario, runServerScenarios, type ScenarioResult, scenariosOf, startTokenProxy } from '../../support/conformance.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type HttpMcpProcess, McpClient, startHttpMcp } from '../../support/mcpServers.ts';

const APPLIES = 'applies';
const NO_RESOURCES = 'the gateway has tools alone, and the server declares no resources';
const NO_PROMPTS = 'the gateway has tools alone, and the server declares no prompts';
const NO_LOGGING = 'a provider has progress and streams, but no log for a client, and the server declares no logging';
const NO_OAUTH = 'a server gets the headers of its entry; OAuth is not supported';

/** Why a scenario does not apply, or that it does. */
const serverScenarios: Record<string, string> = {
  'server-initialize': APPLIES,
  ping: APPLIES,
  'tools-list': APPLIES,
  'tools-call-simple-text': APPLIES,
  'tools-call-image': APPLIES,
  'tools-call-audio': APPLIES,
  'tools-call-embedded-resource': APPLIES,
  'tools-call-mixed-content': APPLIES,
  'tools-call-error': APPLIES,
  'tools-call-with-progress': APPLIES,
  'json-schema-2020-12': APPLIES,
  'server-sse-polling': APPLIES,
  'server-sse-multiple-streams': APPLIES,
  'dns-rebinding-protection': APPLIES,
  'tools-call-elicitation': APPLIES,
  'elicitation-sep1034-defaults': APPLIES,
  'elicitation-sep1330-enums': APPLIES,
  'tools-call-sampling': 'no program gets the use of a model through the gateway',
  'logging-set-level': NO_LOGGING,
  'tools-call-with-logging': NO_LOGGING,
  'completion-complete': 'it completes arguments of prompts and resources, of which there are none',
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

const clientScenarios: Record<string, string> = {
  initialize: APPLIES,
  tools_call: APPLIES,
  'elicitation-sep1034-client-defaults': APPLIES,
  'sse-retry': APPLIES,
  'auth/metadata-default': NO_OAUTH,
  'auth/metadata-var1': NO_OAUTH,
  'auth/metadata-var2': NO_OAUTH,
  'auth/metadata-var3': NO_OAUTH,
  'auth/basic-cimd': NO_OAUTH,
  'auth/scope-from-www-authenticate': NO_OAUTH,
  'auth/scope-from-scopes-supported': NO_OAUTH,
  'auth/scope-omitted-when-undefined': NO_OAUTH,
  'auth/scope-step-up': NO_OAUTH,
  'auth/scope-retry-limit': NO_OAUTH,
  'auth/token-endpoint-auth-basic': NO_OAUTH,
  'auth/token-endpoint-auth-post': NO_OAUTH,
  'auth/token-endpoint-auth-none': NO_OAUTH,
  'auth/resource-mismatch': NO_OAUTH,
  'auth/pre-registration': NO_OAUTH,
  'auth/2025-03-26-oauth-metadata-backcompat': NO_OAUTH,
  'auth/2025-03-26-oauth-endpoint-fallback': NO_OAUTH,
  'auth/client-credentials-jwt': NO_OAUTH,
  'auth/client-credentials-basic': NO_OAUTH,
};

const applying = (table: Record<string, string>) => Object.keys(table).filter((name) => table[name] === APPLIES);

const text = (value: string) => ({ type: 'text', text: value });
const image = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

const formOf = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const userForm = formOf({ username: { type: 'string' }, email: { type: 'string' } }, ['username', 'email']);
const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const three = ['option1', 'option2', 'option3'];
const titled = three.map((option) => ({ const: option.replace('option', 'value'), title: option }));
const choices = {
  untitledSingle: { type: 'string', enum: three },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: three },
  untitledMulti: { type: 'array', items: { type: 'string', enum: three } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};
const asked = async (ask: ToolCallRequest['ask'], question: UserQuestion) => {
  const { action, content } = await ask(question);
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
};

/** The tools that the scenarios call, with what each answers. */
const answers: Record<string, (call: ToolCallRequest) => unknown> = {
  test_simple_text: () => 'This is a simple text response for testing.',
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF' }] }),
  test_embedded_resource: () => ({
    content: [{ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is embedded.' } }],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      { type: 'resource', resource: { uri: 'test://mixed', mimeType: 'application/json', text: '{"test":"data"}' } },
    ],
  }),
  test_error_handling: () => {
    throw new ToolError('INTERNAL', 'This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async ({ progress }) => {
    for (const message of ['0 of 100', '50 of 100', '100 of 100']) {
      progress(message);
      await setTimeout(50); // as the scenario asks for
    }
    return 'done';
  },
  test_elicitation: ({ args, ask }) => asked(ask, { message: String(args.message), requestedSchema: userForm }),
  test_elicitation_sep1034_defaults: ({ ask }) => asked(ask, { message: 'With defaults', requestedSchema: formOf(defaults) }),
  test_elicitation_sep1330_enums: ({ ask }) => asked(ask, { message: 'With choices', requestedSchema: formOf(choices) }),
  test_reconnection: () => 'Reconnection test completed successfully',
  json_schema_2020_12_tool: () => 'fine',
};

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

describe('MCP’s conformance suite', () => {
  it('has no scenario that the tables do not name', async () => {
    assert.deepEqual(new Set(Object.keys(serverScenarios)), new Set(await scenariosOf('server')));
    assert.deepEqual(new Set(Object.keys(clientScenarios)), new Set(await scenariosOf('client')));
  });

  describe('with our server', () => {
    let home: GatewayHome;
    let gateway: GatewayProcess;
    let server: HttpMcpProcess;
    let provider: ProviderHandle;
    let results: Map<string, ScenarioResult>;
    before(async () => {
      home = new GatewayHome();
      gateway = await startGatewayProcess(home);
      server = await startHttpMcp(home);
      provider = connectProvider('conformance', {
        session: 'all',
        tools: Object.keys(answers).map((name) => ({
          name,
          description: `The tool ${name} of the suite`,
          ...(name === 'json_schema_2020_12_tool' && { parameters: schema2020 }),
        })),
        onToolCall: (call) => answers[call.tool]?.(call),
        connect: () => ({ socket: new WebSocket(gateway.url), token: readFileSync(home.tokenFile, 'utf8') }),
      });
      const client = await McpClient.overHttp(server.said);
      await client.untilTools((names) => Object.keys(answers).every((name) => names.includes(name)));
      await client.close();
      const proxy = await startTokenProxy(server.said.url, server.said.token);
      const folder = join(home.folder, 'results');
      mkdirSync(folder);
      try {
        results = await runServerScenarios(proxy.url, folder);
      } finally {
        proxy.close();
      }
    });
    after(async () => {
      provider.close();
      await server.stop();
      await endDaemons(home.lockFile);
      await gateway.stop('SIGKILL');
      home.remove();
    });

    for (const name of applying(serverScenarios))
      it(`passes ${name}`, () => {
        const { successes = 0, problems = ['it was not run'] } = results.get(name) ?? {};
        assert.deepEqual(problems, []);
        assert.ok(successes > 0);
      });
  });

  describe('with our client', () => {
    let home: GatewayHome;
    before(() => (home = new GatewayHome()));
    after(() => home.remove());

    const client = `${process.execPath} --import=tsx ${join(import.meta.dirname, '../../support/conformanceClient.ts')}`;
    for (const name of applying(clientScenarios))
      it(`passes ${name}`, async () => {
        const { successes, problems } = await runClientScenario(client, name, home.folder);
        assert.deepEqual(problems, []);
        assert.ok(successes > 0);
      });
  });
});
