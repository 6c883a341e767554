/** The page of a session at another host in which the portal's work has ended: it shows what the host has, and nothing that it says gets there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { DialectName } from '../../../src/ahp/dialects/dialect.ts';
import type { TransportFactory } from '../../../src/ahp/client/transport.ts';
import { ASKED } from '../../../src/ahp/common/callQuestion.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../../src/host/server/hostServer.ts';
import { PAGE_PROTOCOL } from '../../../src/views/portal/wire/pageSessionWire.ts';
import { hostIdOf, PAGE_NOT_FOUND, pagePaths, sessionQuery, type ToPage } from '../../../src/views/portal/wire/pageWire.ts';
import { parseWebviewMessage } from '../../../src/webviews/session/parseWebviewMessage.ts';
import type { ExtensionMessage, SessionMessage } from '../../../src/webviews/session/protocol.ts';
import { until } from '../../support/until.ts';
import { TestPortal } from './portalHarness.ts';

const FAR = 'build box';
const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, host: FAR });
const job = (taskId: string) => ({ work: { kind: 'Ref', taskId } });

/** What speaks to the portal in place of a page. It says whatever it likes. */
class RawPage {
  readonly heard: ExtensionMessage[] = [];
  readonly problems: string[] = [];
  readonly #didHear = new Emitter<void>();
  #sent = 0;
  #seen = 0;

  private constructor(
    private readonly socket: WebSocket,
    private readonly session: { hostId: string; uri: string },
  ) {
    socket.on('message', (data: Buffer) => {
      const { messages = [], problem, seen = 0 } = JSON.parse(data.toString()) as ToPage;
      this.heard.push(...(messages as ExtensionMessage[]));
      if (problem !== undefined) this.problems.push(problem);
      this.#seen = Math.max(this.#seen, seen);
      this.#didHear.fire();
    });
  }

  static async open(test: TestPortal, session: { hostId: string; uri: string }, path: string = pagePaths.session): Promise<RawPage> {
    const { host, origin } = new URL(test.server.url);
    const { Authorization = '' } = await test.openPage();
    const protocols = [PAGE_PROTOCOL, Authorization.replace(/^\S+ /, '')];
    const socket = new WebSocket(`ws://${host}${path}/socket?${sessionQuery(session)}`, protocols, { headers: { Origin: origin } });
    await once(socket, 'open');
    const page = new RawPage(socket, session);
    page.say({ type: 'ready' });
    return page;
  }

  say(message: unknown): void {
    this.socket.send(JSON.stringify({ n: ++this.#sent, message }));
  }
  sayInSession(message: SessionMessage, session = this.session): void {
    this.say({ type: 'inSession', session, message });
  }
  /** All that was said has been taken. */
  async taken(): Promise<void> {
    await this.until('an answer to all', () => this.#seen === this.#sent);
  }
  until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    return until(what, this.#didHear.event, find);
  }
  /** Of the newest `show`. */
  get shown() {
    return this.heard.findLast((one) => one.type === 'show')?.session;
  }
  /** As the host has it. */
  snapshot(uri: string): object | undefined {
    const all = this.heard.flatMap((one) => (one.type === 'snapshot' && one.uri === uri && one.confirmed ? [one.confirmed] : []));
    return all.at(-1);
  }
  async closed(): Promise<number> {
    return ((await once(this.socket, 'close')) as [number])[0];
  }
  dispose(): void {
    this.socket.terminate();
  }
}

for (const dialect of ['v1', 'channels'] as const)
  describe(`the page of a session that ended at a host of others, over ${dialect}`, function () {
    this.timeout(60_000);
    let host: HostServer;
    let far: AgentHostClient;
    let test: TestPortal;
    let runsFolder: string;
    /** Methods of what the portal sends to the host. */
    let sent: string[];
    const pages: RawPage[] = [];

    const line = (): TransportFactory => async (url, signal) => {
      const transport = await connectNodeTransport(undefined, host.token)(url, signal);
      const send = (text: string) => {
        sent.push((JSON.parse(text) as { method?: string }).method ?? 'an answer');
        transport.send(text);
      };
      return { send, close: (...how) => transport.close(...how), onMessage: transport.onMessage, onClose: transport.onClose };
    };
    async function startPortal(): Promise<void> {
      far = AgentHostClient.create({ url: host.url, transport: line(), dialects: [dialect satisfies DialectName] });
      test = await TestPortal.start({ provider: 'demo', hosts: new Map([[FAR, far]]), runsFolder });
      const tasks = { talk: task('help'), asks: task('run ls') };
      const jobs = { talk: job('talk'), asks: job('asks') };
      const entry = {
        models: { driving: 'demo-fast' },
        promptVariables: {},
        grid: [],
        tasks,
        jobs,
        hosts: { [FAR]: { folder: test.folder } },
      };
      assert.deepEqual(await test.install(entry), { result: 'OK' });
    }
    async function stopPortal(): Promise<void> {
      for (const page of pages.splice(0)) page.dispose();
      await test.close();
      far.close();
    }

    beforeEach(async () => {
      sent = [];
      runsFolder = mkdtempSync(join(tmpdir(), 'tapline-runs-'));
      host = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger })], logger: nullLogger });
      await startPortal();
    });
    afterEach(async () => {
      await stopPortal();
      await host.close();
      rmSync(runsFolder, { recursive: true, force: true });
    });

    const start = async (name: string) => String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
    const isOver = (jobId: string) => test.follow(`job/${jobId}`);
    const sessionOf = async (jobId: string) => {
      const { steps } = (await test.call(`copilot/job/${jobId}/status`)) as unknown as {
        steps: { task?: { sessions: { sessionId: string }[] } }[];
      };
      const [first] = steps.flatMap(({ task: one }) => one?.sessions ?? []);
      return first && { hostId: hostIdOf(FAR), uri: `demo:/${first.sessionId}` };
    };
    const open = async (session: { hostId: string; uri: string }, path?: string) => {
      const page = await RawPage.open(test, session, path);
      pages.push(page);
      return page;
    };
    /** The chat, once the page has what was said in it. */
    const chatOf = (page: RawPage, session: { uri: string }) =>
      page.until('what was said', () => {
        const state = page.snapshot(session.uri) as { turns?: object[]; defaultChat?: string } | undefined;
        const uri = state?.turns ? session.uri : state?.defaultChat;
        const chat = uri === undefined ? undefined : (page.snapshot(uri) as { turns?: object[] } | undefined);
        return chat?.turns?.length ? { uri: uri as string, text: JSON.stringify(chat.turns) } : undefined;
      });

    /** One of each that does something, as the page could say it. */
    const deeds = (chat: string): SessionMessage[] => {
      const message = { text: 'Go on', origin: { kind: 'user' as const } };
      const [turnId, toolCallId, startedAt] = ['t', 'c', new Date(0).toISOString()];
      const actions = [
        { type: 'chat/turnStarted', turnId, message, startedAt },
        { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message },
        { type: 'chat/turnCancelled', turnId, duration: 1 },
        { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: true, confirmed: 'user-action', _meta: { [ASKED]: 'x' } },
        { type: 'chat/inputCompleted', requestId: 'i', response: 'accept', answers: {} },
        { type: 'chat/draftChanged', draft: message },
      ];
      const ofSession = [
        { type: 'session/titleChanged', title: 'Mine' },
        { type: 'session/configChanged', config: { approvals: 'auto' } },
      ];
      const request = (id: number, method: string, params: object) => ({ type: 'request', id, method, params });
      const all = [
        ...actions.map((action) => ({ type: 'dispatch', uri: chat, action })),
        { type: 'resolveUnknown', clientSeq: 1, how: 'sendAgain' },
        { type: 'typeIntoTerminal', uri: 'ahp-terminal:/1', text: 'rm -rf /\n' },
        { type: 'signIn', uri: chat, turnId, toolCallId },
        { type: 'revokeGrants', grants: [] },
        { type: 'renameChat', chat },
        { type: 'deleteChat', chat },
        { type: 'newSessionWith', draft: { text: 'Go on', attachments: [] } },
        { type: 'runCommand', command: 'showLog' },
        request(1, 'createChat', {}),
        request(2, 'nameChat', { chat, title: 'Mine' }),
        request(3, 'removeChat', { chat }),
        request(4, 'goBack', { chat, turnId, how: 'back' }),
        request(5, 'attachContent', { name: 'a.txt', data: 'eA==' }),
        request(6, 'findFiles', { query: 'a' }),
      ] as unknown as SessionMessage[];
      return [...all, ...(ofSession.map((action) => ({ type: 'dispatch', uri: '', action })) as unknown as SessionMessage[])];
    };
    it('is asked for all that with what its protocol has', () => {
      for (const deed of deeds('demo:/1')) {
        const uri = deed.type === 'dispatch' && deed.uri === '' ? 'demo:/1' : undefined;
        const message = {
          type: 'inSession',
          session: { hostId: 'h', uri: 'demo:/1' },
          message: uri === undefined ? deed : { ...deed, uri },
        };
        assert.ok(parseWebviewMessage(message), JSON.stringify(deed));
      }
    });

    /** Sends all that a page could do there. Returns what the portal sent to the host meanwhile. */
    async function tryAll(page: RawPage, session: { hostId: string; uri: string }, chat: string): Promise<string[]> {
      await page.taken();
      const before = sent.length;
      const answered = page.heard.filter(({ type }) => type === 'response').length;
      for (const deed of deeds(chat)) page.sayInSession(deed.type === 'dispatch' && deed.uri === '' ? { ...deed, uri: session.uri } : deed);
      await page.taken();
      await page.until('all answers', () => page.heard.filter(({ type }) => type === 'response').length === answered + 6);
      return sent.slice(before);
    }

    it('shows it, also to the next process of the portal', async () => {
      const jobId = await start('talk');
      await isOver(jobId);
      const session = (await sessionOf(jobId)) ?? assert.fail('it had no session');
      for (const isAgain of [false, true]) {
        if (isAgain) {
          await stopPortal();
          await startPortal();
        }
        const page = await open(session);
        const { text } = await chatOf(page, session);
        assert.match(text, /"help"/);
        assert.match(page.shown?.readOnly ?? '', /work in this session has ended/);
        assert.equal(page.shown?.readsOn, true);
      }
    });

    it('lets nothing through that changes it, whatever the page says', async () => {
      const jobId = await start('talk');
      await isOver(jobId);
      const session = (await sessionOf(jobId)) ?? assert.fail('it had no session');
      const page = await open(session);
      const { uri: chat } = await chatOf(page, session);
      assert.deepEqual(await tryAll(page, session, chat), []);
      const refused = page.heard.filter((one) => one.type === 'rejected');
      assert.equal(refused.length, 8);
      for (const { reason } of refused) assert.match(reason, /has ended.*Nothing was sent\.$/);
      // What is waited for comes as cards, which know no sessions that have ended.
      const inbox = await open(session, pagePaths.inbox);
      const before = sent.length;
      for (const deed of deeds(chat)) inbox.sayInSession(deed);
      await inbox.taken();
      assert.deepEqual(sent.slice(before), []);
      for (const path of ['query', 'stop']) await test.fetch(`/api/copilot/session/${session.uri.replace('demo:/', '')}/${path}`, 'Go on');
      assert.deepEqual(sent.slice(before), []);
      const { text } = await chatOf(page, session);
      assert.ok(!text.includes('Go on'));
    });

    it('goes over to that while the page is open, and a question that it had is left', async () => {
      const jobId = await start('asks');
      let session: Awaited<ReturnType<typeof sessionOf>>;
      while (!session) session = await sessionOf(jobId);
      const page = await open(session);
      const { uri } = session;
      await page.until('its state', () => page.snapshot(uri));
      assert.equal(page.shown?.readOnly, undefined);
      page.sayInSession({ type: 'dispatch', uri, action: { type: 'session/configChanged', config: { approvals: 'auto' } } } as never);
      const question = await page.until('a question', () => page.heard.findLast((one) => one.type === 'question')?.question);
      await test.call(`copilot/job/${jobId}/stop`);
      await isOver(jobId);
      await page.until('that it ended', () => page.shown?.readOnly !== undefined);
      await until('its end at the host', far.sessions.onDidChange, () => far.sessions.summary(uri));
      await page.taken();
      const { uri: chat } = await chatOf(page, session);
      const before = sent.length;
      page.say({ type: 'answerQuestion', id: question.id, answer: 1 });
      assert.deepEqual(await tryAll(page, session, chat), []);
      assert.deepEqual(sent.slice(before), []);
    });

    it('is not of what others do there', async () => {
      await isOver(await start('talk'));
      const other = await AgentHostClient.connect({ url: host.url, token: host.token });
      try {
        const theirs = 'demo:/theirs';
        await other.command('createSession', {
          ...{ channel: theirs, provider: 'demo', workingDirectories: [pathToFileURL(test.folder).href] },
        } as never);
        const page = await open({ hostId: hostIdOf(FAR), uri: theirs });
        assert.equal(await page.closed(), PAGE_NOT_FOUND);
        assert.deepEqual(page.heard, []);
      } finally {
        other.close();
      }
    });

    it('is forgotten with the run', async () => {
      const jobId = await start('talk');
      await isOver(jobId);
      const session = (await sessionOf(jobId)) ?? assert.fail('it had no session');
      const page = await open(session);
      await chatOf(page, session);
      const closed = page.closed();
      await test.call(`copilot/job/${jobId}/delete`);
      assert.equal(await closed, PAGE_NOT_FOUND, 'also a page that is open');
      assert.equal(await (await open(session)).closed(), PAGE_NOT_FOUND);
    });
  });
