/** Commands of the Copilot agent: in terminals that users see and use while they run. The model reads and writes them too, and they end with what started them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { TerminalState } from '../../../src/ahp/v1/terminal.ts';
import { lastUserText } from '../../fixtures/modelServer.ts';
import { isAlive, untilGone } from '../../support/processes.ts';
import type { V1Client, V1Resource } from '../../support/v1Client.ts';
import { CopilotConversation, CopilotHost, gate, printed, terminalOf } from './copilotHarness.ts';
import { textOf, untilState } from '../host/demoHarness.ts';

describe('a command of the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });

  const session = (config: Record<string, unknown> = { approvals: 'all' }) => host.session(client, { config });
  const bash = (command: string, more: object = {}) => [{ tool: 'bash', args: { command, description: 'x', ...more } }];
  const SLEEP = `echo $$; exec sleep 300`;
  /** What the model was told last by a tool. */
  const told = () => String(host.model.requests.at(-1)?.messages.at(-1)?.content);
  const type = (terminal: V1Resource<TerminalState>, data: string) =>
    client.dispatch(terminal.uri, { type: 'terminal/input', terminal: terminal.uri, data });
  const exit = (terminal: V1Resource<TerminalState>) =>
    untilState(terminal, 'the exit', ({ exitCode }) => exitCode !== undefined && { exitCode });

  it('is shown in a terminal of its call while it runs, and says how it ended', async () => {
    const talk = await session({});
    const flag = host.file('go');
    const command = `printf '\\033[31mfirst\\033[0m\\n'; while [ ! -e ${flag} ]; do sleep 0.02; done; echo last; exit 3`;
    host.model.reply(bash(command), [{ text: 'Failed.' }]);
    const turnId = await talk.send('Run');
    const asked = await talk.decide('bash', 'once');
    assert.equal(asked.toolInput, command);
    assert.equal(asked._meta?.toolKind, 'terminal');
    const terminal = await talk.terminal();
    await printed(terminal, /first/);
    assert.equal(talk.calls()[0]?.status, 'running');
    assert.deepEqual(terminal.state?.claim, { kind: 'session', session: talk.uri, turnId, toolCallId: asked.toolCallId });
    host.file('go', '');
    await talk.ended(turnId);
    const done = await talk.callTo('bash', 'completed');
    assert.equal(done.success, false);
    assert.equal(done.error?.message, 'The command ended with exit code 3.');
    assert.deepEqual(done.structuredContent, { exitCode: 3 });
    assert.deepEqual(done.content, [
      { type: 'terminal', resource: terminal.uri, title: `${command.slice(0, 80)}…` },
      { type: 'text', text: 'first\nlast' },
    ]);
    assert.equal(told(), 'first\nlast\n[ended with exit code 3]');
    assert.deepEqual(await exit(terminal), { exitCode: 3 });
    // Somebody who looks at it only now.
    const late = (await host.connect()).subscribeTerminal(terminal.uri);
    await printed(late, /first[^]*last/);
  });

  it('takes what the user types into it', async () => {
    const talk = await session();
    host.model.reply(bash('read -p "Name? " name; echo "Hello $name"'), [{ text: 'ok' }]);
    const turnId = await talk.send('Greet');
    const terminal = await talk.terminal();
    await printed(terminal, /Name\?/);
    type(terminal, 'Ann\r');
    await talk.ended(turnId);
    assert.equal(told(), 'Name? Ann\nHello Ann\n[ended with exit code 0]');
  });

  it('goes on in the background, where the model reads it, types into it with consent, lists it and stops it', async () => {
    const talk = await session({});
    const command = `echo ready; read line; echo "got $line"; ${SLEEP}`;
    host.model.reply(
      bash(command, { mode: 'async', shellId: 'job', initial_wait: 0 }),
      [{ tool: 'list_bash', args: {} }],
      [{ tool: 'write_bash', args: { shellId: 'job', input: 'yes{enter}', delay: 600 } }],
      [{ tool: 'write_bash', args: { shellId: 'job', input: '{ctrl-z}' } }],
      [{ tool: 'read_bash', args: { shellId: 'job', delay: 0 } }],
      [{ tool: 'stop_bash', args: { shellId: 'job' } }],
      [{ tool: 'read_bash', args: { shellId: 'job', delay: 0 } }],
      [{ tool: 'list_bash', args: {} }],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Work');
    await talk.decide('bash', 'once');
    const terminal = await talk.terminal();
    const typing = await talk.callTo('write_bash', 'pending-confirmation');
    assert.deepEqual((await talk.callTo('bash', 'completed')).structuredContent, { exitCode: null }, 'what it prints is no exit code');
    assert.match(told(), /^“job”: "echo ready.*, running for \d+ s$/);
    assert.deepEqual(typing.confirmationTitle, { markdown: `Type this into \`${command}\`, which runs in shell \`job\`?` });
    assert.equal(typing.toolInput, 'yes{enter}');
    assert.deepEqual(
      typing.options?.map(({ id }) => id),
      ['once', 'deny', 'deny-stop'],
    );
    await printed(terminal, /ready/);
    await talk.decide('write_bash', 'once');
    const pid = Number((await printed(terminal, /got yes\r\n(\d+)\r\n/))[1]);
    // A message of the user ends the long wait.
    await talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id: 's1', userMessage: { text: 'hurry' } });
    await talk.until('the second input', () => talk.calls().filter((call) => call.toolName === 'write_bash').length === 2);
    await talk.decide('write_bash', 'deny', 'leave it');
    await talk.ended(turnId);
    await untilGone(pid);
    const results = host.model.requests
      .at(-1)!
      .messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
    const [begun, , typed, denied, read, stopped, again, listed] = results;
    assert.match(begun!, /\[still running in shell “job”\]$/);
    assert.match(typed!, /got yes\n\d+\n\[still running/);
    assert.match(denied!, /leave it/);
    assert.match(read!, /^\(no output\)\n\[still running/);
    assert.match(stopped!, /\[ended with a signal\]$/);
    assert.match(again!, /^\(no output\)\n\[ended with a signal\]$/);
    assert.equal(listed, 'No command is running.');
  });

  it('is one of several with the name that two calls ask for at once', async () => {
    const talk = await session();
    const twice = ['one', 'two'].flatMap((text) => bash(`echo ${text}; sleep 300`, { mode: 'async', shellId: 'same', initial_wait: 0 }));
    host.model.reply(twice, [{ tool: 'stop_bash', args: { shellId: 'same' } }], [{ tool: 'list_bash', args: {} }], [{ text: 'ok' }]);
    await talk.say('Run');
    assert.equal(told(), 'No command is running.');
    const [one, other, ...later] = talk.calls().map((call) => call.status === 'completed' && call.success);
    // Which of the two comes first is the engine's choice.
    assert.deepEqual([one !== other, ...later], [true, true, true]);
  });

  it('gets what was allowed to be typed only while it is the one in the shell: the name may be used again', async () => {
    const talk = await session({});
    const run = (command: string) => ({ command, description: 'x', mode: 'async', shellId: 'job', initial_wait: 0 });
    const flag = host.file('end-of-first');
    host.model.reply(
      [{ tool: 'bash', args: run(`while [ ! -e ${flag} ]; do sleep 0.02; done`) }],
      // At once, so that both wait for the user together.
      [
        { tool: 'write_bash', args: { shellId: 'job', input: 'yes{enter}' } },
        { tool: 'bash', args: run('read line; echo "got $line"') },
      ],
      [{ text: 'ok' }],
    );
    const turnId = await talk.send('Work');
    await talk.decide('bash', 'once');
    await talk.callTo('write_bash', 'pending-confirmation');
    await talk.callTo('bash', 'pending-confirmation');
    const first = client.subscribeTerminal(terminalOf(talk.calls()[0]!) ?? '');
    host.file('end-of-first', '');
    await exit(first);
    await talk.decide('bash', 'once');
    await talk.until('the other command', () => talk.calls()[2]?.status === 'completed');
    await talk.decide('write_bash', 'once');
    await talk.ended(turnId);
    const typing = talk.calls()[1];
    assert.ok(typing?.status === 'completed' && !typing.success);
    assert.doesNotMatch(JSON.stringify(host.model.requests.at(-1)?.messages), /got yes/);
  });

  it('tells the model what it did wrong', async () => {
    const talk = await session();
    const count = host.model.requests.length;
    host.model.reply(
      bash(SLEEP, { shellId: 'a', initial_wait: 0 }),
      bash('echo', { shellId: 'a' }),
      [{ tool: 'read_bash', args: { shellId: 'b', delay: 0 } }],
      [{ tool: 'stop_bash', args: { shellId: 'a' } }],
      [{ tool: 'write_bash', args: { shellId: 'a', input: 'x' } }],
      [{ tool: 'bash', args: { description: 'x' } }],
      [{ text: 'ok' }],
    );
    assert.equal((await talk.say('Try')).state, 'complete');
    const answers = host.model.requests.slice(count + 1).map(({ messages }) => String(messages.at(-1)?.content));
    assert.match(answers[1]!, /shell “a” is in use/);
    assert.match(answers[2]!, /no shell “b”\. “a”: .*running/);
    assert.match(answers[4]!, /Nothing was typed: the command has ended/);
    assert.match(answers[5]!, /bash needs command/);
  });

  it('gives the model the beginning and the end of much output, and the user all of it', async () => {
    const talk = await session();
    host.model.reply(bash('seq 1 10000'), [{ text: 'ok' }]);
    await talk.say('Count');
    assert.match(told(), /^1\n2\n[^]*\n\[\d+ characters are left out here\]\n[^]*\n10000\n\[ended with exit code 0\]$/);
    assert.ok(told().length < 32_000);
    await printed(await talk.terminal(), /^1\r\n2\r\n[^]*\n5000\r\n[^]*\n10000\r\n$/);
  });

  it('that ends in the background is told with the next result of a tool, once', async () => {
    const talk = await session();
    const flag = host.file('end-now');
    const read = gate();
    host.model.reply(
      bash(`while [ ! -e ${flag} ]; do sleep 0.02; done; exit 7`, { mode: 'async', initial_wait: 0 }),
      [{ wait: read.promise }, { tool: 'view', args: { path: host.file('seen.txt', 'seen\n') } }],
      [{ tool: 'view', args: { path: host.file('seen.txt') } }],
      [{ text: 'ok' }],
    );
    const before = host.model.requests.length;
    const turnId = await talk.send('Work');
    // Until the model has its result, the engine may still ask for what to add to it.
    await host.request(before + 2);
    host.file('end-now', '');
    await exit(await talk.terminal());
    read.open();
    await talk.ended(turnId);
    const { messages } = host.model.requests.at(-1)!;
    assert.match(JSON.stringify(messages.at(-3)?.content), /The command .*while .* in shell “1” has ended with exit code 7/);
    assert.equal(JSON.stringify(messages).match(/has ended with exit code 7/g)?.length, 1);
    await talk.say('And?');
    assert.equal(JSON.stringify(host.model.requests.at(-1)?.messages).match(/has ended with exit code 7/g)?.length, 1);
  });

  it('outlives the turn that is completed, and ends with the session', async () => {
    const talk = await session();
    host.model.reply(bash(SLEEP, { mode: 'async', shellId: 'server' }), [{ text: 'Runs.' }]);
    assert.equal((await talk.say('Serve')).state, 'complete');
    const pid = await talk.printedNumber();
    host.model.reply([{ tool: 'read_bash', args: { shellId: 'server', delay: 0 } }], [{ text: 'ok' }]);
    await talk.say('How is it?');
    assert.match(told(), /still running in shell “server”/);
    assert.ok(isAlive(pid));
    const terminal = await talk.terminal();
    await client.request('disposeSession', { session: talk.uri });
    await untilGone(pid);
    await assert.rejects(client.request('subscribe', { resource: terminal.uri }), /no|not/i);
  });

  it('ends with the turn that is cancelled, in the background too, unlike one of an earlier turn', async () => {
    const talk = await session();
    host.model.reply(bash(SLEEP, { mode: 'async', shellId: 'earlier' }), [{ text: 'Runs.' }]);
    await talk.say('Serve');
    const earlier = await talk.printedNumber();
    // What the commands themselves started: one tidies up when it is asked to end, the other does not want to.
    const tidied = host.file('tidied');
    const polite = `trap '' HUP; (trap 'touch ${tidied}; exit' TERM; echo $BASHPID; while :; do sleep 0.05; done) & wait`;
    const stubbornly = `trap '' TERM HUP; (echo $BASHPID; while :; do sleep 1; done) & wait`;
    host.model.reply(bash(polite, { mode: 'async', shellId: 'now' }), bash(stubbornly));
    const turnId = await talk.send('Build');
    await talk.until('both commands', () => talk.calls().filter(({ toolName }) => toolName === 'bash').length === 3);
    const stubborn = await talk.printedNumber();
    const background = client.subscribeTerminal(terminalOf(talk.calls()[1]!) ?? '');
    const pid = Number((await printed(background, /^(\d+)\r\n/))[1]);
    await talk.cancel(turnId);
    assert.equal(talk.calls().at(-1)?.status, 'cancelled');
    await untilGone(pid, stubborn);
    assert.ok(existsSync(tidied));
    assert.ok(isAlive(earlier));
    host.model.reply([{ tool: 'list_bash', args: {} }], [{ tool: 'stop_bash', args: { shellId: 'earlier' } }], [{ text: 'ok' }]);
    await talk.say('What runs?');
    const [listed] = host.model.requests
      .at(-1)!
      .messages.filter(({ role }) => role === 'tool')
      .slice(-2);
    assert.match(String(listed?.content), /^“earlier”: [^\n]*$/);
    await untilGone(earlier);
  });

  it('ends with the engine that is killed; one of an earlier turn is still the model’s', async () => {
    const talk = await session();
    host.model.reply(bash(SLEEP, { mode: 'async', shellId: 'earlier' }), [{ text: 'Runs.' }], bash(SLEEP));
    await talk.say('Serve');
    const earlier = await talk.printedNumber();
    const turnId = await talk.send('Build');
    await talk.callTo('bash', 'running');
    const pid = await talk.printedNumber();
    process.kill(host.agent.enginePid!, 'SIGKILL');
    assert.equal((await talk.ended(turnId)).error?.errorType, 'EngineDied');
    assert.equal(talk.calls().at(-1)?.status, 'cancelled');
    await untilGone(pid);
    assert.ok(isAlive(earlier));
    host.model.reply([{ tool: 'stop_bash', args: { shellId: 'earlier' } }], [{ text: 'ok' }]);
    assert.equal((await talk.say('Stop it')).state, 'complete');
    await untilGone(earlier);
  });

  it('ends with the host, also what has left its terminal', async () => {
    const other = new CopilotHost();
    try {
      const talk = await other.session(await other.start(), { config: { approvals: 'all' } });
      const escaped = `setsid sh -c 'echo $$; exec sleep 300' &`;
      other.model.reply(bash(`${escaped} sleep 300`, { mode: 'async' }), [{ text: 'Runs.' }]);
      await talk.say('Serve');
      const pid = await talk.printedNumber();
      await other.stopHost();
      await untilGone(pid);
    } finally {
      await other.stop();
    }
  });

  it('does not run when it is denied', async () => {
    const talk = await session({});
    const mark = host.file('denied');
    host.model.reply(bash(`touch ${mark}`), [{ text: 'ok' }]);
    const turnId = await talk.send('Run');
    await talk.decide('bash', 'deny');
    await talk.ended(turnId);
    assert.equal(existsSync(mark), false);
    assert.deepEqual(
      talk.calls().map(({ status }) => status),
      ['cancelled'],
    );
  });

  it('of a subagent needs consent, runs once, and belongs to its session', async () => {
    const talk = await session({});
    const count = host.file('count');
    host.model.reply(
      [{ tool: 'task', args: { agent_type: 'task', name: 'finder', description: 'Find it', prompt: 'look around' } }],
      bash(`echo once >> ${count}; echo done`),
      [{ text: 'Found.' }],
      [{ text: 'All done.' }],
    );
    const turnId = await talk.send('Delegate');
    const content = await talk.until('the subagent', () => {
      const call = talk.calls()[0];
      return call?.status === 'running' && call.content?.[0];
    });
    assert.ok(content.type === 'subagent');
    const sub = new CopilotConversation(client, content.resource);
    const { toolCallId } = await sub.decide('bash', 'once');
    assert.equal(existsSync(count), false);
    assert.equal(textOf(await talk.ended(turnId)), 'All done.');
    assert.equal(readFileSync(count, 'utf8'), 'once\n');
    const terminal = await sub.terminal();
    await exit(terminal);
    assert.ok(terminal.state?.claim.kind === 'session');
    assert.deepEqual([terminal.state.claim.session, terminal.state.claim.toolCallId], [sub.uri, toolCallId]);
    rmSync(count);
  });

  it('is typed into once by a subagent, for which the engine asks twice', async () => {
    const talk = await session();
    const command = 'read a; echo "got $a"; if read -t 1 b; then echo "and $b"; fi';
    host.model.reply(
      [{ tool: 'task', args: { agent_type: 'task', name: 'typist', description: 'Type it', prompt: 'type' } }],
      bash(command, { mode: 'async', shellId: 'job', initial_wait: 0 }),
      [{ tool: 'write_bash', args: { shellId: 'job', input: 'x{enter}', delay: 0 } }],
      [{ tool: 'read_bash', args: { shellId: 'job', delay: 600 } }],
      [{ text: 'Typed.' }],
      [{ text: 'All done.' }],
    );
    await talk.say('Delegate');
    const results = host.model.requests.at(-2)!.messages.filter(({ role }) => role === 'tool');
    const text = results.map(({ content }) => String(content)).join('\n');
    assert.ok(text.includes('got x') && !text.includes('and x'), text);
  });

  it('is not replaced by a client’s tool with its name', async () => {
    const lend = (name: string) => ({
      name,
      description: `${name} of the client`,
      inputSchema: { type: 'object' as const, properties: {} },
    });
    const talk = await host.session(client, {
      activeClient: { clientId: client.clientId, tools: [lend('bash'), lend('write_bash')] },
    });
    await talk.say('Hello');
    const { tools = [], messages } = host.model.requests.at(-1)!;
    const descriptions = Object.fromEntries(tools.map(({ function: { name, description } }) => [name, description]));
    assert.match(descriptions.bash ?? '', /in a terminal of its own/);
    assert.match(descriptions.write_bash ?? '', /user is asked first/);
    assert.equal(descriptions.bash_client, 'bash of the client');
    assert.equal(descriptions.write_bash_client, 'write_bash of the client');
    assert.match(lastUserText(messages), /Hello/);
  });
});
