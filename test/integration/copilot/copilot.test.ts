/** Turns of the real Copilot engine, as a session shows them. */
import { contextUseIn } from '../../../src/ahp/contextUse.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReceivedSpan } from '../../../src/ahp/telemetry/receivedSpans.ts';
import { modelCallsIn } from '../../../src/ahp/common/modelCalls.ts';
import { lentFilesMeta, lentUri } from '../../../src/ahp/lentFiles.ts';
import { LentFiles } from '../../../src/extension/lending/lentFiles.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { eventually } from '../../fakes/eventually.ts';
import { contentOf, CopilotConversation, CopilotHost, engineFolder, gate } from './copilotHarness.ts';
import { lastUserText } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import { textOf, untilState } from '../host/demoHarness.ts';

/** Variables of the host that must stay private, and some that programs need. */
const kept = {
  GITHUB_TOKEN: 'ghp_secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NPM_TOKEN: 'secret',
  SSH_AUTH_SOCK: '/run/agent',
  ANYTHING_ELSE: 'secret',
};
const lent = { LC_PAPER: 'C' };

describe('the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  const { env } = process;
  before(async () => {
    process.env = { ...env, ...kept, ...lent };
    client = await host.start();
  });
  after(async () => {
    process.env = env;
    await host.stop();
  });
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });

  const session = (config?: Record<string, unknown>): Promise<CopilotConversation> => host.session(client, config ? { config } : {});

  it('streams reasoning and text, counts tokens over all calls of the model, and takes the first message as title', async () => {
    const talk = await session();
    host.model.reply([{ reasoning: 'hm ' }, { reasoning: 'well' }, { text: 'Hello ' }, { text: 'you' }]);
    const turn = await talk.say('Say hello');
    assert.equal(turn.state, 'complete');
    assert.equal(textOf(turn, 'reasoning'), 'hm well');
    assert.equal(textOf(turn), 'Hello you');
    const { _meta, ...usage } = turn.usage!;
    assert.ok(contextUseIn({ _meta }));
    assert.equal(modelCallsIn({ _meta }), 1);
    assert.deepEqual(usage, { model: 'scripted', inputTokens: 100, outputTokens: 10, cacheReadTokens: 0 });
    assert.equal(talk.state.summary.title, 'Say hello');
    assert.equal(talk.state.summary.activity, undefined);
  });

  it('tells who reads its traces of each request to the model', async () => {
    const reader = await host.client();
    const spans: ReceivedSpan[] = [];
    const reading = reader.traces.read((batch) => spans.push(...batch));
    const talk = await session();
    host.model.reply([{ tool: 'sql', args: { description: 'Note', query: 'SELECT 1' } }], [{ text: 'Done.' }]);
    await talk.say('Ask it');
    await eventually(() => spans.some(({ name }) => name === 'turn'), 'the turn');
    reading.dispose();
    const turn = spans.find(({ name }) => name === 'turn')!;
    const calls = spans.filter(({ name }) => name === 'chat scripted');
    assert.equal(calls.length, 2);
    for (const call of calls) {
      assert.deepEqual([call.traceId, call.parentSpanId, call.error], [turn.traceId, turn.spanId, undefined]);
      assert.ok(call.start >= turn.start && call.end <= turn.end && call.end > call.start, JSON.stringify(call));
      assert.equal(call.attributes['gen_ai.usage.input_tokens'], 100);
    }
    assert.ok(spans.some(({ name, parentSpanId }) => name === 'execute_tool sql' && parentSpanId === turn.spanId));
  });

  it('tells the to-do list that the model keeps in the database of its session', async () => {
    const talk = await session();
    const insert =
      "INSERT INTO todos (id, title, status) VALUES ('a', 'Read it', 'done'), ('b', 'Write it', 'in_progress'), ('c', 'Test it', 'pending')";
    host.model.reply([{ tool: 'sql', args: { description: 'Note', query: insert } }], [{ text: 'Noted.' }]);
    await talk.say('Plan it');
    const todos = () => talk.state._meta?.['tapline.todos'];
    await talk.until('the list', () => todos() !== undefined);
    assert.deepEqual(todos(), [
      { text: 'Read it', state: 'done' },
      { text: 'Write it', state: 'doing' },
      { text: 'Test it', state: 'open' },
    ]);
  });

  it('keeps the conversation', async () => {
    const talk = await session();
    host.model.reply([{ text: 'Noted.' }], [{ text: 'Blue.' }]);
    await talk.say('My colour is blue');
    await talk.say('Which colour?');
    const { messages } = host.model.requests.at(-1)!;
    assert.ok(messages.some(({ content }) => String(content).includes('My colour is blue')));
    assert.ok(messages.some(({ role, content }) => role === 'assistant' && content === 'Noted.'));
  });

  it('shows an edit before it is made, and both contents after', async () => {
    const talk = await session();
    const path = host.file('edit.txt', 'one\ntwo\nthree\n');
    host.model.reply([{ text: 'I edit.' }, { tool: 'edit', args: { path, old_str: 'two', new_str: '2\n2b' } }], [{ text: 'Done.' }]);
    const turnId = await talk.send('Edit');
    const asked = await talk.decide('edit', 'once');
    assert.deepEqual(asked.confirmationTitle, { markdown: 'Change `edit.txt`?' });
    assert.equal(asked._meta?.toolKind, 'edit');
    const [proposed] = asked.edits?.items ?? [];
    assert.equal(await content(client, proposed?.before?.content.uri), 'one\ntwo\nthree\n');
    assert.equal(await content(client, proposed?.after?.content.uri), 'one\n2\n2b\nthree\n');
    assert.deepEqual(proposed?.diff, { added: 2, removed: 1 });
    await talk.ended(turnId);
    assert.equal(readFileSync(path, 'utf8'), 'one\n2\n2b\nthree\n');
    const done = await talk.callTo('edit', 'completed');
    const [edit] = done.content ?? [];
    assert.equal(edit?.type, 'fileEdit');
    assert.deepEqual(done.pastTenseMessage, { markdown: 'Edited `edit.txt`' });
    const [diff] = talk.state.summary.diffs ?? [];
    assert.deepEqual(diff?.diff, { added: 2, removed: 1 });
    assert.equal(await content(client, diff?.after?.content.uri), 'one\n2\n2b\nthree\n');
  });

  it('sums what a session did to a file up, and drops what was undone', async () => {
    const talk = await session({ approvals: 'edits' });
    const path = host.file('sum.txt', 'a\n');
    const made = host.file('made.txt');
    host.model.reply(
      [
        { tool: 'edit', args: { path, old_str: 'a', new_str: 'b' } },
        { tool: 'create', args: { path: made, file_text: 'new\n' } },
      ],
      [{ text: 'ok' }],
      [{ tool: 'edit', args: { path, old_str: 'b', new_str: 'a' } }],
      [{ text: 'ok' }],
    );
    await talk.say('Change');
    assert.equal(talk.state.summary.diffs?.length, 2);
    await talk.say('Back');
    const { diffs = [] } = talk.state.summary;
    assert.deepEqual(
      diffs.map(({ before, after, diff }) => [before, after?.uri, diff]),
      [[undefined, pathToFileURL(made).href, { added: 1, removed: 0 }]],
    );
    assert.ok((await talk.callTo('edit', 'completed')).confirmed === 'setting');
  });

  it('gives commands and the engine only those variables of the host’s environment that programs need', async () => {
    const talk = await session({ approvals: 'all' });
    host.model.reply([{ tool: 'bash', args: { command: 'env', description: 'x' } }], [{ text: 'ok' }]);
    await talk.say('Env');
    const [shown] = contentOf(await talk.callTo('bash', 'completed'));
    assert.ok(shown?.type === 'text');
    const environments = [shown.text.split('\n')];
    if (process.platform === 'linux') environments.push(readFileSync(`/proc/${host.agent.enginePid}/environ`, 'utf8').split('\0'));
    for (const environment of environments) {
      for (const [name, value] of Object.entries(lent)) assert.ok(environment.includes(`${name}=${value}`), name);
      for (const name of Object.keys(kept)) assert.ok(!environment.some((entry) => entry.startsWith(`${name}=`)), name);
    }
  });

  it('tells the model why something was denied, and stops when told to', async () => {
    const talk = await session();
    const call = { tool: 'bash', args: { command: 'rm -rf x', description: 'x' } };
    host.model.reply([call], [{ text: 'Understood.' }], [call]);
    const first = await talk.send('Clean up');
    await talk.decide('bash', 'deny', 'use git clean');
    assert.equal(textOf(await talk.ended(first)), 'Understood.');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages.at(-1)), /use git clean/);
    const count = host.model.requests.length;
    const second = await talk.send('Again');
    await talk.decide('bash', 'deny-stop');
    assert.equal((await talk.ended(second)).state, 'complete');
    assert.equal(host.model.requests.length, count + 1, 'the model was not asked again');
  });

  it('asks again for what was allowed once, not for what was allowed in the session', async () => {
    const talk = await session();
    const run = (command: string) => [{ tool: 'bash', args: { command, description: 'x' } }];
    host.model.reply(run('echo a'), run('echo a'), run('echo a'), run('echo b'), [{ text: 'ok' }]);
    const turnId = await talk.send('Run');
    await talk.decide('bash', 'once');
    await talk.until('the second question', () => talk.calls().length === 2 && talk.calls()[1]?.status === 'pending-confirmation');
    await talk.decide('bash', 'session');
    await talk.until('the fourth call', () => talk.calls().length === 4 && talk.calls()[3]?.status === 'pending-confirmation');
    assert.equal(talk.calls()[2]?.status, 'completed');
    await talk.decide('bash', 'once');
    await talk.ended(turnId);
  });

  it('reads in the working directory without asking, and asks for links, “..” and everything outside', async () => {
    const talk = await session();
    const inside = host.file('inside.txt', 'in\n');
    const outside = join(host.base, 'outside.txt');
    writeFileSync(outside, 'out\n');
    symlinkSync(outside, host.file('link.txt'));
    const view = (path: string) => ({ tool: 'view', args: { path } });
    host.model.reply(
      [view(inside)],
      [view(host.file('link.txt'))],
      [view(`${host.directory}/../outside.txt`)],
      [view(outside)],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Read');
    for (const index of [1, 2, 3]) {
      await talk.until(`question ${index}`, () => talk.calls()[index]?.status === 'pending-confirmation');
      const { confirmationTitle } = await talk.decide('view', 'once');
      assert.match(JSON.stringify(confirmationTitle), /outside the working directory/);
    }
    await talk.ended(turnId);
    assert.deepEqual(
      talk.calls().map((call) => call.status === 'completed' && [call.success, call.confirmed]),
      [
        [true, 'setting'],
        [true, 'user-action'],
        [true, 'user-action'],
        [true, 'user-action'],
      ],
    );
    await talk.dispatch({ type: 'session/configChanged', config: { autoApproveReads: false } });
    host.model.reply([view(inside)], [{ text: 'ok' }]);
    const second = await talk.send('Read again');
    await talk.decide('view', 'deny');
    await talk.ended(second);
  });

  it('does not write outside the working directory without asking, whatever the approvals', async () => {
    const talk = await session({ approvals: 'all' });
    const path = join(host.base, 'stray.txt');
    host.model.reply([{ tool: 'create', args: { path, file_text: 'x' } }], [{ text: 'ok' }]);
    const turnId = await talk.send('Write');
    await talk.decide('create', 'deny');
    await talk.ended(turnId);
    assert.equal(existsSync(path), false);
  });

  it('asks the user what the model wants to know', async () => {
    const talk = await session();
    host.model.reply([{ tool: 'ask_user', args: { question: 'Which?', choices: ['red', 'green'] } }], [{ text: 'Green it is.' }]);
    const turnId = await talk.send('Paint');
    const request = await talk.until('the question', ({ inputRequests }) => inputRequests?.[0]);
    const [question] = request.questions ?? [];
    assert.ok(question?.kind === 'single-select');
    assert.deepEqual(
      question.options.map(({ label }) => label),
      ['red', 'green'],
    );
    await talk.dispatch({
      type: 'session/inputCompleted',
      requestId: request.id,
      response: 'accept',
      answers: { [question.id]: { state: 'submitted', value: { kind: 'selected', value: question.options[1]!.id } } },
    });
    await talk.ended(turnId);
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages.at(-1)), /green/);
  });

  it('gives a subagent a session of its own', async () => {
    const talk = await session();
    host.model.reply(
      [{ tool: 'task', args: { agent_type: 'explore', name: 'finder', description: 'Find it', prompt: 'look around' } }],
      [{ text: 'I look. ' }, { tool: 'bash', args: { command: 'echo sub', description: 'x' } }],
      [{ text: 'Found.' }],
      [{ text: 'All done.' }],
    );
    const turnId = await talk.send('Delegate');
    const parent = await talk.callTo('task', 'running');
    const [content] = await talk.until('the subagent', () => {
      const call = talk.calls()[0];
      return call?.status === 'running' && call.content;
    });
    assert.ok(content?.type === 'subagent', JSON.stringify(parent));
    const sub = new CopilotConversation(client, content.resource);
    await sub.decide('bash', 'once');
    const turn = await talk.ended(turnId);
    assert.equal(textOf(turn), 'All done.');
    const [subTurn] = await sub.until('its end', ({ turns }) => turns.length === 1 && turns);
    assert.equal(subTurn?.state, 'complete');
    assert.equal(subTurn?.userMessage.text, 'look around');
    assert.equal(textOf(subTurn!), 'I look. Found.');
    const done = await talk.callTo('task', 'completed');
    assert.equal(done.content?.[0]?.type, 'subagent');
  });

  it('keeps what was said when a turn is cancelled, and goes on after', async () => {
    const talk = await session();
    const never = gate();
    host.model.reply([{ text: 'Half ' }, { wait: never.promise }], [{ text: 'Whole.' }]);
    const turnId = await talk.send('Talk');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half ');
    const pid = host.agent.enginePid;
    const turn = await talk.cancel(turnId);
    assert.equal(turn.state, 'cancelled');
    assert.equal(textOf(turn), 'Half ');
    assert.equal(textOf(await talk.say('Again')), 'Whole.');
    assert.equal(host.agent.enginePid, pid, 'the engine stopped it by itself');
    never.open();
  });

  it('leaves no command and no open call behind when a turn is cancelled in it', async () => {
    const talk = await session({ approvals: 'all' });
    host.model.reply([{ tool: 'bash', args: { command: `sh -c 'echo $$; exec sleep 300'`, description: 'x' } }], [{ text: 'ok' }]);
    const turnId = await talk.send('Sleep');
    const pid = await talk.printedNumber();
    const turn = await talk.cancel(turnId);
    assert.equal(talk.calls()[0]?.status, 'cancelled');
    assert.equal(turn.state, 'cancelled');
    await talk.say('Next');
    await untilGone(pid);
  });

  it('cancels while a permission is pending', async () => {
    const talk = await session();
    host.model.reply([{ tool: 'bash', args: { command: 'echo', description: 'x' } }], [{ text: 'Fine.' }]);
    const turnId = await talk.send('Run');
    await talk.callTo('bash', 'pending-confirmation');
    await talk.cancel(turnId);
    assert.equal(textOf(await talk.say('Go on')), 'Fine.');
  });

  it('shows nothing twice when a stream breaks and is asked for again', async () => {
    const talk = await session();
    host.model.reply(
      [{ reasoning: 'think' }, { text: 'half an ' }, { drop: true }],
      [{ reasoning: 'think' }, { text: 'half' }, { text: ' an answer' }],
    );
    const turn = await talk.say('Break');
    assert.equal(textOf(turn), 'half an answer');
    assert.equal(textOf(turn, 'reasoning'), 'think');
  });

  it('says so when the second attempt goes another way', async () => {
    const talk = await session();
    host.model.reply([{ text: 'One ' }, { drop: true }], [{ text: 'Two' }]);
    const text = textOf(await talk.say('Break'));
    assert.match(text, /^One \n\n\*The connection to the model broke.*\*\n\nTwo$/s);
  });

  it('ends the turn with what the model server said', async () => {
    const talk = await session();
    host.model.reply([{ status: 400, message: 'context too long' }], [{ text: 'Now.' }]);
    const turn = await talk.say('Fail');
    assert.equal(turn.state, 'error');
    assert.equal(turn.error?.errorType, 'ModelError');
    assert.match(turn.error?.message ?? '', /Scripted model.*context too long/);
    assert.equal(textOf(await talk.say('Retry')), 'Now.');
  });

  it('shows the input of a call while the model writes it, and what the agent does', async () => {
    const talk = await session({ approvals: 'all' });
    const rest = gate();
    const flag = host.file('seen');
    const command = `while [ ! -e ${flag} ]; do sleep 0.02; done`;
    host.model.reply([{ tool: 'bash', args: { command, description: 'x' }, between: rest.promise }], [{ text: 'ok' }]);
    const turnId = await talk.send('Run');
    const partialInput = await talk.until('the input so far', () => {
      const call = talk.calls().at(-1);
      return call?.status === 'streaming' && call.partialInput;
    });
    assert.match(partialInput, /^\{"command":"while/);
    rest.open();
    await talk.callTo('bash', 'running');
    const activity = await talk.until('the activity', ({ summary }) => summary.activity);
    assert.equal(activity, 'Run command');
    host.file('seen', '');
    await talk.ended(turnId);
    assert.equal(talk.state.summary.activity, undefined);
  });

  it('closes a call that the model did not finish writing, and runs the one that it wrote again', async () => {
    const talk = await session({ approvals: 'all' });
    const call = { tool: 'bash', args: { command: 'echo once', description: 'x' } };
    host.model.reply([{ ...call, id: 'broken', cut: true }, { drop: true }], [{ ...call, id: 'whole' }], [{ text: 'ok' }]);
    await talk.say('Run');
    const [broken, whole] = talk.calls();
    assert.ok(broken?.status === 'completed' && whole?.status === 'completed');
    assert.deepEqual([broken.success, broken.error?.code, whole.success], [false, 'interrupted', true]);
  });

  it('knows calls apart when a model names them all alike', async () => {
    const talk = await session({ approvals: 'all' });
    const call = (text: string) => [{ tool: 'bash', id: 'call_0', args: { command: `echo ${text}`, description: 'x' } }];
    host.model.reply(call('a'), call('b'), [{ text: 'ok' }]);
    assert.equal((await talk.say('Run')).state, 'complete');
    assert.deepEqual(talk.calls().map(contentOf), [[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }]]);
    assert.equal(new Set(talk.calls().map(({ toolCallId }) => toolCallId)).size, 2);
  });

  it('asks before it fetches a page, and says which', async () => {
    const talk = await session();
    host.model.reply([{ tool: 'web_fetch', args: { url: 'https://pages.example/a' } }], [{ text: 'ok' }]);
    const turnId = await talk.send('Fetch');
    const asked = await talk.decide('web_fetch', 'deny');
    assert.deepEqual(asked.confirmationTitle, { markdown: 'Fetch `https://pages.example/a`?' });
    assert.ok(asked.options?.some(({ label }) => label === 'Allow https://pages.example in this session'));
    await talk.ended(turnId);
  });

  it('passes a steering message on at once while a command runs, which goes on, and shows where it was heard', async () => {
    const talk = await session({ approvals: 'all' });
    const flag = host.file('steer-go');
    host.model.reply([{ tool: 'bash', args: { command: `while [ ! -e ${flag} ]; do sleep 0.02; done`, description: 'x' } }]);
    const turnId = await talk.send('Work');
    await talk.callTo('bash', 'running');
    host.model.reply([{ text: 'Heard.' }], [{ text: 'Ended.' }]);
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage: { text: 'use tabs' } });
    assert.match(textOf(await talk.ended(turnId)), /\*\*You:\*\* use tabs\s+Heard\.$/);
    const terminal = await talk.terminal();
    assert.equal(terminal.state?.exitCode, undefined);
    host.file('steer-go', '');
    await untilState(terminal, 'the end', ({ exitCode }) => exitCode === 0);
    await talk.say('And now?');
    assert.match(lastUserText(host.model.requests.at(-1)!.messages), /has ended with exit code 0[^]*And now\?/);
  });

  it('passes a message that came while text streamed on with the next tool', async () => {
    const talk = await session({ approvals: 'all' });
    const more = gate();
    host.model.reply(
      [{ text: 'Long ' }, { wait: more.promise }, { tool: 'bash', args: { command: 'sleep 300', description: 'x' } }],
      [{ text: 'Short.' }],
    );
    const turnId = await talk.send('Tell');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Long ');
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage: { text: 'be short' } });
    assert.ok(talk.state.steeringMessage, 'it can still be changed');
    more.open();
    assert.match(textOf(await talk.ended(turnId)), /^Long \s+> \*\*You:\*\* be short\s+Short\.$/);
  });

  it('makes the next turn of a message that came while text streamed and no tool followed', async () => {
    const talk = await session();
    const more = gate();
    host.model.reply([{ text: 'Long ' }, { wait: more.promise }, { text: 'story.' }], [{ text: 'Shorter.' }]);
    await talk.send('Tell');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Long ');
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage: { text: 'be short' } });
    more.open();
    const turns = await talk.until('both turns', (state) => state.turns.length === 2 && state.turns);
    assert.deepEqual(
      turns.map((turn) => [turn.userMessage.text, textOf(turn)]),
      [
        ['Tell', 'Long story.'],
        ['be short', 'Shorter.'],
      ],
    );
  });

  it('loses no message that came while text streamed when the turn is cancelled', async () => {
    const talk = await session();
    const never = gate();
    host.model.reply([{ text: 'Long ' }, { wait: never.promise }]);
    const turnId = await talk.send('Tell');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Long ');
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage: { text: 'be short' } });
    await talk.cancel(turnId);
    await talk.until('the message in the queue', ({ queuedMessages }) => queuedMessages?.[0]?.userMessage.text === 'be short');
    never.open();
  });

  it('runs what is queued after the turn, and keeps it when the turn is cancelled', async () => {
    const talk = await session();
    const never = gate();
    host.model.reply([{ text: 'First' }, { wait: never.promise }]);
    const turnId = await talk.send('One');
    await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'First');
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'queued', id: 'q1', userMessage: { text: 'Two' } });
    await talk.cancel(turnId);
    assert.equal(talk.state.queuedMessages?.length, 1);
    never.open();
  });

  it('passes attachments on', async () => {
    const talk = await session();
    const path = host.file('attached.txt', 'a\nb\n');
    host.model.reply([{ text: 'Seen.' }], [{ text: 'Still here.' }]);
    await talk.dispatch({
      type: 'session/turnStarted',
      turnId: 'with-files',
      userMessage: {
        text: 'Look',
        attachments: [
          { type: 'file', uri: pathToFileURL(path).href },
          { type: 'directory', uri: pathToFileURL(host.directory).href },
        ],
      },
    });
    await talk.ended('with-files');
    assert.ok(lastUserText(host.model.requests.at(-1)!.messages).includes('attached.txt'));
    // The record can be read again.
    process.kill(host.agent.enginePid!, 'SIGKILL');
    assert.equal(textOf(await talk.say('And now?')), 'Still here.');
  });

  it('reads what a client of another computer has attached, and nothing that it lends no more', async () => {
    const talk = await session();
    const notes = host.file('notes-elsewhere.txt', 'Buy milk');
    const secret = host.file('secret.txt', 'top secret');
    const files = new LentFiles('window-1');
    await host.connect({
      clientId: 'window-1',
      meta: lentFilesMeta,
      onHostRequest: (method, params) => files.answer(method as 'resourceRead', params),
    });
    const file = await files.lend(notes, talk.uri);
    const gone = await files.lend(secret, talk.uri);
    files.takeBack(gone.uri);
    host.model.reply([{ text: 'Seen.' }]);
    await talk.dispatch({
      type: 'session/turnStarted',
      turnId: 'with-lent-files',
      userMessage: {
        text: 'Look',
        attachments: [
          { type: 'file', uri: file.uri, displayName: 'notes.txt' },
          { type: 'file', uri: gone.uri },
        ],
      },
    });
    const turn = await talk.ended('with-lent-files');
    const heard = lastUserText(host.model.requests.at(-1)!.messages);
    assert.match(heard, /`notes\.txt`, a file of the user’s own computer:\n\n```\nBuy milk\n```/);
    assert.match(heard, /`secret\.txt`, a file of the user’s own computer, cannot be read: this client lends no such file/);
    assert.equal(turn.userMessage.text, 'Look', 'the user sees the words alone');
    assert.ok(!JSON.stringify(host.model.requests).includes('top secret'));
  });

  describe('when the turn is stopped while it reads what a client lends', () => {
    /** A message with a file that the client never answers about, and when the client is asked. */
    const lending = async (clientId: string) => {
      const asked = gate();
      await host.connect({
        clientId,
        meta: lentFilesMeta,
        onHostRequest: () => {
          asked.open();
          return new Promise<never>(() => undefined);
        },
      });
      const uri = lentUri({ clientId, key: '0'.repeat(32), names: ['notes.txt'] });
      return { attachments: [{ type: 'file' as const, uri }], asked: asked.promise };
    };

    it('does not send the message that came during the turn, and keeps it for later', async () => {
      const tools = [{ name: 'slow', description: 'Takes its time', inputSchema: { type: 'object' as const, properties: {} } }];
      const talk = await host.session(client, { config: { approvals: 'all' }, activeClient: { clientId: client.clientId, tools } });
      const { attachments, asked } = await lending('window-2');
      host.model.reply([{ tool: 'slow', args: {} }]);
      const turnId = await talk.send('Work');
      await talk.callTo('slow', 'running');
      const userMessage = { text: 'use tabs', attachments };
      await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage });
      await asked;
      const sent: unknown[] = [];
      // As the host loads it, which is another copy than a test would import by name.
      const sdk = pathToFileURL(join(engineFolder, '@github', 'copilot-sdk', 'dist', 'index.js')).href;
      const { CopilotSession: EngineSession } = (await import(sdk)) as typeof import('@github/copilot-sdk');
      const { send } = EngineSession.prototype;
      EngineSession.prototype.send = function (options) {
        sent.push(options);
        return send.call(this, options as never);
      };
      const stopped = await talk.cancel(turnId);
      await talk.until('the message in the queue', ({ queuedMessages }) => queuedMessages?.[0]?.userMessage.text === 'use tabs');
      assert.ok(!textOf(stopped).includes('could not be passed on'), textOf(stopped));
      host.model.reply([{ text: 'Well.' }]);
      await talk.dispatch({ type: 'session/pendingMessageRemoved', kind: 'queued', id: 's1' });
      assert.equal(textOf(await talk.say('And now?')), 'Well.');
      EngineSession.prototype.send = send;
      assert.equal(sent.length, 1, JSON.stringify(sent));
      assert.match(JSON.stringify(sent), /And now\?/);
    });

    it('tells the next turn what it would have told this one', async () => {
      const talk = await session();
      host.model.reply([{ text: 'Noted.' }], [{ text: 'Blue.' }]);
      const first = await talk.send('My colour is blue');
      await talk.ended(first);
      const fork = await host.session(client, { fork: { session: talk.uri, turnId: first } });
      const { attachments, asked } = await lending('window-3');
      await fork.dispatch({ type: 'session/turnStarted', turnId: 'stopped', userMessage: { text: 'Look', attachments } });
      await asked;
      await fork.cancel('stopped');
      assert.equal(textOf(await fork.say('Which colour?')), 'Blue.');
      assert.match(lastUserText(host.model.requests.at(-1)!.messages), /My colour is blue[^]*Noted\.[^]*Which colour\?/);
      host.model.reply([{ text: 'Again.' }]);
      await fork.say('Sure?');
      assert.ok(!lastUserText(host.model.requests.at(-1)!.messages).includes('Noted.'), 'once');
    });
  });

  it('plans first when it is told to, and asks about the plan', async () => {
    const talk = await session({ mode: 'plan' });
    host.model.reply([{ tool: 'exit_plan_mode', args: { summary: 'First this, then that.' } }], [{ text: 'I start.' }]);
    const turnId = await talk.send('Do it');
    const request = await talk.until('the question', ({ inputRequests }) => inputRequests?.[0]);
    const [question] = request.questions ?? [];
    assert.ok(question?.kind === 'single-select' && question.options.some(({ id }) => id === 'interactive'), JSON.stringify(question));
    await talk.dispatch({
      type: 'session/inputCompleted',
      requestId: request.id,
      response: 'accept',
      answers: { [question.id]: { state: 'submitted', value: { kind: 'selected', value: 'interactive' } } },
    });
    const turn = await talk.ended(turnId);
    assert.match(textOf(turn), /First this, then that\.[^]*I start\.$/);
  });

  it('forgets what was truncated', async () => {
    const talk = await session();
    host.model.reply([{ text: 'A' }], [{ text: 'B' }], [{ text: 'C' }]);
    const first = await talk.send('alpha');
    await talk.ended(first);
    await talk.say('beta');
    await talk.dispatch({ type: 'session/truncated', turnId: first });
    await talk.say('gamma');
    const sent = JSON.stringify(host.model.requests.at(-1)?.messages);
    assert.ok(sent.includes('alpha') && sent.includes('gamma') && !sent.includes('beta'), sent.slice(-2000));
  });
});

async function content(client: V1Client, uri: string | undefined): Promise<string> {
  assert.ok(uri);
  return (await client.request('resourceRead', { uri })).data;
}
