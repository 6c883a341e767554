/** The Copilot agent asks before each call of its engine: with clients that are silent or go, an engine that dies and a host that ends. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { V1Client } from '../../support/v1Client.ts';
import { type CopilotConversation, CopilotHost } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';
import { allow, deny, Guard, never } from '../host/hookHarness.ts';
import { gate } from '../host/hostHarness.ts';

describe('the Copilot agent, before it runs a call', function () {
  this.timeout(60_000);
  let host: CopilotHost;
  let client: V1Client;
  let guard: Guard;
  let talk: CopilotConversation;
  let file: string;
  beforeEach(async () => {
    host = new CopilotHost();
    client = await host.start({ hookDecisionMs: 700 });
    guard = await new Guard().connect(host);
    talk = await host.session(client, { config: { approvals: 'all' } });
    await guard.guard(talk.uri);
    file = host.file('ran');
  });
  afterEach(() => host.stop());

  const run = () => ({ tool: 'bash', args: { command: `touch ${file}`, description: 'x' } });
  const assertDenied = (reason: RegExp) => {
    const call = talk.calls().at(-1);
    assert.ok(call?.status === 'cancelled' && call.reason === 'denied', call?.status);
    assert.match(String(call.reasonMessage), reason);
    assert.match(String(host.model.requests.at(-1)?.messages.at(-1)?.content), reason, 'the model reads it');
    assert.equal(existsSync(file), false);
  };
  const questions = () => {
    const isAsked = gate();
    guard.answer = async () => {
      isAsked.open();
      return never();
    };
    return isAsked.promise;
  };

  it('denies what a silent client does not decide', async () => {
    guard.answer = never;
    host.model.reply([run()], [{ text: 'Then not.' }]);
    assert.equal(textOf(await talk.say('Run it')), 'Then not.');
    assertDenied(/did not answer within 0\.7 s/);
    guard.answer = () => allow;
    host.model.reply([run()], [{ text: 'Done.' }]);
    await talk.say('Run it');
    assert.ok(existsSync(file));
  });

  it('denies when the client goes in the middle of the question, and every further call of the turn', async () => {
    const isAsked = questions();
    host.model.reply([run(), run()], [run()], [{ text: 'Then not.' }]);
    const turnId = await talk.send('Run it');
    await isAsked;
    guard.client.close();
    await talk.ended(turnId);
    assertDenied(/has gone, and no other has taken its place/);
    assert.equal(talk.calls().filter(({ status }) => status === 'cancelled').length, 3);
  });

  it('ends the turn when the engine dies in the middle of the question, and asks again in the next', async () => {
    const isAsked = questions();
    host.model.reply([run()]);
    const turnId = await talk.send('Run it');
    await isAsked;
    process.kill(host.agent.enginePid as number, 'SIGKILL');
    assert.equal((await talk.ended(turnId)).error?.errorType, 'EngineDied');
    guard.answer = () => deny('not today');
    host.model.reply([run()], [{ text: 'Then not.' }]);
    await talk.say('Run it');
    assertDenied(/not today/);
  });

  it('stops at once when the turn is cancelled in the middle of the question', async () => {
    const isAsked = questions();
    host.model.reply([run()]);
    const turnId = await talk.send('Run it');
    await isAsked;
    assert.equal((await talk.cancel(turnId)).state, 'cancelled');
    guard.answer = () => deny('not today');
    host.model.reply([run()], [{ text: 'Then not.' }]);
    await talk.say('Run it');
    assertDenied(/not today/);
  });

  it('asks in the resumed session after the host has ended in the middle of the question', async () => {
    const isAsked = questions();
    host.model.reply([run()]);
    await talk.send('Run it');
    await isAsked;
    await host.stopHost();
    assert.equal(existsSync(file), false);
    client = await host.start({ hookDecisionMs: 700 });
    guard = await new Guard().connect(host);
    guard.answer = () => deny('not today');
    talk = await host.reopened(client, talk.uri);
    await guard.guard(talk.uri);
    host.model.reply([run()], [{ text: 'Then not.' }]);
    await talk.say('Run it');
    assertDenied(/not today/);
  });
});
