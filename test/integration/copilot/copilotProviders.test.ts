/** Model servers of every type that `tapline.models` knows, with the real engine: what reaches them, and what a turn becomes. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { writeFileSync } from 'node:fs';
import type { ModelEndpoint } from '../../../src/models/modelEndpoints.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost, gate, type CopilotConversation } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

interface Case {
  name: string;
  /** Besides id and name; the address without its origin. */
  endpoint: Pick<ModelEndpoint, 'type' | 'wireApi'>;
  /** Forms of the address that users write. All of them must reach the same place. */
  addresses: string[];
  path: string;
  cacheReadTokens: number;
}
const cases: Case[] = [
  {
    name: 'Anthropic',
    endpoint: { type: 'anthropic', wireApi: 'completions' },
    addresses: ['', '/', '/v1', '/v1/', '/v1/messages'],
    path: '/v1/messages',
    cacheReadTokens: 140,
  },
  {
    name: 'Azure with chat completions',
    endpoint: { type: 'azure', wireApi: 'completions' },
    addresses: ['', '/', '/openai', '/openai/v1', '/openai/v1/', '/openai/deployments/of-azure'],
    path: '/openai/v1/chat/completions',
    cacheReadTokens: 0,
  },
  {
    name: 'Azure with responses',
    endpoint: { type: 'azure', wireApi: 'responses' },
    addresses: ['', '/openai/v1'],
    path: '/openai/v1/responses',
    cacheReadTokens: 80,
  },
];

for (const { name, endpoint, addresses, path, cacheReadTokens } of cases)
  describe(`a model server of the type ${name}`, () => {
    const host = new CopilotHost();
    let client: V1Client;
    let talk: CopilotConversation;
    before(async () => {
      client = await host.start();
    });
    after(() => host.stop());
    beforeEach(async () => {
      use();
      talk = await host.session(client, { config: { approvals: 'all' } });
    });
    afterEach(() => {
      assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
    });
    const use = (more: Partial<ModelEndpoint> = {}, address = addresses[0]) =>
      host.agent.setEndpoints([{ id: 'of-server', name: 'Of the server', apiKey: 'its-key', baseUrl: host.model.origin + address, ...endpoint, ...more }]); // prettier-ignore
    const last = () => host.model.requests.at(-1)!;

    it('is found under every form of its address, with its key where it looks for it', async () => {
      for (const address of addresses) {
        use({}, address);
        host.model.reply([{ text: 'Here.' }]);
        const turn = await talk.say('Where?');
        assert.equal(turn.state, 'complete', `${address}: ${turn.error?.message}`);
        assert.deepEqual([last().path, last().apiKey, last().authorization, last().model], [path, 'its-key', undefined, 'of-server']);
      }
    });

    it('streams reasoning, text and calls, hears the results, and its tokens are counted', async () => {
      host.model.reply(
        [
          { reasoning: 'hm' },
          { text: 'I run ' },
          { text: 'it. ' },
          { tool: 'bash', args: { command: 'echo from-bash', description: 'x' } },
        ],
        [{ text: 'Done.' }],
      );
      const turn = await talk.say('Run it');
      assert.equal(turn.state, 'complete', turn.error?.message);
      assert.equal(textOf(turn, 'reasoning'), 'hm');
      assert.equal(textOf(turn), 'I run it. Done.');
      const call = await talk.callTo('bash', 'completed');
      assert.equal(call.toolInput, 'echo from-bash');
      assert.match(JSON.stringify(call.content), /from-bash/);
      const result = last().messages.at(-1);
      assert.equal(result?.role, 'tool');
      assert.match(JSON.stringify(result?.content), /from-bash/);
      assert.equal(turn.usage?.model, 'of-server');
      assert.equal(turn.usage?.inputTokens, 200);
      assert.equal(turn.usage?.outputTokens, 20);
      assert.equal(turn.usage?.cacheReadTokens, cacheReadTokens);
    });

    it('keeps the conversation, several calls at once included', async () => {
      host.model.reply(
        [
          { tool: 'bash', id: 'a', args: { command: 'echo one', description: 'x' } },
          { tool: 'bash', id: 'b', args: { command: 'echo two', description: 'x' } },
        ],
        [{ text: 'Both.' }],
        [{ text: 'Blue.' }],
      );
      assert.equal(textOf(await talk.say('My colour is blue')), 'Both.');
      assert.equal(textOf(await talk.say('Which?')), 'Blue.');
      const told = JSON.stringify(last().messages);
      assert.ok(['My colour is blue', 'one', 'two', 'Both.', 'Which?'].every((part) => told.includes(part)));
    });

    it('ends the turn with what it said when it refuses, and the next turn goes on', async () => {
      host.model.reply([{ status: 400, message: 'a message is empty' }], [{ text: 'Now.' }]);
      const turn = await talk.say('Fail');
      assert.equal(turn.state, 'error');
      assert.match(turn.error?.message ?? '', /“Of the server” did not answer.*a message is empty/);
      assert.equal(textOf(await talk.say('Again')), 'Now.');
    });

    it('says what to check when the key is refused', async () => {
      host.model.script = () => [{ status: 401, message: 'invalid x-api-key' }];
      const turn = await talk.say('Hello');
      assert.match(turn.error?.message ?? '', /Check the key/);
      assert.ok(!turn.error?.message.includes('its-key'));
    });

    it('is told the effort that was chosen', async () => {
      use({ reasoningEffort: 'high' });
      host.model.reply([{ text: 'ok' }]);
      await talk.say('Think');
      assert.deepEqual(last().thinking?.type ?? last().reasoning_effort, endpoint.type === 'anthropic' ? 'enabled' : 'high');
    });

    it('is shown images when it sees', async () => {
      use({ vision: true });
      const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      writeFileSync(host.file('dot.png'), Buffer.from(png, 'base64'));
      host.model.reply([{ text: 'A dot.' }]);
      const uri = pathToFileURL(host.file('dot.png')).href;
      await talk.dispatch({
        type: 'session/turnStarted',
        turnId: 'look',
        userMessage: { text: 'Look', attachments: [{ type: 'file', uri }] },
      });
      assert.equal(textOf(await talk.ended('look')), 'A dot.');
      assert.match(JSON.stringify(last().messages.at(-1)), /"type":"(image|image_url|input_image)"/);
    });

    if (endpoint.wireApi === 'responses') return;

    it('may break off, and is asked again without showing anything twice', async () => {
      host.model.reply([{ text: 'half an ' }, { drop: true }], [{ text: 'half' }, { text: ' an answer' }]);
      assert.equal(textOf(await talk.say('Break')), 'half an answer');
    });

    it('may fail in the middle of an answer, and is asked again', async () => {
      host.model.reply([{ text: 'half an ' }, { fail: 'overloaded' }], [{ text: 'half' }, { text: ' an answer' }]);
      const turn = await talk.say('Break');
      assert.equal(turn.state, 'complete', turn.error?.message);
      assert.equal(textOf(turn), 'half an answer');
    });

    it('stops when the turn is cancelled, and what it said stays', async () => {
      const never = gate();
      host.model.reply([{ text: 'Half ' }, { wait: never.promise }], [{ text: 'Whole.' }]);
      const turnId = await talk.send('Talk');
      await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half ');
      assert.equal(textOf(await talk.cancel(turnId)), 'Half ');
      assert.equal(textOf(await talk.say('Again')), 'Whole.');
      never.open();
    });
  });
