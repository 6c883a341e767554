/** The chats of a Copilot session with the real engine, and no host: what a message refers to reaches the model, and chats do not meet. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Turn } from '../../../src/ahp/channels/chat/state.ts';
import type { MessageAttachment } from '../../../src/ahp/channels/shapes/message.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/log.ts';
import type { AgentChat, AgentChatHost, AgentTurn, ChatName } from '../../../src/host/agents/agent.ts';
import { CopilotAgent } from '../../../src/host/agents/copilot/copilotAgent.ts';
import { engineSessionId } from '../../../src/host/agents/copilot/engine/conversation.ts';
import { lastUserText, ModelServer } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import { engineFolder } from './copilotHarness.ts';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const session = 'copilot:/chats';
const origin = { kind: 'user' } as const;

describe('Copilot chats', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-chats-')));
  const [work, home] = [join(base, 'work'), join(base, 'engine-home')];
  const createdAt = Date.now() - 1_000;
  let model: ModelServer;
  let agent: CopilotAgent;
  const turns = new Map<string, Turn[]>();
  /** Those that chats were made from. */
  const notices: string[] = [];
  const origins = new Map<string, object>();
  /** Those that were interrupted, by chat. */
  const interrupted = new Map<string, Turn>();

  before(async () => {
    mkdirSync(work);
    writeFileSync(join(work, 'a.ts'), '1\n2\n3\n4\n');
    model = await ModelServer.start();
    agent = new CopilotAgent({ logger: nullLogger, engineFolders: [engineFolder], home, ownFolders: [] });
    agent.setEndpoints(
      [true, false].map((vision) => ({ id: `${vision}`, name: 'Scripted', baseUrl: model.baseUrl, wireApi: 'completions', vision })),
    );
  });
  after(async () => {
    const pid = agent.enginePid;
    agent.dispose();
    if (pid !== undefined) await untilGone(pid);
    await model.stop();
    rmSync(base, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });

  /** Of the host's side only what a chat without tools asks for. */
  const open = (name: ChatName, modelId = 'true'): Promise<AgentChat> =>
    agent.createChat({
      ...name,
      ...{ logger: nullLogger, createdAt, workingDirectory: work, lenders: [], changes: [], model: { id: modelId } },
      sessionState: { title: '', chats: [{ resource: name.chat, title: '' }] },
      get chatState() {
        return { turns: turns.get(name.chat) ?? [], activeTurn: interrupted.get(name.chat), origin: origins.get(name.chat) };
      },
      turnsOf: (chat: string) => turns.get(chat),
      readLent: async (message: unknown) => ({ message, texts: [] }),
      setTitle: () => undefined,
      setActivity: () => undefined,
      setMeta: () => undefined,
    } as unknown as AgentChatHost);

  /** Runs a turn, and keeps it as a host does. */
  async function say(
    name: ChatName,
    backend: AgentChat,
    text: string,
    attachments: MessageAttachment[] = [],
    model?: string,
  ): Promise<string> {
    const message = { text, origin, attachments, ...(model !== undefined && { model: { id: model } }) };
    const said: string[] = [];
    const turn = {
      isResumed: interrupted.has(name.chat),
      ...{ id: interrupted.get(name.chat)?.id ?? randomUUID(), chat: name.chat, message, signal: new AbortController().signal },
      markdown: (piece: string) => said.push(piece),
      notice: (text: string) => notices.push(text),
      reasoning: () => undefined,
      usage: () => undefined,
      sections: async () => ({ sections: [], context: [], startup: [] }),
      takeSteeringMessage: () => undefined,
      onDidReceiveSteering: new Emitter<void>().event,
    } as unknown as AgentTurn;
    await backend.runTurn(turn);
    const responseParts = [{ kind: 'markdown' as const, id: 'p', content: said.join('') }];
    turns.set(name.chat, [...(turns.get(name.chat) ?? []), { id: turn.id, message, responseParts, state: 'complete' }]);
    return said.join('');
  }
  const sent = () => JSON.stringify(model.requests.at(-1)?.messages);
  const folder = (name: ChatName) => join(home, 'session-state', engineSessionId(name));
  const named = (chat: string, isDefault = false): ChatName => ({ session, chat, isDefault });

  it('give the model what a message refers to', async () => {
    const plan = named('ahp-chat:plan');
    const planning = await open(plan);
    model.reply([{ text: 'Use tabs.' }]);
    await say(plan, planning, 'Tabs or spaces?');
    planning.dispose();

    const name = named('ahp-chat:attaching');
    const chat = await open(name);
    const range = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } };
    const uri = pathToFileURL(join(work, 'a.ts')).href;
    model.reply([{ text: 'Seen.' }]);
    const answer = await say(name, chat, 'Look', [
      { type: 'resource', label: 'a.ts', uri, selection: { range } },
      { type: 'resource', label: 'work', uri: pathToFileURL(work).href, displayKind: 'directory' },
      { type: 'simple', label: 'Problems', modelRepresentation: 'There are three problems.' },
      { type: 'embeddedResource', label: 'dot.png', data: DOT, contentType: 'image/png' },
      { type: 'embeddedResource', label: 'new.md', data: Buffer.from('Not saved yet').toString('base64'), contentType: 'text/markdown' },
      { type: 'embeddedResource', label: 'a.zip', data: '/wAB', contentType: 'application/zip' },
      { type: 'chat', label: 'Plan', resource: plan.chat },
    ]);
    assert.equal(answer, 'Seen.');
    const expected = [`* ${join(work, 'a.ts')} (`, `lines 2–3 of \`${join(work, 'a.ts')}\``, `* ${work} (`];
    const others = ['three problems', DOT, 'Not saved yet', 'cannot see it: `a.zip`', 'Assistant: Use tabs.'];
    for (const part of [...expected, ...others]) assert.ok(sent().includes(part), `${part} in ${sent()}`);
    chat.dispose();
  });

  it('give no image to a model that does not see', async () => {
    const name = named('ahp-chat:blind');
    const chat = await open(name, 'false');
    await say(name, chat, 'Look', [{ type: 'embeddedResource', label: 'dot.png', data: DOT, contentType: 'image/png' }]);
    assert.ok(!sent().includes(DOT));
    assert.match(lastUserText(model.requests.at(-1)!.messages), /you cannot see images: `dot\.png`/);
    await say(name, chat, 'And now?', [{ type: 'embeddedResource', label: 'dot.png', data: DOT, contentType: 'image/png' }], 'true');
    assert.ok(sent().includes(DOT), 'a message may name another model than that of its chat');
    chat.dispose();
  });

  it('remember what was said in them and nothing of each other, also in a later run', async () => {
    const [first, second] = [named('ahp-chat:first', true), named('ahp-chat:second')];
    for (const [name, secret] of [
      [first, 'otter'],
      [second, 'badger'],
    ] as const) {
      const chat = await open(name);
      await say(name, chat, `My animal is the ${secret}`);
      chat.dispose();
    }
    for (const [name, own, other] of [
      [first, 'otter', 'badger'],
      [second, 'badger', 'otter'],
    ] as const) {
      const chat = await open(name);
      await say(name, chat, 'And now?');
      assert.ok(sent().includes(own) && !sent().includes(other), sent());
      assert.doesNotMatch(sent(), /earlier_conversation/, 'the engine has it');
      chat.dispose();
    }
  });

  it('go on with a turn that was interrupted, also when the engine knows nothing of it', async () => {
    for (const isKnown of [true, false]) {
      const name = named(`ahp-chat:interrupted-${isKnown}`);
      const chat = await open(name);
      model.reply([{ text: 'One otter.' }]);
      await say(name, chat, 'Count the otters');
      chat.dispose();
      if (!isKnown) await agent.deleteChat(name);
      const [turn] = turns.get(name.chat) ?? [];
      assert.ok(turn);
      interrupted.set(name.chat, turn);
      turns.delete(name.chat);
      const again = await open(name);
      model.reply([{ text: 'Two otters.' }]);
      assert.equal(await say(name, again, 'Count the otters'), 'Two otters.');
      assert.match(lastUserText(model.requests.at(-1)!.messages), /<interrupted>[^]*Count the otters/);
      assert.ok(sent().includes('One otter.'), 'what was done is known');
      assert.equal(sent().includes('earlier_conversation'), !isKnown);
      again.dispose();
    }
  });

  it('know in a side chat what was said before it, also when its messages are taken back', async () => {
    const source = named('ahp-chat:source');
    const chat = await open(source);
    for (const animal of ['lynx', 'vole', 'stoat']) await say(source, chat, `My animal is the ${animal}`);
    chat.dispose();
    const name = named('ahp-chat:side');
    const turnId = turns.get(source.chat)?.[1]?.id;
    origins.set(name.chat, { kind: 'sideChat', chat: source.chat, turnId, selection: { text: 'whiskers' } });
    const knows = () => ['lynx', 'vole', 'stoat', 'whiskers'].filter((word) => sent().includes(word));
    const side = await open(name);
    await say(name, side, 'Why?');
    assert.deepEqual(knows(), ['lynx', 'vole', 'whiskers']);
    await say(name, side, 'And then?');
    assert.deepEqual(knows(), ['lynx', 'vole', 'whiskers']);
    turns.set(name.chat, []);
    side.truncate(undefined);
    await say(name, side, 'Once more');
    assert.deepEqual(knows(), ['lynx', 'vole', 'whiskers']);
    assert.ok(!sent().includes('And then?'));
    side.dispose();
    await say(source, await open(source), 'And you?');
    assert.ok(!sent().includes('whiskers'), 'the other chat hears nothing of it');
  });

  it('keep what they were told at their beginning when the first message is taken back', async () => {
    const name = named('ahp-chat:told');
    const message = { text: 'My animal is the ibex', origin };
    turns.set(name.chat, [{ id: 'before', message, responseParts: [], state: 'complete' }]);
    const chat = await open(name);
    notices.length = 0;
    await say(name, chat, 'Taken back');
    assert.match(notices.join(), /^The engine no longer has its own record[^]*does not know what the tools returned\.$/);
    turns.set(name.chat, turns.get(name.chat)!.slice(0, 1));
    chat.truncate('before');
    await say(name, chat, 'Second');
    assert.ok(sent().includes('ibex') && !sent().includes('Taken back'));
    chat.dispose();
  });

  it('are forked by the engine where it has what came before, and otherwise are told it', async () => {
    const source = named('ahp-chat:forked');
    const chat = await open(source);
    for (const animal of ['lynx', 'vole', 'stoat']) await say(source, chat, `My animal is the ${animal}`);
    const known = () => ['lynx', 'vole', 'stoat'].filter((word) => sent().includes(word));
    const fork = (uri: string, end: number): ChatName => {
      const forked = turns.get(source.chat)?.slice(0, end) ?? [];
      turns.set(uri, forked);
      origins.set(uri, { kind: 'fork', chat: source.chat, turnId: forked.at(-1)?.id });
      return named(uri);
    };
    for (const [end, animals] of [
      [2, ['lynx', 'vole']],
      [3, ['lynx', 'vole', 'stoat']],
    ] as const) {
      const name = fork(`ahp-chat:fork-${end}`, end);
      notices.length = 0;
      for (const words of ['And mine?', 'Sure?']) {
        const forked = await open(name);
        await say(name, forked, words);
        assert.deepEqual(known(), animals);
        forked.dispose();
      }
      assert.ok(sent().includes('And mine?'), 'the fork is found again');
      assert.deepEqual([/earlier_conversation/.test(sent()), notices], [false, []]);
      await agent.deleteChat(name);
      assert.deepEqual(readdirSync(join(home, 'tapline-forks')), []);
    }
    await say(source, chat, 'Still?');
    assert.deepEqual(known(), ['lynx', 'vole', 'stoat']);
    chat.dispose();
    await agent.deleteChat(source);
    const name = fork('ahp-chat:fork-late', 2);
    const late = await open(name);
    await say(name, late, 'And mine?');
    assert.deepEqual([known(), notices.length], [['lynx', 'vole'], 1]);
    assert.match(notices.join(), /^This fork is a new conversation for the engine/);
    late.dispose();
  });

  it('are deleted one by one', async () => {
    const [gone, kept] = [named('ahp-chat:second'), named('ahp-chat:first', true)];
    assert.ok(existsSync(folder(gone)) && existsSync(folder(kept)));
    await agent.deleteChat(gone);
    assert.ok(!existsSync(folder(gone)) && existsSync(folder(kept)));
  });
});
