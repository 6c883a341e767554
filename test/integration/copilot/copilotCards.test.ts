/**
 * A card of the Copilot agent shows what happens: the shell, the program that is typed into and the client get exactly the text on the
 * card, whatever a model writes.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import type { ToolCallState } from '../../../src/ahp/v1/toolCall.ts';
import { typed } from '../../../src/host/agents/copilot/shell/shellText.ts';
import { upgradedCall } from '../../../src/ahp/v1/upgrade/parts.ts';
import { toolCallView } from '../../../src/views/session/toolCall/toolCallView.ts';
import { visibleText } from '../../../src/views/text/visibleText.ts';
import { commandText } from '../../support/commands.ts';
import { textOf } from '../../support/visibleSegments.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { contentOf, CopilotHost, printed } from './copilotHarness.ts';

/** Replaces bash, so that any text can be run: prints the command that it got, in hexadecimal. */
const recorder = '#!/bin/sh\nprintf %s "$2" | od -An -v -tx1 | tr -d " \\n"\n';
/** Prints what is typed into it, in hexadecimal. */
const listener = `stty raw -echo; exec "${process.execPath}" -e 'process.stdin.on("data", (data) => process.stdout.write(data.toString("hex"))); process.stdout.write("ready ")'`;

describe('the card of a call of the Copilot agent', function () {
  this.timeout(60_000);
  const host = new CopilotHost();
  let client: V1Client;
  const { PATH } = process.env;

  afterEach(async () => {
    process.env.PATH = PATH;
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
    await host.stopHost();
  });
  after(() => host.stop());

  const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
  /** What a careful reader takes from the card. */
  const read = (call: ToolCallState) => {
    const { command, url, rest } = toolCallView(upgradedCall(call)).input ?? {};
    const parts = [command, url, rest].filter((part) => part !== undefined);
    assert.equal(parts.length, 1);
    return textOf(visibleText(parts[0]!));
  };

  it('has the command that the shell gets', async () => {
    const folder = join(host.base, 'recorder');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'bash'), recorder);
    chmodSync(join(folder, 'bash'), 0o755);
    process.env.PATH = `${folder}${delimiter}${PATH}`;
    client = await host.start();
    await fc.assert(
      fc.asyncProperty(fc.array(commandText, { minLength: 10, maxLength: 10 }), async (commands) => {
        const talk = await host.session(client);
        host.model.reply(...commands.map((command) => [{ tool: 'bash', args: { command, description: 'x' } }]), [{ text: 'ok' }]);
        const turnId = await talk.send('Run');
        const cards = [];
        for (const _ of commands) cards.push(read(await talk.decide('bash', 'once')));
        await talk.ended(turnId);
        const received = talk
          .calls()
          .map((call) => contentOf(call).map((content) => (content.type === 'text' ? content.text : content.type)));
        assert.deepEqual(
          received,
          cards.map((card) => [hex(card)]),
        );
        assert.deepEqual(cards, commands);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('has what the program gets that is typed into', async () => {
    client = await host.start();
    const talk = await host.session(client);
    await fc.assert(
      fc.asyncProperty(fc.array(commandText, { minLength: 10, maxLength: 10 }), async (inputs) => {
        let stop = () => {};
        const allPrinted = new Promise<void>((resolve) => (stop = resolve));
        host.model.reply(
          [{ tool: 'bash', args: { command: listener, description: 'x', shellId: 'job', mode: 'async', initial_wait: 0 } }],
          ...inputs.map((input) => [{ tool: 'write_bash', args: { shellId: 'job', input, delay: 0 } }]),
          [{ wait: allPrinted }, { tool: 'stop_bash', args: { shellId: 'job' } }],
          [{ text: 'ok' }],
        );
        const turnId = await talk.send('Type');
        await talk.decide('bash', 'once');
        const terminal = await talk.terminal();
        await printed(terminal, /ready /);
        let expected = '';
        for (const _ of inputs) {
          expected += hex(typed(read(await talk.decide('write_bash', 'once'))));
          await printed(terminal, new RegExp(`ready ${expected}$`));
        }
        stop();
        await talk.ended(turnId);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('has the input that a client gets, also where its tool has the name of one of ours', async () => {
    client = await host.start();
    const lend = (name: string) => ({ name, description: name, inputSchema: { type: 'object' as const, properties: {} } });
    const talk = await host.session(client, {
      activeClient: { clientId: client.clientId, tools: [lend('bash'), lend('write_bash')] },
    });
    for (const name of ['bash', 'write_bash']) {
      const args = { command: 'npm test', input: 'npm test', asRoot: true };
      host.model.reply([{ tool: `${name}_client`, args }], [{ text: 'ok' }]);
      const turnId = await talk.send('Call');
      const card = await talk.decide(name, 'once');
      assert.deepEqual(JSON.parse(card.toolInput ?? ''), args);
      assert.equal(card.displayName, name);
      assert.equal(card._meta, undefined);
      const running = await talk.callTo(name, 'running');
      assert.equal(running.toolInput, card.toolInput);
      const result = { success: true, pastTenseMessage: 'Done' };
      await talk.dispatch({ type: 'session/toolCallComplete', turnId, toolCallId: running.toolCallId, result });
      await talk.ended(turnId);
    }
  });

  it('is not shown for what no shell would get as it is: the model is told', async () => {
    client = await host.start();
    const talk = await host.session(client);
    host.model.reply(
      [{ tool: 'bash', args: { command: `: > ${host.file('cut')}\0 harmless`, description: 'x' } }],
      [{ tool: 'bash', args: { command: `: > ${host.file('whole')}`, description: 'x' } }],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Run');
    await talk.decide('bash', 'once');
    await talk.ended(turnId);
    const [refused, done] = talk.calls();
    assert.ok(refused?.status === 'completed' && !refused.success, refused?.status);
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /cannot hold U\+0000/);
    assert.ok(done?.status === 'completed' && done.success);
    assert.deepEqual(
      ['cut', 'whole'].map((name) => existsSync(host.file(name))),
      [false, true],
    );
  });
});
