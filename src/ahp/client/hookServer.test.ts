import assert from 'node:assert/strict';
import type { HookResult } from '../schemas/hookSchemas.ts';
import { type HookAnswers, HookServer } from './hookServer.ts';

type Verdict = HookResult<'tapline/evaluateHooks'>;
const question = { session: 'demo:/1', turnId: 't', toolCallId: 'c', toolName: 'bash' };
const ask = (server: HookServer) => server.answer('tapline/evaluateHooks', question);

describe('HookServer', () => {
  let server: HookServer;
  let waiting: ((verdict: Verdict) => void)[];
  const answers: HookAnswers = {
    'tapline/evaluateHooks': () => new Promise((resolve) => waiting.push(resolve)),
    'tapline/sections': () => Promise.reject(new Error('nothing to add')),
  };
  beforeEach(() => {
    server = new HookServer();
    waiting = [];
  });

  it('answers for its sessions alone, what it knows, as long as it is there', async () => {
    assert.throws(() => ask(server), /does not have the session/);
    const added = server.add('demo:/1', answers);
    const asked = ask(server);
    waiting[0]?.({ decision: 'allow' });
    assert.deepEqual(await asked, { decision: 'allow' });
    assert.throws(() => server.answer('tapline/evaluateHooks', { ...question, toolName: 7 }), /wrong parameters/);
    assert.throws(() => server.answer('toString', question), /does not serve/);
    added.dispose();
    assert.throws(() => ask(server), /does not have the session/);
  });

  it('takes a bounded number of questions at a time', async () => {
    server.add('demo:/1', answers);
    const all = Array.from({ length: 100 }, () => ask(server));
    assert.throws(() => ask(server), /more than 100 questions/);
    waiting[0]?.({ decision: 'allow' });
    await all[0];
    void ask(server);
    assert.equal(waiting.length, 101);
  });

  it('counts what fails as answered', async () => {
    server.add('demo:/1', answers);
    const fail = () => server.answer('tapline/sections', { session: 'demo:/1', turnId: 't', sections: {} });
    for (let at = 0; at < 101; at++) await assert.rejects(fail(), /nothing to add/);
  });
});
