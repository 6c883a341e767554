/** The start and the end of the engine's process, and what uses it: endpoints, accounts, clients' tools, many sessions. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentInfo } from '../../../src/ahp/v1/root.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../../../src/models/modelEndpoints.ts';
import { lastUserText } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotConversation, CopilotHost, gate } from './copilotHarness.ts';
import { textOf, untilState } from '../host/demoHarness.ts';

const infoOf = (client: V1Client, what: string, find: (info: AgentInfo) => boolean): Promise<AgentInfo> =>
  untilState(client.subscribeRoot(), what, ({ agents }) => agents.find((agent) => agent.provider === 'copilot' && find(agent)));

describe('the Copilot engine', () => {
  describe('when it is killed', () => {
    const host = new CopilotHost();
    let client: V1Client;
    let talk: CopilotConversation;
    before(async () => {
      client = await host.start();
    });
    after(() => host.stop());
    beforeEach(async () => {
      talk = await host.session(client);
      host.model.reply([{ text: 'Noted.' }]);
      await talk.say('My colour is blue');
    });

    const kill = async () => {
      const pid = host.agent.enginePid!;
      process.kill(pid, 'SIGKILL');
      await untilGone(pid);
    };
    const endsAsError = async (turnId: string) => {
      const turn = await talk.ended(turnId);
      assert.equal(turn.state, 'error');
      assert.equal(turn.error?.errorType, 'EngineDied');
      assert.match(turn.error?.message ?? '', /ended unexpectedly \(by signal SIGKILL\)/);
      return turn;
    };
    const goesOn = async () => {
      host.model.reply([{ text: 'Blue.' }]);
      const turn = await talk.say('Which colour?');
      assert.equal(turn.state, 'complete', turn.error?.message);
      assert.equal(textOf(turn), 'Blue.');
      assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /My colour is blue/);
    };

    it('while idle, the next message does not notice', async () => {
      const before = host.agent.enginePid;
      await kill();
      await goesOn();
      assert.notEqual(host.agent.enginePid, before);
    });

    it('at the moment when a message is sent, the message is not lost', async () => {
      host.model.reply([{ text: 'Blue.' }]);
      const pid = host.agent.enginePid!;
      process.kill(pid, 'SIGKILL');
      assert.equal(textOf(await talk.say('Which colour?')), 'Blue.');
    });

    it('while text streams, the turn ends with what was said', async () => {
      const never = gate();
      host.model.reply([{ text: 'Half ' }, { wait: never.promise }]);
      const turnId = await talk.send('Talk');
      await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half ');
      await kill();
      assert.equal(textOf(await endsAsError(turnId)), 'Half ');
      never.open();
      await goesOn();
    });

    it('while a command runs, the command ends too and its call is closed', async () => {
      host.model.reply([{ tool: 'bash', args: { command: `sh -c 'echo $$; exec sleep 300'`, description: 'x' } }]);
      const turnId = await talk.send('Sleep');
      await talk.decide('bash', 'once');
      const pid = await talk.printedNumber();
      await kill();
      await endsAsError(turnId);
      assert.equal(talk.calls().at(-1)?.status, 'cancelled');
      await untilGone(pid);
      await goesOn();
    });

    it('while a permission is pending, nothing waits for an answer any more', async () => {
      host.model.reply([{ tool: 'bash', args: { command: 'echo', description: 'x' } }]);
      const turnId = await talk.send('Run');
      await talk.callTo('bash', 'pending-confirmation');
      await kill();
      await endsAsError(turnId);
      assert.equal(talk.calls().at(-1)?.status, 'cancelled');
      await goesOn();
    });

    it('again and again, each time it starts, the turn says so and the session goes on when it stays', async () => {
      let started = host.agent.enginePid;
      let isOver = false;
      const killing = (async () => {
        for (const pids = new Set<number>(); !isOver; await new Promise((resolve) => setImmediate(resolve))) {
          const pid = host.agent.enginePid;
          if (pid === undefined || pids.has(pid)) continue;
          pids.add(pid);
          started = pid;
          process.kill(pid, 'SIGKILL');
        }
      })();
      const turn = await talk.say('Which colour?');
      isOver = true;
      await killing;
      assert.equal(turn.state, 'error');
      assert.match(turn.error?.message ?? '', /ended unexpectedly|did not start/);
      if (started !== undefined) await untilGone(started);
      await goesOn();
    });

    it('all sessions hear of it, and go on', async () => {
      const others = await Promise.all([1, 2, 3].map(() => host.session(client)));
      const never = gate();
      host.model.script = ({ messages }) =>
        lastUserText(messages).endsWith('wait') ? [{ text: 'w' }, { wait: never.promise }] : [{ text: 'on' }];
      const turns = await Promise.all(others.map(async (other) => await other.send('wait')));
      await Promise.all(others.map((other) => other.until('text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'w')));
      await kill();
      for (const [index, other] of others.entries()) assert.equal((await other.ended(turns[index]!)).error?.errorType, 'EngineDied');
      const after = await Promise.all(others.map((other) => other.say('go')));
      assert.deepEqual(
        after.map((turn) => textOf(turn)),
        ['on', 'on', 'on'],
      );
      never.open();
    });
  });

  describe('when it does not answer any more', () => {
    const host = new CopilotHost();
    let client: V1Client;
    before(async () => {
      client = await host.start();
    });
    after(() => host.stop());

    /** A turn that is cancelled while the engine stands still, so that it never hears of it. */
    const cancelUnheard = async (talk: CopilotConversation) => {
      const never = gate();
      host.model.reply([{ text: 'Half ' }, { wait: never.promise }]);
      const turnId = await talk.send('Talk');
      await talk.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Half ');
      const pid = host.agent.enginePid!;
      process.kill(pid, 'SIGSTOP');
      await talk.cancel(turnId);
      never.open();
      return pid;
    };

    it('is replaced for the next turn, which has the whole conversation', async () => {
      const talk = await host.session(client);
      host.model.reply([{ text: 'Noted.' }]);
      await talk.say('My colour is blue');
      const pid = await cancelUnheard(talk);
      host.model.reply([{ text: 'Blue.' }]);
      const turn = await talk.say('Which colour?');
      assert.equal(turn.state, 'complete', turn.error?.message);
      assert.equal(textOf(turn), 'Blue.');
      assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /My colour is blue/);
      await untilGone(pid);
    });

    it('is left alone while other sessions work, and the turn says so', async () => {
      const [talk, other] = [await host.session(client), await host.session(client)];
      const never = gate();
      host.model.reply([{ text: 'Long ' }, { wait: never.promise }]);
      const working = await other.send('Work');
      await other.until('some text', ({ activeTurn }) => activeTurn && textOf(activeTurn) === 'Long ');
      const pid = await cancelUnheard(talk);
      const turn = await talk.say('And now?');
      assert.match(turn.error?.message ?? '', /does not answer for this session.*no other session is working/);
      process.kill(pid, 'SIGCONT');
      never.open();
      assert.equal((await other.ended(working)).state, 'complete');
      host.model.reply([{ text: 'Here.' }]);
      assert.equal(textOf(await talk.say('And now?')), 'Here.');
      await untilGone(pid);
    });
  });

  it('ends with the host, and takes what its commands left along', async () => {
    const host = new CopilotHost();
    try {
      const client = await host.start();
      const talk = await host.session(client, { config: { approvals: 'all' } });
      host.model.reply([{ tool: 'bash', args: { command: `sh -c 'echo $$; exec sleep 300' & wait`, description: 'x' } }]);
      await talk.send('Sleep');
      const pid = await talk.printedNumber();
      const engine = host.agent.enginePid!;
      await host.stopHost();
      await untilGone(pid, engine);
    } finally {
      await host.stop();
    }
  });

  it('has the whole conversation after the host was started again', async () => {
    const host = new CopilotHost();
    try {
      const talk = await host.session(await host.start(), { config: { approvals: 'edits' } });
      const path = host.file('a.txt', 'one\ntwo\n');
      const edit = (old_str: string, new_str: string) => [{ tool: 'edit', args: { path, old_str, new_str } }];
      host.model.reply(edit('two', '2'), [{ text: 'Noted.' }], edit('one', '1'), [{ text: 'Blue.' }]);
      await talk.say('My colour is blue');
      await host.stopHost();
      const again = new CopilotConversation(await host.start(), talk.uri);
      await again.until('the turn', ({ turns }) => turns.length === 1);
      assert.equal(textOf(await again.say('Which colour?')), 'Blue.');
      const { messages } = host.model.requests.at(-1)!;
      assert.ok(
        messages.some(({ role, content }) => role === 'assistant' && content === 'Noted.'),
        'as it was, not retold',
      );
    } finally {
      await host.stop();
    }
  });

  it('tells what it does not have of a conversation: of a fork, or when its own record is gone', async () => {
    const host = new CopilotHost();
    try {
      const client = await host.start();
      const talk = await host.session(client);
      host.model.reply([{ text: 'Noted.' }], [{ text: 'No more.' }], [{ text: 'Blue.' }], [{ text: 'Still blue.' }]);
      const first = await talk.send('My colour is blue');
      await talk.ended(first);
      await talk.say('Forget it');
      const fork = await host.session(client, { fork: { session: talk.uri, turnId: first } });
      assert.equal(textOf(await fork.say('Which colour?')), 'Blue.');
      const told = lastUserText(host.model.requests.at(-1)!.messages);
      assert.ok(told.includes('My colour is blue') && told.includes('Noted.') && !told.includes('Forget it'), told);
      process.kill(host.agent.enginePid!, 'SIGKILL');
      rmSync(join(host.home, 'session-state'), { recursive: true });
      assert.equal(textOf(await talk.say('And now?')), 'Still blue.');
      assert.match(lastUserText(host.model.requests.at(-1)!.messages), /My colour is blue[^]*Forget it[^]*And now\?/);
    } finally {
      await host.stop();
    }
  });

  it('forgets what was truncated right after the host was started again', async () => {
    const host = new CopilotHost();
    try {
      const talk = await host.session(await host.start());
      host.model.reply([{ text: 'A' }], [{ text: 'B' }], [{ text: 'C' }]);
      const first = await talk.send('alpha');
      await talk.ended(first);
      await talk.say('beta');
      await host.stopHost();
      const again = new CopilotConversation(await host.start(), talk.uri);
      await again.until('the turns', ({ turns }) => turns.length === 2);
      await again.dispatch({ type: 'session/truncated', turnId: first });
      await again.say('gamma');
      const sent = JSON.stringify(host.model.requests.at(-1)?.messages);
      assert.ok(sent.includes('alpha') && sent.includes('gamma') && !sent.includes('beta'), sent.slice(-2000));
    } finally {
      await host.stop();
    }
  });

  it('serves twenty sessions at once', async () => {
    const host = new CopilotHost();
    try {
      const client = await host.start();
      const sessions = await Promise.all(Array.from({ length: 20 }, () => host.session(client, { config: { approvals: 'all' } })));
      host.model.script = ({ messages }) => {
        const last = messages.at(-1);
        const number = /number (\d+)/.exec(lastUserText(messages))?.[1] ?? '?';
        return last?.role === 'tool'
          ? [{ text: `done ${number}: ${JSON.stringify(last.content)}` }]
          : [{ tool: 'bash', id: `call-of-${number}`, args: { command: `echo I am ${number}`, description: 'x' } }];
      };
      const turns = await Promise.all(sessions.map((talk, index) => talk.say(`number ${index}`)));
      for (const [index, turn] of turns.entries()) {
        assert.equal(turn.state, 'complete');
        assert.match(textOf(turn), new RegExp(`^done ${index}: .*I am ${index}\\b`));
      }
    } finally {
      await host.stop();
    }
  });
});

describe('models of the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start({ endpoints: [] });
  });
  after(() => host.stop());

  it('says what is missing while there is neither a model nor an account', async () => {
    const info = await infoOf(client, 'the agent', () => true);
    assert.deepEqual(info.models, []);
    assert.equal(info.description, 'Not connected to a model yet.');
    assert.deepEqual(
      info.protectedResources?.map(({ resource, required }) => [resource, required]),
      [
        ['https://api.github.com', true],
        [MODEL_ENDPOINTS_RESOURCE, false],
      ],
    );
    await assert.rejects(host.session(client), /sign in/);
  });

  it('takes models with authenticate and shows no key of them', async () => {
    const endpoints = [
      host.endpoint({ id: 'small', name: 'Small', contextWindow: 40_000, apiKey: 'key-of-small' }),
      host.endpoint({ id: 'clever', name: 'Clever', vision: true, reasoningEffort: 'high' }),
    ];
    await client.request('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token: JSON.stringify(endpoints) });
    const info = await infoOf(client, 'the models', ({ models }) => models.length === 2);
    assert.deepEqual(
      info.models.map(({ id, maxContextWindow, supportsVision }) => [id, maxContextWindow, supportsVision]),
      [
        ['small', 40_000, false],
        ['clever', undefined, true],
      ],
    );
    assert.equal(info.models[1]?.configSchema?.properties.reasoningEffort?.default, 'high');
    assert.equal(info.protectedResources?.[0]?.required, false);
    assert.ok(!JSON.stringify(info).includes('key-of-small'));
    assert.ok(!JSON.stringify(info).includes('127.0.0.1'));
  });

  it('refuses malformed lists without repeating them', async () => {
    const bad = [
      'not json key-1',
      '{}',
      '[1]',
      JSON.stringify([host.endpoint({ baseUrl: 'ftp://key-1' })]),
      JSON.stringify([host.endpoint(), host.endpoint()]),
    ];
    for (const token of bad)
      await assert.rejects(
        client.request('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token }),
        (error: Error) => error.message.includes('endpoint') && !error.message.includes('key-1'),
      );
    assert.equal((await infoOf(client, 'the agent', () => true)).models.length, 2);
  });

  it('uses the chosen model with its key and effort, and the next one after a change, in one conversation', async () => {
    const talk = await host.session(client, { model: { id: 'small' } });
    host.model.reply([{ text: 'A' }], [{ text: 'B' }], [{ text: 'C' }]);
    await talk.say('first');
    assert.equal(host.model.requests.at(-1)?.authorization, 'Bearer key-of-small');
    assert.equal(host.model.requests.at(-1)?.model, 'small');
    await talk.dispatch({ type: 'session/modelChanged', model: { id: 'clever' } });
    await talk.say('second');
    const second = host.model.requests.at(-1)!;
    assert.equal(second.model, 'clever');
    assert.equal(second.reasoning_effort, 'high');
    assert.notEqual(second.authorization, 'Bearer key-of-small');
    assert.match(JSON.stringify(second.messages), /first/);
    await talk.dispatch({ type: 'session/modelChanged', model: { id: 'clever', config: { reasoningEffort: 'low' } } });
    await talk.say('third');
    assert.equal(host.model.requests.at(-1)?.reasoning_effort, 'low');
  });

  it('says that a model is gone, and guesses no other', async () => {
    const talk = await host.session(client, { model: { id: 'small' } });
    host.agent.setEndpoints([host.endpoint({ id: 'clever', name: 'Clever' })]);
    const turn = await talk.say('Hello');
    assert.equal(turn.state, 'error');
    assert.match(turn.error?.message ?? '', /“small” is not offered any more.*Clever/);
  });

  it('takes an address that changes at once', async () => {
    const talk = await host.session(client);
    host.model.reply([{ text: 'A' }], [{ text: 'B' }]);
    await talk.say('one');
    host.agent.setEndpoints([host.endpoint({ id: 'clever', name: 'Clever', apiKey: 'new-key' })]);
    await talk.say('two');
    assert.equal(host.model.requests.at(-1)?.authorization, 'Bearer new-key');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /one/);
  });

  it('shows images to those that see', async () => {
    host.agent.setEndpoints([host.endpoint({ id: 'blind', name: 'Blind' }), host.endpoint({ id: 'seeing', name: 'Seeing', vision: true })]);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    writeFileSync(host.file('dot.png'), Buffer.from(png, 'base64'));
    for (const [id, sees] of [
      ['blind', false],
      ['seeing', true],
    ] as const) {
      const talk = await host.session(client, { model: { id } });
      await talk.dispatch({
        type: 'session/turnStarted',
        turnId: id,
        userMessage: { text: 'Look', attachments: [{ type: 'file', uri: pathToFileURL(host.file('dot.png')).href }] },
      });
      await talk.ended(id);
      assert.equal(JSON.stringify(host.model.requests.at(-1)?.messages).includes('image_url'), sees);
    }
  });

  it('speaks the responses interface to those that want it', async () => {
    host.agent.setEndpoints([host.endpoint({ id: 'other', name: 'Other', wireApi: 'responses', reasoningEffort: 'high' })]);
    const talk = await host.session(client, { config: { approvals: 'all' } });
    host.model.reply(
      [{ reasoning: 'hm' }, { text: 'I run it. ' }, { tool: 'bash', args: { command: 'echo from-bash', description: 'x' } }],
      [{ text: 'Done.' }],
    );
    const turn = await talk.say('Run');
    assert.equal(turn.state, 'complete', turn.error?.message);
    assert.equal(textOf(turn, 'reasoning'), 'hm');
    assert.equal(textOf(turn), 'I run it. Done.');
    assert.equal(turn.usage?.cacheReadTokens, 80);
    const last = host.model.requests.at(-1)!;
    assert.match(JSON.stringify(last.messages.at(-1)), /from-bash/);
    assert.equal(last.reasoning_effort, 'high');
  });

  it('says when a model server does not answer at all', async () => {
    host.agent.setEndpoints([host.endpoint()]);
    const talk = await host.session(client);
    host.model.reply(
      [{ status: 401, message: 'wrong key' }],
      [{ status: 401, message: 'wrong key' }],
      [{ status: 401, message: 'wrong key' }],
    );
    const turn = await talk.say('Hello');
    assert.equal(turn.state, 'error');
    assert.match(turn.error?.message ?? '', /Check the key/);
    host.model.clear();
  });
});

describe('the Copilot agent without an engine', () => {
  const host = new CopilotHost();
  after(() => host.stop());
  it('is listed, and says so', async () => {
    const client = await host.start({ folders: [join(host.base, 'nowhere')] });
    const info = await infoOf(client, 'the agent', () => true);
    assert.match(info.description, /engine is not installed/);
    assert.ok(info.protectedResources?.every(({ required }) => required === false));
    const talk = await host.session(client);
    assert.equal(talk.state.lifecycle, 'creationFailed');
    assert.match(talk.state.creationError?.message ?? '', /engine is not installed/);
  });
});

describe('tools of clients in the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());

  const tool = (name: string) => ({
    name,
    description: `Looks up ${name}`,
    inputSchema: { type: 'object' as const, properties: { q: { type: 'string' } }, required: ['q'] },
  });
  const namesOf = () => (host.model.requests.at(-1)?.tools ?? []).map((one) => one.function.name);

  it('are called through the client, with consent, and the result goes back', async () => {
    const talk = await host.session(client, {
      activeClient: { clientId: client.clientId, displayName: 'Test', tools: [tool('zoo.lookup'), tool('view')] },
    });
    host.model.reply([{ tool: 'zoo_lookup', args: { q: 'cat' } }], [{ text: 'A cat.' }]);
    const turnId = await talk.send('Look');
    const asked = await talk.decide('zoo.lookup', 'session');
    assert.equal(asked.toolClientId, client.clientId);
    assert.deepEqual(JSON.parse(asked.toolInput ?? ''), { q: 'cat' });
    await talk.callTo('zoo.lookup', 'running');
    await talk.dispatch({
      type: 'session/toolCallComplete',
      turnId,
      toolCallId: asked.toolCallId,
      result: { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a small predator' }] },
    });
    assert.equal(textOf(await talk.ended(turnId)), 'A cat.');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages.at(-1)), /a small predator/);
    assert.ok(namesOf().includes('view_client'), 'a name that the engine has itself is made another');
  });

  it('may give more than a model reads at once: the engine keeps that where no other user can read it, as long as the host runs', async () => {
    const secret = `secret-${randomUUID()} `;
    const talk = await host.session(client, {
      config: { approvals: 'all' },
      activeClient: { clientId: client.clientId, tools: [tool('much')] },
    });
    host.model.reply([{ tool: 'much', args: { q: 'x' } }], [{ text: 'Read.' }]);
    const turnId = await talk.send('Go');
    const { toolCallId } = await talk.callTo('much', 'running');
    await talk.dispatch({
      type: 'session/toolCallComplete',
      turnId,
      toolCallId,
      result: { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: secret.repeat(2_000) }] },
    });
    await talk.ended(turnId);
    const told = JSON.stringify(host.model.requests.at(-1)?.messages.at(-1));
    const kept = join(host.home, 'tmp');
    const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(kept, name)).isFile());
    const file = files.find((name) => readFileSync(join(kept, name), 'utf8').includes(secret));
    assert.ok(file, `no file in ${files.join()}; the model read: ${told.slice(0, 500)}`);
    assert.ok(told.includes(join(kept, file)), 'the model is told the place');
    assert.equal(statSync(kept).mode & 0o777, 0o700);
    const inCommon = readdirSync(tmpdir(), { withFileTypes: true }).filter((entry) => entry.isFile());
    const reads = (name: string) => readFileSync(join(tmpdir(), name), 'utf8');
    assert.deepEqual(
      inCommon.filter(({ name }) => reads(name).includes(secret)).map(({ name }) => name),
      [],
    );
    await host.stopHost();
    assert.deepEqual(readdirSync(kept), []);
    client = await host.start();
  });

  it('may change between turns', async () => {
    const talk = await host.session(client, { activeClient: { clientId: client.clientId, tools: [tool('one')] } });
    host.model.reply([{ text: 'a' }], [{ text: 'b' }], [{ text: 'c' }]);
    await talk.say('first');
    assert.ok(namesOf().includes('one'));
    await talk.dispatch({ type: 'session/activeClientToolsChanged', tools: [tool('two')] });
    await talk.say('second');
    assert.ok(namesOf().includes('two') && !namesOf().includes('one'));
    await talk.dispatch({ type: 'session/activeClientChanged', activeClient: null });
    await talk.say('third');
    assert.ok(!namesOf().includes('two'));
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages), /first/);
  });

  it('fail when the client goes away and does not come back', async () => {
    const other = await host.connect();
    const talk = await host.session(other, {
      config: { approvals: 'all' },
      activeClient: { clientId: other.clientId, tools: [tool('slow')] },
    });
    host.model.reply([{ tool: 'slow', args: { q: 'x' } }], [{ text: 'Without it.' }]);
    const watcher = new CopilotConversation(client, talk.uri);
    const turnId = await talk.send('Go');
    await watcher.callTo('slow', 'running');
    other.close();
    const turn = await watcher.ended(turnId);
    assert.equal(textOf(turn), 'Without it.');
    const call = await watcher.callTo('slow', 'completed');
    assert.equal(call.success, false);
  });
});
