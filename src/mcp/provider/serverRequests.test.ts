import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { UserQuestion } from '../../tap/wire/userQuestion.ts';
import { answerServer, capabilitiesFor } from './serverRequests.ts';

describe('a question of an MCP server', () => {
  let client: Client;
  let server: Server;
  let asked: UserQuestion[];
  let declined: string[];
  beforeEach(async () => {
    [asked, declined] = [[], []];
    client = new Client({ name: 'client', version: '1' }, { capabilities: capabilitiesFor({}) });
    answerServer(client, {
      ask: (question) => Promise.resolve((asked.push(question), { action: 'accept' })),
      declined: (why) => declined.push(why),
      log: () => undefined,
    });
    server = new Server({ name: 'server', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
  });
  afterEach(() => client.close());
  const ask = async (url: string) => {
    const params = { mode: 'url', message: 'Sign in', url, elicitationId: 'e' } as const;
    return (await server.request({ method: 'elicitation/create', params }, ElicitResultSchema)).action;
  };

  it('is declined where it is not valid, and it is said why', async () => {
    assert.equal(await ask('file:///etc/passwd'), 'decline');
    assert.deepEqual([asked.length, declined.length], [0, 1]);
    assert.match(declined[0] ?? '', /url/i);
  });

  it('is asked where it is valid, without a word', async () => {
    assert.equal(await ask('https://a.example/'), 'accept');
    assert.deepEqual([asked.length, declined], [1, []]);
  });
});
