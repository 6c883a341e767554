/**
 * A whole session at our own host, as a process: driven by a client of AHP 1.0 while one of AHP v1 follows, and the other way round. After
 * each step both have the states that a fresh client of their protocol gets.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ChannelStates } from '../../../src/ahp/channels/channelReducers.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import type { DialectName, ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { type HostProcess, startHostProcess } from '../../support/hostProcess.ts';
import { until, WAIT_MS } from '../../support/until.ts';

const SESSION = 'demo:/whole';
const OTHER = 'ahp-chat:/other';
const FORK = 'ahp-chat:/fork';
const TERMINAL = 'agenthost-terminal:/whole';
const dialects: DialectName[] = ['channels', 'v1'];
const nameOf = { channels: 'AHP 1.0', v1: 'AHP v1' };

/** A client with what it reads. */
interface Seat {
  client: AgentHostClient;
  session: SessionModel;
  chat: ChatModel;
  more: ResourceModel<ResourceKind>[];
}

for (const driver of dialects)
  describe(`a whole session, driven by a client of ${nameOf[driver]}`, function () {
    this.timeout(180_000);
    const line = new CuttingTransport(connectNodeTransport());
    let folder: string;
    let work: string;
    let host: HostProcess;
    let seats: Record<DialectName, Seat>;
    const all: AgentHostClient[] = [];

    before(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-whole-')));
      work = realpathSync(mkdtempSync(join(folder, 'work-')));
    });
    after(async () => {
      for (const client of all) client.close();
      await host.stop('SIGKILL');
      rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
    });

    const start = async () => {
      host = await startHostProcess(['--data', join(folder, 'data'), '--return-seconds', '30']);
    };
    async function connect(dialect: DialectName, transport = connectNodeTransport()): Promise<AgentHostClient> {
      const client = await AgentHostClient.connect({ url: host.url, token: host.token, dialects: [dialect], transport });
      all.push(client);
      return client;
    }
    const live = <M extends ResourceModel<ResourceKind>>(model: M) => withTimeout(whenLive(model), WAIT_MS, model.uri).then(() => model);
    async function sit(client: AgentHostClient): Promise<Seat> {
      const session = await live(client.session(SESSION));
      await holds(session, 'the session', ({ lifecycle }) => lifecycle === 'ready');
      const chat = await live(client.chat(session.state?.defaultChat ?? ''));
      return { client, session, chat, more: [] };
    }
    const holds = <K extends ResourceKind, T>(
      model: ResourceModel<K>,
      what: string,
      find: (state: ChannelStates[K]) => T | undefined | false,
    ): Promise<T> => until(`${what} at ${model.uri}`, model.onDidChange, () => model.confirmed && find(model.confirmed));

    const plain = (state: unknown) =>
      JSON.parse(JSON.stringify(state, (key, value: unknown) => (key === 'modifiedAt' ? undefined : value))) as unknown;

    /** Both have what a fresh client has. */
    async function agree(): Promise<void> {
      for (const dialect of dialects) {
        const { client, session, chat, more } = seats[dialect];
        const fresh = await connect(dialect);
        for (const model of [client.root(), session, chat, ...more] as ResourceModel<ResourceKind>[]) {
          const other = await live(fresh.model(model.kind, model.uri));
          await until(`${model.uri} in ${dialect} as a fresh client has it`, anyChange(model, other), () => {
            try {
              assert.deepEqual(plain(model.confirmed), plain(other.confirmed));
              return true;
            } catch (error) {
              difference = error;
              return false;
            }
          }).catch((error: unknown) => {
            throw difference ?? error;
          });
        }
        fresh.close();
      }
    }
    let difference: unknown;
    const anyChange =
      (...models: ResourceModel<ResourceKind>[]) =>
      (listener: () => void) => {
        const listening = models.map(({ onDidChange }) => onDidChange(listener));
        return { dispose: () => listening.forEach((one) => one.dispose()) };
      };
    async function step(what: string, act: () => Promise<unknown>): Promise<void> {
      try {
        await act();
        await agree();
      } catch (error) {
        throw new Error(`at “${what}”: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }

    const confirmed = { kind: 'confirmed' };
    const settled = async (dispatched: { settled: Promise<unknown> }) => assert.deepEqual(await dispatched.settled, confirmed);
    async function ended(chat: ChatModel, turns: number): Promise<ChatState['turns'][number]> {
      return holds(chat, `turn ${turns}`, (state) => !state.activeTurn && state.turns.length === turns && state.turns.at(-1));
    }
    async function say(chat: ChatModel, text: string): Promise<ChatState['turns'][number]> {
      const turns = (chat.confirmed?.turns.length ?? 0) + 1;
      await settled(chat.send(text));
      return ended(chat, turns);
    }
    /** The call of the turn that is in that status. */
    const call = (chat: ChatModel, status: string) =>
      holds(chat, `a call that is ${status}`, ({ activeTurn }) => {
        const found = activeTurn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));
        const last = found?.at(-1);
        return activeTurn && last?.status === status && { turnId: activeTurn.id, toolCallId: last.toolCallId };
      });
    const read = (name: string) => readFileSync(join(work, name), 'utf8');

    it('is the same for both after each step', async () => {
      await start();
      const first = await connect(driver, line.open);
      const workingDirectories = [pathToFileURL(work).href];
      await first.command('createSession', { channel: SESSION, provider: 'demo', workingDirectories, config: {} });
      const [mine, theirs] = [await sit(first), await sit(await connect(driver === 'v1' ? 'channels' : 'v1'))];
      seats = driver === 'v1' ? { v1: mine, channels: theirs } : { channels: mine, v1: theirs };
      const { client, session, chat } = mine;
      const isOfToday = driver === 'channels';
      let turns = 0;

      await step('a turn', async () => {
        // It stays chosen for the messages that follow.
        await settled(chat.send({ text: 'help', model: { id: 'demo-fast' } }));
        await ended(chat, ++turns);
      });

      await step('an approval', async () => {
        await settled(chat.send('run echo whole > ran.txt'));
        await settled(chat.approve(await call(chat, 'pending-confirmation')));
        await ended(chat, ++turns);
        assert.equal(read('ran.txt').trim(), 'whole');
      });

      await step('a tool of the client', async () => {
        const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' as const } }];
        await settled(session.lend({ displayName: 'Test', tools }));
        await settled(chat.send('client look {}'));
        await settled(chat.approve(await call(chat, 'pending-confirmation')));
        const running = await call(chat, 'running');
        const content = [{ type: 'text' as const, text: 'seen' }];
        await settled(chat.complete(running, { success: true, pastTenseMessage: 'Looked', content }));
        await ended(chat, ++turns);
        await settled(session.withdraw());
      });

      await step('a question', async () => {
        await settled(chat.send('ask url'));
        const request = await holds(chat, 'the question', ({ activeTurn }) =>
          activeTurn?.responseParts.flatMap((part) => (part.kind === 'inputRequest' && !part.response ? [part.request] : [])).at(0),
        );
        await settled(chat.decline(request.id));
        await ended(chat, ++turns);
      });

      if (isOfToday) {
        const open = async (uri: string, params: object = {}) => {
          await client.command('createChat', { channel: SESSION, chat: uri, ...params });
          const model = await live(client.chat(uri));
          mine.more.push(model);
          return model;
        };
        await step('a second chat', async () => {
          await say(await open(OTHER), 'help');
        });
        await step('a fork', async () => {
          const turnId = chat.confirmed?.turns[1]?.id;
          const fork = await open(FORK, { source: { kind: 'fork', chat: chat.uri, turnId } });
          assert.equal(fork.confirmed?.turns.length, 2);
          await say(fork, 'help');
        });
      }

      await step('a message that is edited and sent again', async () => {
        await say(chat, 'stream 1');
        await settled(chat.truncate(chat.confirmed?.turns[turns - 1]?.id));
        await say(chat, 'help');
        turns++;
        assert.equal(chat.confirmed?.turns.length, turns);
      });

      await step('changes of files', async () => {
        writeFileSync(join(work, 'notes.md'), 'one\n');
        await settled(chat.send('edit notes.md two'));
        await settled(chat.approve(await call(chat, 'pending-confirmation')));
        await ended(chat, ++turns);
        assert.equal(read('notes.md'), 'one\ntwo\n');
      });

      if (isOfToday) {
        const template = await holds(session, 'the changes of a turn', ({ changesets }) =>
          changesets?.find(({ changeKind }) => changeKind === 'turn'),
        );
        const channel = template.uriTemplate.replace('{turnId}', chat.confirmed?.turns.at(-1)?.id ?? '');
        const changed = await live(client.model('changeset', channel));
        await step('a discard of them', async () => {
          mine.more.push(changed);
          await holds(changed, 'the file', ({ status, files }) => status === 'ready' && files.length === 1);
          await client.command('invokeChangesetOperation', { channel, operationId: 'discard' });
          assert.equal(read('notes.md'), 'one\n');
          await holds(changed, 'nothing', ({ status, files }) => status === 'ready' && files.length === 0);
        });
        await step('a comment on a line', async () => {
          const annotations = await live(client.model('annotations', session.confirmed?.annotations?.resource ?? ''));
          const annotation = {
            ...{ id: 'comment', resource: pathToFileURL(join(work, 'notes.md')).href, resolved: false },
            range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
            origin: { session: SESSION },
            entries: [{ id: 'entry', text: 'Why one?' }],
          };
          await settled(annotations.perform({ type: 'annotations/set', annotation }));
          mine.more.push(annotations);
        });
      }

      await step('a terminal', async () => {
        await client.command('createTerminal', {
          ...{ channel: TERMINAL, claim: { kind: 'client', clientId: client.clientId } },
          ...{ cwd: pathToFileURL(work).href, cols: 80, rows: 24 },
        });
        const terminal = await live(client.model('terminal', TERMINAL));
        await settled(terminal.perform({ type: 'terminal/input', data: 'exit 3\r' }));
        await holds(terminal, 'its end', ({ lifecycle }) => lifecycle.status === 'exited' && lifecycle.exitCode === 3);
        mine.more.push(terminal);
      });

      await step('a cut in the middle of a turn', async () => {
        await settled(chat.send('stream 3'));
        await holds(chat, 'its first words', ({ activeTurn }) => (activeTurn?.responseParts.length ?? 0) > 0);
        line.cut();
        await ended(chat, ++turns);
      });

      const before = plain(chat.confirmed?.turns);
      await step('a kill of the host', async () => {
        await host.stop('SIGKILL');
        for (const known of all.splice(0)) known.close();
        await start();
        const [channels, v1] = [await sit(await connect('channels')), await sit(await connect('v1'))];
        seats = { channels, v1 };
        assert.deepEqual(plain(seats[driver].chat.confirmed?.turns), before);
        if (!isOfToday) return;
        for (const uri of [OTHER, FORK]) channels.more.push(await live(channels.client.chat(uri)));
      });
      await step('a turn after it', async () => {
        await say(seats[driver].chat, 'help');
      });
    });
  });
