/**
 * The real host process, killed a hundred times at random moments of demo turns, half of them with clients of each protocol. After each kill
 * everything that a client saw is there, nothing happened twice and nothing is asked again.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { AgentHostClient, whenLive } from '../../../src/ahp/index.ts';
import type { ChatState, ResponsePart, Turn } from '../../../src/ahp/channels/chat/state.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import type { SessionMetadata } from '../../../src/ahp/channels/shapes/summaries.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import { activityOf, SessionStatus, withActivity } from '../../../src/ahp/common/status.ts';
import type { DialectName, ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import type { SessionState as V1SessionState } from '../../../src/ahp/v1/session.ts';
import { FIRST_MODEL } from '../../../src/ahp/sessionMetaKeys.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { bundleHost, type HostBundle } from '../../support/hostBundle.ts';
import { startHostProcess, type HostProcess } from '../../support/hostProcess.ts';
import { thorough } from '../../support/thorough.ts';

const KILLS = thorough(25, 50);
const WAIT_MS = 10_000;

interface Cycle {
  session: number;
  message: string;
  /** What else is dispatched right after the message. */
  also: 'nothing' | 'title' | 'queued' | 'steering' | 'archived';
  /** ms from the dispatch to the kill. */
  killAfter: number;
}

const cycles = fc.record<Cycle>({
  session: fc.nat(2),
  message: fc.constantFrom('stream', 'run echo ran >> log.md', 'edit', 'ask', 'tour', 'subagent', 'fail', 'wait'),
  also: fc.constantFrom('nothing', 'title', 'queued', 'steering', 'archived'),
  killAfter: fc.nat(120),
});

/** A session with its chat, as one client reads them. */
interface Read {
  readonly session: SessionModel;
  readonly chat: ChatModel;
}
/** As a client saw them. */
interface Seen {
  readonly session: SessionState;
  readonly chat: ChatState;
}

const dialects: DialectName[] = ['channels', 'v1'];
for (const dialect of dialects)
  describe(`an agent host that is killed, in the words of ${dialect}`, function () {
    this.timeout(240_000);
    let bundle: HostBundle;
    let folder: string;
    let host: HostProcess | undefined;

    before(async () => {
      bundle = await bundleHost('0.0.1');
      folder = mkdtempSync(join(tmpdir(), 'tapline-kill-'));
    });
    after(async () => {
      await host?.stop('SIGKILL');
      bundle.remove();
      rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
    });

    const start = async () => {
      host = await startHostProcess(['--data', join(folder, 'sessions')], bundle.script);
      return AgentHostClient.connect({ ...host, dialects: [dialect] });
    };
    const uris = [0, 1, 2].map((index) => `demo:/${index}`);
    const live = async (client: AgentHostClient, uri: string): Promise<Read> => {
      const session = client.session(uri);
      const { defaultChat = '' } = await withTimeout(whenLive(session), WAIT_MS, `the state of ${uri}`);
      const chat = client.chat(defaultChat);
      await withTimeout(whenLive(chat), WAIT_MS, `the chat of ${uri}`);
      return { session, chat };
    };
    const begin = (chat: ChatModel, turnId: string, text: string) =>
      chat.perform({ type: 'chat/turnStarted', turnId, startedAt: new Date().toISOString(), message: { text, origin: { kind: 'user' } } });

    it(`loses nothing, does nothing twice and asks nothing twice in ${KILLS} kills`, async () => {
      const seed = Date.now() & 0x7fffffff;
      const seen = new Map<string, Seen>();
      let midTurn = 0;
      try {
        const first = await start();
        for (const uri of uris) {
          await first.command('createSession', {
            channel: uri,
            provider: 'demo',
            workingDirectories: [pathToFileURL(folder).href],
            config: { approvals: 'auto' },
            _meta: { [FIRST_MODEL]: { id: 'demo-fast' } },
          });
          const session = first.session(uri);
          await until(session, () => session.confirmed?.lifecycle === 'ready');
          seen.set(uri, confirmed(await live(first, uri)));
        }
        first.close();
        await host?.stop('SIGKILL');

        for (const [index, cycle] of fc.sample(cycles, { numRuns: KILLS, seed }).entries()) {
          const client = await start();
          const read = new Map<string, Read>();
          for (const uri of uris) read.set(uri, await live(client, uri));
          for (const [uri, one] of read) follows(seen.get(uri)!, confirmed(one), dialect);
          const { items } = await client.command('listSessions', {});
          for (const [uri, one] of read) {
            const listed = items.find(({ resource }) => resource === uri);
            if (dialect === 'v1') assert.deepEqual(listed, (one.session.mirrored.confirmed as V1SessionState | undefined)?.summary);
            else assert.deepEqual(listed && metadata(listed), metadataOf(confirmed(one)));
          }

          const { session, chat } = read.get(uris[cycle.session]!)!;
          begin(chat, `turn-${index}`, `${cycle.message} ${index}`);
          const id = `message-${index}`;
          if (cycle.also === 'title') session.rename(`title ${index}`);
          if (cycle.also === 'archived') session.setArchived(index % 2 === 0);
          if (cycle.also === 'queued') chat.queue(`help queued ${index}`, id);
          if (cycle.also === 'steering') chat.steer(`help steering ${index}`, id);
          await new Promise((resolve) => setTimeout(resolve, cycle.killAfter));

          const gone = new Promise<void>((resolve) => client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()));
          await host?.stop('SIGKILL');
          await withTimeout(gone, WAIT_MS, 'the end of the connection');
          for (const [uri, one] of read) seen.set(uri, confirmed(one));
          if (confirmed({ session, chat }).chat.activeTurn) midTurn++;
          client.close();
        }
        const client = await start();
        for (const uri of uris) {
          const { session, chat } = await live(client, uri);
          follows(seen.get(uri)!, confirmed({ session, chat }), dialect);
          // Whatever happened, it works.
          begin(chat, 'last', `run echo ran >> log.md ${uri}`);
          const ended = await until(chat, () => chat.confirmed?.turns.find(({ id }) => id === 'last'));
          assert.equal(ended.state, 'complete');
          assert.ok(confirmed({ session, chat }).chat.turns.length > 1);
        }
        client.close();
        await host?.stop();
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}; the host said: ${host?.stderr().slice(-2000)}`, { cause: error });
      }
      assert.ok(midTurn > KILLS / 8, `only ${midTurn} kills were in the middle of a turn`);
      // What the demo agent ran it ran once: each line is of one message.
      const file = join(folder, 'log.md');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      assert.ok(lines.length >= uris.length, 'the last commands ran');
      assert.deepEqual(lines, [...new Set(lines)]);
    });
  });

function confirmed({ session, chat }: Read): Seen {
  assert.ok(session.confirmed && chat.confirmed);
  return { session: session.confirmed, chat: chat.confirmed };
}

async function until<T>(model: ResourceModel<ResourceKind>, find: () => T | undefined | false): Promise<T> {
  return withTimeout(
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find();
        if (found) resolve(found);
      };
      model.onDidChange(look);
      look();
    }),
    WAIT_MS,
    `a state of ${model.uri}`,
  );
}

/** `after` must contain everything in `before`, which a client saw when the host was killed, and may contain what it had not received yet. */
function follows(before: Seen, after: Seen, dialect: DialectName): void {
  const { session, chat } = after;
  const running = before.chat.activeTurn;
  if (!running && JSON.stringify(before.chat.turns) === JSON.stringify(chat.turns) && before.chat.modifiedAt === chat.modifiedAt) {
    // No action of a chat changes its title, which may be older therefore.
    assert.deepEqual(chat, { ...before.chat, title: chat.title });
    // They are one state. In AHP 1.0 the session may have changed before the client heard of it.
    if (dialect === 'v1') assert.deepEqual(withoutLenders(session), withoutLenders(before.session));
  }
  assert.deepEqual(chat.turns.slice(0, before.chat.turns.length), before.chat.turns, 'what was over is as it was');
  assert.equal(chat.activeTurn, undefined);
  assert.deepEqual(session.inputNeeded ?? [], [], 'nothing is asked again');
  for (const { activity, status } of [session, chat]) {
    assert.equal(activity, undefined, 'nothing goes on');
    assert.equal(status & SessionStatus.InProgress, 0);
  }
  assert.equal(new Set(chat.turns.map(({ id }) => id)).size, chat.turns.length);
  const texts = [...chat.turns, ...(chat.queuedMessages ?? [])].map(({ message }) => message.text);
  assert.equal(new Set(texts).size, texts.length, 'every message is there once');
  for (const { message } of before.chat.queuedMessages ?? []) assert.ok(texts.includes(message.text), `${message.text} is not lost`);
  if (running) {
    const ended = chat.turns[before.chat.turns.length];
    assert.ok(ended, 'the turn that was running is there');
    continues(running, ended, dialect);
  }
  for (const part of chat.turns.flatMap(({ responseParts }) => responseParts)) {
    if (part.kind === 'error' && 'error' in part && part.error.errorType === 'hostRestarted')
      assert.match(part.error.message, /host ended while this turn was running/);
    if (part.kind === 'toolCall' && 'toolCall' in part)
      assert.ok(['completed', 'cancelled'].includes(part.toolCall.status), part.toolCall.status);
  }
}

/** A restart may change them. */
function withoutLenders({ activeClients: _, ...state }: SessionState): Omit<SessionState, 'activeClients'> {
  return state;
}

const metadata = (of: SessionMetadata) => [of.provider, of.title, of.status, of.workingDirectories];
/** The state of a session has no activity: no action would say that it ended. Its chat has it. */
const metadataOf = ({ session, chat }: Seen) => metadata({ ...session, status: withActivity(session.status, activityOf(chat.status)) });

function continues(running: NonNullable<ChatState['activeTurn']>, ended: Turn, dialect: DialectName): void {
  assert.deepEqual([ended.id, ended.message], [running.id, running.message]);
  // In AHP v1 a question has no place in its turn: it is shown at the end, while it is open.
  const parts = running.responseParts.filter(({ kind }) => dialect !== 'v1' || kind !== 'inputRequest');
  for (const [index, part] of parts.entries()) {
    const later = ended.responseParts[index];
    assert.equal(later?.kind, part.kind);
    const [text, laterText] = [contentOf(part), contentOf(later)];
    if (text !== undefined) assert.ok(laterText?.startsWith(text), 'no text is lost');
    if (part.kind === 'toolCall' && 'toolCall' in part)
      assert.ok(later && 'toolCall' in later && later.toolCall.toolCallId === part.toolCall.toolCallId);
  }
}

function contentOf(part: ResponsePart | undefined): string | undefined {
  return part && 'content' in part && typeof part.content === 'string' ? part.content : undefined;
}
