/** The demo agent end to end: every skill, over a real socket, through the real client. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withContext } from '../../../src/base/text/contextBlock.ts';
import { grantsMeta, grantsOf, hasGrants } from '../../../src/ahp/grants.ts';
import type { SessionInputAnswer, SessionInputAnswerValue } from '../../../src/ahp/v1/inputRequest.ts';
import { skills } from '../../../src/host/agents/demo/skills.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { callsOf, DemoConversation, DemoHost, textOf, untilState } from './demoHarness.ts';

describe('the demo agent', function () {
  this.timeout(30_000);
  let host: DemoHost;
  let client: V1Client;
  let chat: DemoConversation;

  beforeEach(async () => {
    host = new DemoHost();
    client = await host.start();
    chat = await host.session(client);
  });
  afterEach(() => host.stop());

  const path = (...names: string[]) => join(host.directory, ...names);
  const file = (name: string) => readFileSync(path(name), 'utf8');
  const read = async (uri: string | undefined) => (await client.request('resourceRead', { uri: uri ?? '' })).data;

  describe('in general', () => {
    it('says that it is a demo, has two models, offers its tools and names a session by its first message', async () => {
      const agent = client.subscribeRoot().state?.agents[0];
      assert.equal(agent?.provider, 'demo');
      assert.match(`${agent?.displayName} ${agent?.description}`, /Demo agent.*without a model/);
      assert.deepEqual(
        agent?.models.map(({ id, configSchema }) => [id, configSchema !== undefined]),
        [
          ['demo-steady', true],
          ['demo-fast', false],
        ],
      );
      assert.ok(chat.state.serverTools?.some(({ name }) => name === 'run_command'));
      await chat.say('help\nplease');
      assert.equal(chat.state.summary.title, 'help');
    });

    it('helps with a table of all skills, also when it understands nothing', async () => {
      const help = await chat.say('Help');
      for (const skill of skills) assert.ok(textOf(help).includes(`\`${skill.name}`), skill.name);
      const lost = await chat.say('make it so');
      assert.match(textOf(lost), /only the \*\*demo agent\*\*/);
      assert.ok(textOf(lost).includes('| `run <command>` |'));
      assert.equal(lost.state, 'complete');
    });

    it('estimates tokens and says so', async () => {
      const { usage, responseParts } = await chat.say('stream 1');
      const said = textOf({ responseParts }).length + textOf({ responseParts }, 'reasoning').length;
      assert.deepEqual([usage?.inputTokens, usage?.model], [2, 'demo-fast (tokens are estimates)']);
      assert.ok(Math.abs((usage?.outputTokens ?? 0) - said / 4) < 5);
    });

    it('lets the configuration decide, and completes file names', async () => {
      writeFileSync(path('todo.txt'), 'buy milk\n');
      writeFileSync(path('other.md'), '');
      const workingDirectory = pathToFileURL(host.directory).href;
      const { schema, values } = await client.request('resolveSessionConfig', {
        provider: 'demo',
        workingDirectory,
        config: { approvals: 'auto' },
      });
      assert.deepEqual(values, { approvals: 'auto', notesFile: 'notes.md' });
      assert.equal(schema.properties.approvals?.sessionMutable, true);
      const asked = { provider: 'demo', workingDirectory, property: 'notesFile' };
      assert.deepEqual((await client.request('sessionConfigCompletions', { ...asked, query: 'TODO' })).items, [
        { value: 'todo.txt', label: 'todo.txt' },
      ]);
      assert.equal((await client.request('sessionConfigCompletions', asked)).items.length, 2);
      await chat.dispatch({ type: 'session/configChanged', config: { notesFile: 'todo.txt' } });
      const turn = await chat.send('read');
      await chat.confirmResult(true);
      assert.match(textOf(await chat.ended(turn)), /buy milk/);
    });
  });

  describe('stream', () => {
    it('reasons first and then gives Markdown in many pieces', async () => {
      const turn = await chat.say('stream 2');
      assert.deepEqual(
        turn.responseParts.map(({ kind }) => kind),
        ['reasoning', 'markdown'],
      );
      const text = textOf(turn);
      for (const form of [/^# /m, /^## Section 2 of 2$/m, /^- /m, /^ {2}1\. /m, /^\| --- \|/m, /^```ts$/m, /\]\(https:/])
        assert.match(text, form);
      assert.match(textOf(await chat.say('stream -1')), /from 1 to/);
    });

    it('thinks as much as the model is set to', async () => {
      const steady = await host.session(client, { model: { id: 'demo-steady', config: { thinking: 'off' } } });
      assert.equal(textOf(await steady.say('stream 1'), 'reasoning'), '');
      await steady.dispatch({ type: 'session/modelChanged', model: { id: 'demo-steady', config: { thinking: 'long' } } });
      assert.ok(textOf(await steady.say('stream 1'), 'reasoning').length > textOf(await chat.say('stream 1'), 'reasoning').length);
    });

    it('stops in the middle when cancelled and works again after', async () => {
      host.time.holdWords = true;
      const turnId = await chat.send('stream 3');
      for (let word = 0; word < 5; word++) await host.time.tick();
      await chat.until('some reasoning', ({ activeTurn }) => activeTurn && textOf(activeTurn, 'reasoning').length > 10);
      await chat.dispatch({ type: 'session/turnCancelled', turnId });
      const turn = await chat.ended(turnId);
      assert.equal(turn.state, 'cancelled');
      assert.ok(textOf(turn, 'reasoning').length > 0 && textOf(turn) === '');
      host.time.holdWords = false;
      assert.equal((await chat.say('help')).state, 'complete');
    });
  });

  describe('run', () => {
    it('writes the input, asks, runs what was approved in a live terminal and reports', async () => {
      host.time.holdWords = true;
      const turn = await chat.send('run echo never');
      await host.time.tick();
      const streaming = await chat.until('the input', ({ activeTurn }) => {
        const [call] = callsOf(activeTurn?.responseParts);
        return call?.status === 'streaming' && call.partialInput === 'echo never' && call;
      });
      assert.equal(streaming.toolName, 'run_command');
      host.time.holdWords = false;
      await host.time.tick();

      const waiting = await chat.call('pending-confirmation');
      assert.deepEqual([waiting.toolInput, waiting.editable, waiting.confirmationTitle], ['echo never', true, 'Run this command?']);
      assert.deepEqual(
        waiting.options?.map(({ label, kind }) => [label, kind]),
        [
          ['Run once', 'approve'],
          ['Run commands in this session without asking', 'approve'],
          ['Deny', 'deny'],
        ],
      );
      await chat.confirm({
        approved: true,
        selectedOptionId: 'once',
        editedToolInput: 'echo "in $(pwd)"; read line; echo "got $line"; exit 3',
      });

      const running = await chat.until('the terminal', ({ activeTurn }) => {
        const [call] = callsOf(activeTurn?.responseParts);
        const content = call?.status === 'running' ? call.content?.[0] : undefined;
        return content?.type === 'terminal' && content;
      });
      const terminal = client.subscribeTerminal(running.resource);
      await untilState(terminal, 'live output', ({ content }) =>
        content.some((part) => part.type === 'command' && part.output.includes(`in ${host.directory}\r\n`)),
      );
      client.dispatch(running.resource, { type: 'terminal/input', terminal: running.resource, data: 'typed\r' });

      const ended = await chat.ended(turn);
      const [call] = callsOf(ended.responseParts);
      assert.ok(call?.status === 'completed');
      assert.deepEqual([call.success, call.confirmed, call.selectedOption?.id], [false, 'user-action', 'once']);
      assert.deepEqual(call.structuredContent, { exitCode: 3 });
      const [shown, output] = call.content ?? [];
      assert.deepEqual(shown, { type: 'terminal', resource: running.resource, title: running.title });
      assert.deepEqual(output, { type: 'text', text: `in ${host.directory}\ntyped\ngot typed` });
      assert.match(textOf(ended), /\*\*exit 3\*\*[^]*got typed/);
      await untilState(terminal, 'the exit code', ({ exitCode }) => exitCode === 3);

      const again = await chat.send('run true');
      await chat.call('pending-confirmation');
      await chat.confirm({ approved: false, selectedOptionId: 'deny', reasonMessage: 'not [now]' });
      const denied = await chat.ended(again);
      assert.equal(callsOf(denied.responseParts)[0]?.status, 'cancelled');
      assert.match(textOf(denied), /did not allow it\. Your reason: “not \\\[now\\\]”/);
    });

    it('remembers “this session” until the turn in which it was said is gone', async () => {
      const first = await chat.send('run true');
      await chat.confirm({ approved: true, selectedOptionId: 'session' });
      await chat.ended(first);
      const [call] = callsOf((await chat.say('run echo again')).responseParts);
      assert.ok(call?.status === 'completed');
      assert.deepEqual([call.confirmed, call.success], ['setting', true]);
      const other = await host.session(client);
      await other.send('run true');
      await other.call('pending-confirmation');
      await chat.dispatch({ type: 'session/truncated' });
      await chat.send('run true');
      await chat.call('pending-confirmation');
    });

    it('asks again once “this session” was taken back, which every client sees', async () => {
      assert.equal(hasGrants(client.hostMeta), false, 'a client that has not asked for it');
      const own = await host.connect({ meta: grantsMeta });
      assert.equal(hasGrants(own.hostMeta), true);
      await chat.send('run true');
      await chat.confirm({ approved: true, selectedOptionId: 'session' });
      const [grant] = await chat.until('what is allowed', (state) => grantsOf(state).length === 1 && grantsOf(state));
      assert.equal(grant?.kind, 'everyCommand');
      await chat.until('the end of the turn', ({ activeTurn }) => !activeTurn);

      const other = { kind: 'everyCommand' as const, turnId: 'another' };
      await own.requestOwn('tapline/revokeGrants', { session: chat.uri, grants: [other] });
      assert.equal(grantsOf(chat.state).length, 1);
      await own.requestOwn('tapline/revokeGrants', { session: chat.uri, grants: [grant!, other] });
      await chat.until('nothing is allowed', (state) => grantsOf(state).length === 0);
      await chat.send('run true');
      await chat.call('pending-confirmation');

      await assert.rejects(own.requestOwn('tapline/revokeGrants', { session: 'demo:/none', grants: [] }), { code: -32001 });
      const wrong = own.requestOwn('tapline/revokeGrants', { session: chat.uri, grants: [{ kind: 'all' } as never] });
      await assert.rejects(wrong, { code: -32602 });
    });

    it('does not ask where the configuration says so', async () => {
      const auto = await host.session(client, { config: { approvals: 'auto' } });
      const [call] = callsOf((await auto.say('run touch made')).responseParts);
      assert.ok(call?.status === 'completed' && call.confirmed === 'setting');
      assert.ok(existsSync(path('made')));
      await auto.dispatch({ type: 'session/configChanged', config: { approvals: 'ask' } });
      await auto.send('run touch unwanted');
      await auto.call('pending-confirmation');
      assert.ok(!existsSync(path('unwanted')));
    });

    it('kills the command when the turn is cancelled', async () => {
      const auto = await host.session(client, { config: { approvals: 'auto' } });
      const turnId = await auto.send('run sleep 1000');
      const resource = await auto.until('the terminal', ({ activeTurn }) => {
        const [call] = callsOf(activeTurn?.responseParts);
        const content = call?.status === 'running' ? call.content?.[0] : undefined;
        return content?.type === 'terminal' && content.resource;
      });
      await auto.dispatch({ type: 'session/turnCancelled', turnId });
      await untilState(client.subscribeTerminal(resource), 'the end of the command', ({ exitCode }) => exitCode === 128 + 15);
      const [call] = callsOf((await auto.ended(turnId)).responseParts);
      assert.equal(call?.status, 'cancelled');
      assert.equal(callsOf((await auto.say('run true')).responseParts)[0]?.status, 'completed');
    });

    it('keeps what users and programs write from becoming Markdown', async () => {
      const auto = await host.session(client, { config: { approvals: 'auto' } });
      const turn = await auto.say("run printf '```\\n# no heading\\n'");
      assert.match(textOf(turn), /````text\n```\n# no heading\n````/);
      const [call] = callsOf(turn.responseParts);
      assert.ok(call?.status === 'completed' && typeof call.pastTenseMessage === 'object');
      assert.match(call.pastTenseMessage.markdown, /^Ran ````printf '```/);
    });
  });

  it('goes on in a session of an earlier run of the host: its changes count together, its contents are there', async () => {
    const options = { sessionsFolder: join(host.base, 'sessions') };
    client = await host.restart(options);
    chat = await host.session(client);
    const edit = async (line: string) => {
      const turn = await chat.send(`edit notes.md ${line}`);
      await chat.confirm({ approved: true });
      await chat.ended(turn);
    };
    await edit('first');
    const before = chat.state;
    client = await host.restart(options);
    chat = new DemoConversation(client, chat.uri, 1);
    const after = await chat.until('the session', () => chat.state);
    assert.deepEqual(after.turns, before.turns);
    assert.deepEqual(after.summary.diffs, before.summary.diffs);
    await edit('second');
    const [diff] = chat.state.summary.diffs ?? [];
    assert.deepEqual([diff?.before, diff?.diff], [undefined, { added: 2, removed: 0 }]);
    assert.equal(await read(before.summary.diffs?.[0]?.after?.content.uri), 'first\n');
    assert.equal(file('notes.md'), 'first\nsecond\n');
  });

  describe('edit', () => {
    it('shows the difference, writes on approval and counts the change', async () => {
      const turn = await chat.send('edit notes.md first');
      const waiting = await chat.call('pending-confirmation');
      assert.equal(waiting.confirmationTitle, 'Create notes.md?');
      assert.deepEqual(JSON.parse(waiting.toolInput ?? ''), { file: 'notes.md', line: 'first' });
      const [preview] = waiting.edits?.items ?? [];
      assert.deepEqual([preview?.before, preview?.diff], [undefined, { added: 1, removed: 0 }]);
      assert.equal(await read(preview?.after?.content.uri), 'first\n');
      assert.ok(!existsSync(path('notes.md')));
      await chat.confirm({ approved: true, selectedOptionId: 'apply' });
      const [call] = callsOf((await chat.ended(turn)).responseParts);
      assert.ok(call?.status === 'completed' && call.content?.[0]?.type === 'fileEdit');
      assert.equal(file('notes.md'), 'first\n');

      await chat.send('edit notes.md second');
      const [next] = (await chat.call('pending-confirmation')).edits?.items ?? [];
      assert.equal(await read(next?.before?.content.uri), 'first\n');
      assert.equal(await read(next?.after?.content.uri), 'first\nsecond\n');
      await chat.confirm({ approved: true });
      const diffs = await chat.until('the changes', ({ summary }) => summary.diffs?.[0]?.diff?.added === 2 && summary.diffs);
      assert.equal(diffs.length, 1);
      assert.deepEqual([diffs[0]?.before, diffs[0]?.after?.uri], [undefined, pathToFileURL(path('notes.md')).href]);
      assert.equal(await read(diffs[0]?.after?.content.uri), 'first\nsecond\n');
    });

    it('takes the input as the user left it', async () => {
      writeFileSync(path('plan.txt'), 'no newline');
      const turn = await chat.send('edit');
      await chat.confirm({ approved: true, editedToolInput: '{"file":"plan.txt","line":"mine"}' });
      await chat.ended(turn);
      assert.equal(file('plan.txt'), 'no newline\nmine\n');
      for (const editedToolInput of ['{', '{"file":5,"line":""}', 'null']) {
        const broken = await chat.send('edit plan.txt x');
        await chat.confirm({ approved: true, editedToolInput });
        const [call] = callsOf((await chat.ended(broken)).responseParts);
        assert.ok(call?.status === 'completed' && !call.success && call.error, editedToolInput);
        assert.equal(call.confirmed, 'user-action');
      }
      assert.equal(file('plan.txt'), 'no newline\nmine\n');
    });

    it('asks again when the file has changed meanwhile, and leaves it when denied', async () => {
      writeFileSync(path('notes.md'), 'old\n');
      const turn = await chat.send('edit notes.md new');
      await chat.call('pending-confirmation');
      writeFileSync(path('notes.md'), 'someone else\n');
      await chat.confirm({ approved: true });
      const second = await chat.until('the second question', ({ activeTurn }) => {
        const [call] = callsOf(activeTurn?.responseParts);
        return call?.status === 'pending-confirmation' && String(call.confirmationTitle).includes('changed in the meantime') && call;
      });
      assert.equal(await read(second.edits?.items[0]?.before?.content.uri), 'someone else\n');
      await chat.confirm({ approved: true });
      await chat.ended(turn);
      assert.equal(file('notes.md'), 'someone else\nnew\n');
      const denied = await chat.send('edit notes.md unwanted');
      await chat.confirm({ approved: false });
      assert.match(textOf(await chat.ended(denied)), /is as it was/);
      assert.equal(file('notes.md'), 'someone else\nnew\n');
    });

    it('never leaves the working directory, and says why', async () => {
      writeFileSync(join(host.base, 'outside.txt'), 'outside');
      symlinkSync(join(host.base, 'outside.txt'), path('link.txt'));
      symlinkSync(host.base, path('up'));
      mkdirSync(path('folder'));
      writeFileSync(path('binary'), Buffer.of(0xff, 0xfe));
      for (const name of [
        '../outside.txt',
        join(host.base, 'outside.txt'),
        'link.txt',
        'up/outside.txt',
        'up/new.txt',
        'folder',
        'binary',
      ]) {
        const turn = await chat.say(`edit ${name} x`);
        const [call] = callsOf(turn.responseParts);
        assert.ok(call?.status === 'completed' && !call.success && call.error?.message, name);
        assert.match(textOf(turn), /The edit failed/);
      }
      const edited = await chat.send('edit fine.txt x');
      await chat.confirm({ approved: true, editedToolInput: '{"file":"../outside.txt","line":"x"}' });
      assert.match(textOf(await chat.ended(edited)), /failed/);
      assert.equal(readFileSync(join(host.base, 'outside.txt'), 'utf8'), 'outside');
      assert.ok(!existsSync(join(host.base, 'new.txt')));
    });
  });

  it('read: the user decides whether the agent gets the result', async () => {
    writeFileSync(path('notes.md'), 'classified\nmore\n');
    const kept = await chat.send('read notes.md');
    const waiting = await chat.call('pending-result-confirmation');
    assert.deepEqual(waiting.content, [{ type: 'text', text: 'classified\nmore\n' }]);
    await chat.confirmResult(false);
    const keptTurn = await chat.ended(kept);
    assert.deepEqual(
      callsOf(keptTurn.responseParts).map((call) => call.status === 'cancelled' && call.reason),
      ['result-denied'],
    );
    assert.ok(!textOf(keptTurn).includes('classified'));
    const given = await chat.send('read notes.md');
    await chat.confirmResult(true);
    assert.match(textOf(await chat.ended(given)), /2 lines[^]*classified/);
    assert.match(textOf(await chat.say('read nope.md')), /could not read/);
    assert.match(textOf(await chat.say('read ../../etc/passwd')), /outside/);
  });

  describe('ask', () => {
    const submitted = (value: SessionInputAnswerValue): SessionInputAnswer => ({ state: 'submitted', value });

    it('asks every kind of question and repeats what it got', async () => {
      const turn = await chat.send('ask');
      const request = await chat.until('the questions', ({ inputRequests }) => inputRequests?.[0]);
      assert.deepEqual(
        request.questions?.map(({ kind, required }) => [kind, required ?? false]),
        [
          ['text', true],
          ['text', false],
          ['number', false],
          ['integer', true],
          ['boolean', false],
          ['single-select', true],
          ['multi-select', false],
        ],
      );
      const complete = { type: 'session/inputCompleted', requestId: request.id, response: 'accept' } as const;
      const refused = await chat.refusable({ ...complete, answers: {} });
      assert.equal(refused.kind, 'rejected');
      await chat.dispatch({
        ...complete,
        answers: {
          name: submitted({ kind: 'text', value: 'Tap *line*' }),
          contact: { state: 'skipped' },
          budget: submitted({ kind: 'number', value: 2.5 }),
          people: submitted({ kind: 'number', value: 7 }),
          tests: submitted({ kind: 'boolean', value: true }),
          database: submitted({ kind: 'selected', value: '', freeformValues: ['DuckDB'] }),
          platforms: submitted({ kind: 'selected-many', value: ['linux', 'mac'] }),
        },
      });
      const text = textOf(await chat.ended(turn));
      for (const line of [
        '- **Name**: Tap \\*line\\*',
        '- **Contact**: *skipped*',
        '- **Budget**: 2.5',
        '- **People**: 7',
        '- **Tests**: yes',
        '- **Database**: DuckDB (your own words)',
        '- **Platforms**: Linux, macOS',
      ])
        assert.ok(text.includes(line), `${line} in ${text}`);
    });

    it('takes a no, and asks to open a page', async () => {
      for (const [message, response, said] of [
        ['ask', 'decline', /declined/],
        ['ask', 'cancel', /cancelled/],
        ['ask url', 'accept', /it worked/],
        ['ask url', 'decline', /did not want/],
      ] as const) {
        const turn = await chat.send(message);
        const request = await chat.until('the request', ({ inputRequests }) => inputRequests?.[0]);
        assert.equal(request.url !== undefined, message === 'ask url');
        await chat.dispatch({ type: 'session/inputCompleted', requestId: request.id, response });
        assert.match(textOf(await chat.ended(turn)), said);
      }
    });
  });

  describe('client', () => {
    const tools = [{ name: 'shout', title: 'Shout', description: 'Says it *louder*' }];

    it('says how to provide a tool, lists the tools, and calls one', async () => {
      assert.match(textOf(await chat.say('client shout')), /No client provides tools/);
      const lend = (lent: typeof tools) =>
        chat.dispatch({
          type: 'session/activeClientChanged',
          activeClient: { clientId: client.clientId, displayName: 'Tests', tools: lent },
        });
      await lend([]);
      assert.match(textOf(await chat.say('client')), /provides no tools/);
      await lend(tools);
      assert.match(textOf(await chat.say('client')), /- `shout` — Says it \\\*louder\\\*/);
      assert.match(textOf(await chat.say('client whisper')), /There is no tool `whisper`/);
      assert.match(textOf(await chat.say('client shout {')), /not JSON/);

      for (const [success, said] of [
        [true, /`Shout` succeeded and returned[^]*HELLO/],
        [false, /`Shout` failed: too loud/],
      ] as const) {
        const turnId = await chat.send('client shout {"text":"hello"}');
        const asked = await chat.call('pending-confirmation');
        assert.deepEqual([asked.toolClientId, asked.toolInput], [client.clientId, '{"text":"hello"}']);
        const approval = { approved: true, confirmed: 'user-action' } as const;
        await chat.dispatch({ type: 'session/toolCallConfirmed', turnId, toolCallId: asked.toolCallId, ...approval });
        const call = await chat.call('running');
        await chat.dispatch({
          type: 'session/toolCallComplete',
          turnId,
          toolCallId: call.toolCallId,
          result: success
            ? { success, pastTenseMessage: 'Shouted', content: [{ type: 'text', text: 'HELLO' }] }
            : { success, pastTenseMessage: 'Failed', error: { message: 'too loud' } },
        });
        assert.match(textOf(await chat.ended(turnId)), said);
      }
    });

    it('does not call what the user denies, and asks for nothing where approvals are automatic', async () => {
      const lend = { type: 'session/activeClientChanged', activeClient: { clientId: client.clientId, tools } } as const;
      await chat.dispatch(lend);
      const turnId = await chat.send('client shout');
      const { toolCallId } = await chat.call('pending-confirmation');
      await chat.dispatch({ type: 'session/toolCallConfirmed', turnId, toolCallId, approved: false, reason: 'denied' });
      assert.match(textOf(await chat.ended(turnId)), /did not allow it.*did not call `Shout`/);

      const auto = await host.session(client, { config: { approvals: 'auto' } });
      await auto.dispatch(lend);
      const second = await auto.send('client shout');
      assert.equal((await auto.call('running')).confirmed, 'setting');
      await auto.dispatch({ type: 'session/turnCancelled', turnId: second });
    });

    it('reads the words behind what providers have put in front of them', async () => {
      const text = withContext([{ kind: 'context', provider: 'p', content: 'run something else' }], 'client');
      assert.match(textOf(await chat.say(text)), /No client provides tools/);
      assert.equal(chat.state.summary.title, 'client');
    });

    it('carries on when the client goes in the middle of it', async () => {
      const lender = await host.connect();
      const theirs = lender.subscribeSession(chat.uri);
      await untilState(theirs, 'the session', () => true);
      const activeClient = { clientId: lender.clientId, tools };
      await lender.dispatch(chat.uri, { type: 'session/activeClientChanged', session: chat.uri, activeClient }).settled;
      const turn = await chat.send('client shout');
      const { toolCallId } = await chat.call('pending-confirmation');
      const approval = { approved: true, confirmed: 'user-action' } as const;
      await chat.dispatch({ type: 'session/toolCallConfirmed', turnId: turn, toolCallId, ...approval });
      await chat.call('running');
      lender.close();
      const ended = await chat.ended(turn);
      assert.match(textOf(ended), /The call failed/);
      assert.equal(ended.state, 'complete');
    });
  });

  it('subagent: works in a session of its own that the call links', async () => {
    writeFileSync(path('a.txt'), '');
    mkdirSync(path('b'));
    const turn = await chat.say('subagent look around');
    const [call] = callsOf(turn.responseParts);
    assert.ok(call?.status === 'completed' && call.success);
    const [link, result] = call.content ?? [];
    assert.ok(link?.type === 'subagent');
    assert.equal(link.resource, `${chat.uri}/subagent/${call.toolCallId}`);
    assert.deepEqual(result, { type: 'text', text: 'The subagent found 2 entries.' });
    const inner = await untilState(client.subscribeSession(link.resource), 'the turn of the subagent', ({ turns }) => turns[0]);
    assert.equal(inner.userMessage.text, 'look around');
    assert.deepEqual(
      inner.responseParts.map(({ kind }) => kind),
      ['reasoning', 'markdown', 'toolCall', 'markdown'],
    );
    const [listed] = callsOf(inner.responseParts);
    assert.ok(listed?.status === 'completed');
    assert.deepEqual(listed.content, [{ type: 'text', text: 'a.txt\nb/' }]);
    assert.equal(inner.state, 'complete');
  });

  it('subagent: stops when the turn that started it is cancelled', async () => {
    host.time.holdWords = true;
    const turnId = await chat.send('subagent x');
    await host.time.tick();
    const { content } = await chat.until('the link', ({ activeTurn }) => {
      const [call] = callsOf(activeTurn?.responseParts);
      return call?.status === 'running' && call.content && { content: call.content };
    });
    const [link] = content;
    assert.ok(link?.type === 'subagent');
    const inner = client.subscribeSession(link.resource);
    await untilState(inner, 'the running subagent', ({ activeTurn }) => activeTurn);
    await chat.dispatch({ type: 'session/turnCancelled', turnId });
    const ended = await untilState(inner, 'the end of the subagent', ({ turns }) => turns[0]);
    assert.equal(ended.state, 'cancelled');
  });

  it('fail: ends in an error; crash: a tool fails and the turn goes on', async () => {
    const failed = await chat.say('fail');
    assert.equal(failed.state, 'error');
    assert.match(failed.error?.message ?? '', /because you asked it to/);
    const crashed = await chat.say('crash');
    const [call] = callsOf(crashed.responseParts);
    assert.ok(call?.status === 'completed');
    assert.deepEqual([call.success, call.error?.code, crashed.state], [false, 'unreadable', 'complete']);
  });

  describe('wait', () => {
    it('shows what it does and how far it is', async () => {
      const turn = await chat.send('wait 3');
      await chat.until('the activity', ({ summary }) => summary.activity === 'Waiting, 3 s left');
      await host.time.tick();
      await chat.until('progress', ({ activeTurn, summary }) => {
        const [call] = callsOf(activeTurn?.responseParts);
        const content = call?.status === 'running' ? call.content?.[0] : undefined;
        return summary.activity === 'Waiting, 2 s left' && content?.type === 'text' && content.text === '1 of 3 s';
      });
      await host.time.tick();
      await host.time.tick();
      assert.match(textOf(await chat.ended(turn)), /I waited 3 s/);
      assert.equal(chat.state.summary.activity, undefined);
    });

    it('takes steering messages while it waits', async () => {
      const turn = await chat.send('wait 100');
      await chat.until('the activity', ({ summary }) => summary.activity);
      const steer = (id: string, text: string) =>
        chat.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id, userMessage: { text } });
      await steer('s1', 'hurry up');
      await chat.until(
        'that it heard',
        ({ activeTurn, steeringMessage }) => activeTurn && !steeringMessage && textOf(activeTurn).includes('“hurry up”'),
      );
      await steer('s2', 'Stop');
      await chat.until('that it heard', ({ activeTurn }) => activeTurn && textOf(activeTurn).includes('“Stop”'));
      await host.time.tick();
      assert.match(textOf(await chat.ended(turn)), /stopped waiting after 1 s/);
    });

    it('can be cancelled', async () => {
      const turnId = await chat.send('wait');
      await chat.until('the activity', ({ summary }) => summary.activity);
      await chat.dispatch({ type: 'session/turnCancelled', turnId });
      await chat.until('the end of the activity', ({ summary }) => summary.activity === undefined);
      assert.equal((await chat.ended(turnId)).state, 'cancelled');
      assert.match(textOf(await chat.say('wait x')), /how many seconds/);
    });
  });

  it('tour: a little of everything in one turn', async () => {
    const turnId = await chat.send('tour');
    await chat.confirm({ approved: true, selectedOptionId: 'once' });
    await chat.until('the edit', ({ activeTurn }) => callsOf(activeTurn?.responseParts).length === 2);
    await chat.confirm({ approved: true, selectedOptionId: 'apply' });
    const request = await chat.until('the question', ({ inputRequests }) => inputRequests?.[0]);
    const database: SessionInputAnswer = { state: 'submitted', value: { kind: 'selected', value: 'sqlite' } };
    await chat.dispatch({ type: 'session/inputCompleted', requestId: request.id, response: 'accept', answers: { database } });
    const turn = await chat.ended(turnId);
    assert.deepEqual(
      turn.responseParts.map(({ kind }) => kind),
      ['reasoning', 'markdown', 'toolCall', 'markdown', 'toolCall', 'markdown'],
    );
    assert.match(textOf(turn), /SQLite[^]*That was the tour/);
    assert.ok(existsSync(path('notes.md')));
  });
});
