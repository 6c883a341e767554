/** The keys of the user's own models stay secret. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { CopilotHost, type CopilotConversation } from './copilotHarness.ts';

describe('the key of a model', () => {
  let host: CopilotHost;
  let said: string[];
  const key = 'key-that-nobody-shall-see';
  beforeEach(() => {
    host = new CopilotHost();
    said = [];
  });
  afterEach(() => host.stop());

  const started = async (): Promise<CopilotConversation> => {
    const say = (...words: unknown[]) => void said.push(words.map((word) => inspect(word)).join(' '));
    const client = await host.start({ endpoints: [], logger: { trace: say, debug: say, info: say, warn: say, error: say } });
    host.agent.setEndpoints([host.endpoint({ apiKey: key })]);
    return await host.session(client, { config: { approvals: 'all' } });
  };
  /** Files of the host's and the engine's, or of one of them. */
  const filesWith = (text: string, folder = host.base) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  /** All that clients see. */
  const statesOf = async ({ state, client }: CopilotConversation) => [
    state,
    client.subscribeRoot().state,
    (await client.request('listSessions', {})).items,
  ];
  const linesWith = (text: string) => said.filter((line) => line.includes(text));

  it('is in no state, log, file, argument or environment', async function () {
    if (process.platform !== 'linux') this.skip();
    const talk = await started();
    host.model.reply([{ tool: 'bash', args: { command: 'env', description: 'x' } }], [{ text: 'Seen' }]);
    await talk.say('Look around');
    assert.equal(host.model.requests.at(-1)?.authorization, `Bearer ${key}`);
    for (const name of ['cmdline', 'environ']) assert.ok(!readFileSync(`/proc/${host.agent.enginePid}/${name}`).includes(key), name);
    assert.ok(JSON.stringify(await statesOf(talk)).includes('Scripted model'));
    assert.ok(!JSON.stringify(await statesOf(talk)).includes(key));
    await host.stopHost();
    assert.deepEqual(linesWith(key), []);
    assert.notDeepEqual(filesWith('Look around'), [], 'the conversation itself is there');
    assert.deepEqual(filesWith(key), []);
  });

  it('is in no state, log or file of the host where the server repeats it', async () => {
    const talk = await started();
    host.model.reply([{ status: 400, message: `Incorrect API key provided: ${key}.` }]);
    const { error } = await talk.say('Hello');
    assert.match(error?.message ?? '', /Incorrect API key provided: …\./);
    assert.ok(!JSON.stringify(await statesOf(talk)).includes(key));
    await host.stopHost();
    assert.deepEqual(linesWith(key), []);
    assert.notDeepEqual(filesWith('Incorrect API key', join(host.base, 'sessions')), []);
    assert.deepEqual(filesWith(key, join(host.base, 'sessions')), []);
  });
});
