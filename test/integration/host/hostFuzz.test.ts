/** Very many random, mutated and hostile frames: the host goes on, answers every request once, and leaks no memory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { ErrorCode } from '../../../src/ahp/v1/errors.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { chatUri } from '../../../src/host/state/chatUris.ts';
import { MAX_NESTING } from '../../../src/host/server/nesting.ts';
import { thorough } from '../../support/thorough.ts';
import { TestHost } from './hostHarness.ts';

const FRAMES = thorough(30_000, 100_000);
const CONNECTIONS = 4;
/** Frames between two checks that the connection still works. */
const BURST = 250;
const WAIT_MS = 30_000;
/** What the heap may grow by in the second half of the frames: less than their text. It shrinks by about as much when nothing is kept. */
const HEAP_GROWTH_BYTES = thorough(2, 4) * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Incoming {
  id?: unknown;
  method?: string;
  params?: { origin?: { clientId: string; clientSeq: number } };
  error?: { code: number };
  result?: unknown;
}

/** A connection that counts what comes back. */
class Attacker {
  readonly answers = new Map<number, { error?: { code: number }; result?: unknown }>();
  readonly echoes = new Set<number>();
  duplicates = 0;
  #look: (() => void) | undefined;

  private constructor(
    readonly socket: WebSocket,
    readonly clientId: string,
  ) {
    socket.on('message', (data) => {
      const { id, method, params, error, result } = JSON.parse(String(data)) as Incoming;
      if (method === 'action') {
        const { origin } = params ?? {};
        if (origin?.clientId === clientId) this.echoes.add(origin.clientSeq);
      } else if (typeof id === 'number' && method === undefined) {
        if (this.answers.has(id)) this.duplicates++;
        this.answers.set(id, { error, result });
      }
      this.#look?.();
    });
    socket.on('close', () => this.#look?.());
  }

  static async open(host: TestHost, clientId: string, { hello }: Dialect): Promise<Attacker> {
    const socket = new WebSocket(`${host.server.url}?tkn=${host.server.token}`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const attacker = new Attacker(socket, clientId);
    const { error } = await attacker.ask(-1, 'initialize', { ...hello, clientId });
    assert.equal(error, undefined);
    return attacker;
  }

  send(text: string): void {
    this.socket.send(text);
  }
  async ask(id: number, method: string, params: unknown) {
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.until(`the answer to ${method}`, () => this.answers.get(id));
  }
  until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    const found = new Promise<T>((resolve, reject) => {
      this.#look = () => {
        const value = find();
        if (value !== undefined && value !== false) resolve(value);
        else if (this.socket.readyState !== WebSocket.OPEN) reject(new Error(`the connection ended while waiting for ${what}`));
      };
      this.#look();
    });
    return withTimeout(found, WAIT_MS, what);
  }
}

const session = 'scripted:/fuzz';
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const action = (type: string, fields: object = {}) => ({
  method: 'dispatchAction',
  params: { clientSeq: 0, action: { type, session, ...fields } },
});
/** Valid messages, to be mutilated. Nothing here starts a process. */
const templates = (work: string): { method: string; params: object }[] => [
  { method: 'subscribe', params: { resource: session } },
  { method: 'unsubscribe', params: { resource: session } },
  { method: 'listSessions', params: {} },
  { method: 'fetchTurns', params: { session, limit: 3 } },
  {
    method: 'createSession',
    params: { session, provider: 'scripted', workingDirectory: pathToFileURL(work).href, model: { id: 'one' }, config: {} },
  },
  { method: 'disposeSession', params: { session: 'scripted:/none' } },
  { method: 'disposeTerminal', params: { terminal: 'agenthost-terminal:/none' } },
  {
    method: 'createTerminal',
    params: { terminal: 'agenthost-terminal:/x', claim: { kind: 'client', clientId: 'nobody' }, cols: 80, rows: 24 },
  },
  { method: 'resourceRead', params: { uri: pathToFileURL(join(work, 'a')).href, encoding: 'utf-8' } },
  { method: 'resourceWrite', params: { uri: pathToFileURL(join(work, 'a')).href, data: 'x', encoding: 'utf-8' } },
  { method: 'resourceList', params: { uri: pathToFileURL(work).href } },
  { method: 'resourceDelete', params: { uri: pathToFileURL(join(work, 'a')).href } },
  { method: 'authenticate', params: { resource: 'https://x', token: 't' } },
  { method: 'resolveSessionConfig', params: { provider: 'scripted', config: { a: 1 } } },
  { method: 'sessionConfigCompletions', params: { provider: 'scripted', property: 'a', query: 'b' } },
  { method: 'initialize', params: { protocolVersion: 1, clientId: 'x' } },
  { method: 'reconnect', params: { clientId: 'x', lastSeenServerSeq: 1, subscriptions: [] } },
  action('session/turnStarted', { turnId: 't', userMessage: { text: 'x', attachments: [{ type: 'file', uri: 'file:///x' }] } }),
  action('session/turnCancelled', { turnId: 't' }),
  action('session/truncated', {}),
  action('session/titleChanged', { title: 'x' }),
  action('session/modelChanged', { model: { id: 'two' } }),
  action('session/pendingMessageSet', { kind: 'queued', id: 'q', userMessage: { text: 'x' } }),
  action('session/pendingMessageRemoved', { kind: 'queued', id: 'q' }),
  action('session/queuedMessagesReordered', { order: ['q'] }),
  action('session/toolCallConfirmed', { turnId: 't', toolCallId: 'c', approved: true, confirmed: 'user-action' }),
  action('session/toolCallComplete', { turnId: 't', toolCallId: 'c', result: { success: true, pastTenseMessage: 'x' } }),
  action('session/inputCompleted', { requestId: 'r', response: 'accept', answers: {} }),
  action('session/activeClientChanged', { activeClient: { clientId: 'x', tools: [{ name: 't' }] } }),
  action('session/configChanged', { config: { a: 1 }, replace: true }),
  action('session/delta', { turnId: 't', partId: 'p', content: 'x' }),
  action('root/configChanged', { config: {} }),
  action('terminal/input', { terminal: 'agenthost-terminal:/none', data: 'x' }),
];

const chat = chatUri(session);
const controlSession = 'scripted:/control';
const lentByControl = { clientId: 'control', tools: [{ name: 'untouched' }] };
const onRoot = { channel: 'ahp-root://' };
const said = { text: 'x', origin: { kind: 'user' }, attachments: [{ type: 'resource', label: 'x', uri: 'file:///x' }] };
const onChannel = (channel: string, type: string, fields: object = {}) => ({
  method: 'dispatchAction',
  params: { channel, clientSeq: 0, action: { type, ...fields } },
});
const inChat = (type: string, fields: object = {}) => onChannel(chat, type, fields);
/** The same for AHP 1.0. */
const channelTemplates = (work: string): { method: string; params: object }[] => [
  ...[onRoot.channel, session, chat, 'agenthost-terminal:/none', 'ahp-chat://default/x'].flatMap((channel) => [
    { method: 'subscribe', params: { channel, delivery: { maxLatencyMs: 5 }, view: { turns: 1 } } },
    { method: 'unsubscribe', params: { channel } },
  ]),
  { method: 'ping', params: {} },
  { method: 'listSessions', params: { ...onRoot, cursor: 'x' } },
  { method: 'fetchTurns', params: { channel: chat, cursor: 'x' } },
  {
    method: 'createSession',
    params: { channel: session, provider: 'scripted', workingDirectories: [pathToFileURL(work).href], config: {} },
  },
  { method: 'disposeSession', params: { channel: 'scripted:/none' } },
  { method: 'createChat', params: { channel: session, chat: 'ahp-chat://x/', source: { kind: 'fork', chat, turnId: 't' } } },
  { method: 'disposeTerminal', params: { channel: 'agenthost-terminal:/none' } },
  { method: 'completions', params: { channel: chat, kind: 'file', text: 'x', offset: 1 } },
  { method: 'resourceRead', params: { ...onRoot, uri: pathToFileURL(join(work, 'a')).href, encoding: 'utf-8' } },
  { method: 'resourceWrite', params: { ...onRoot, uri: pathToFileURL(join(work, 'a')).href, data: 'x', encoding: 'utf-8' } },
  { method: 'authenticate', params: { ...onRoot, resource: 'https://x', token: 't' } },
  { method: 'resolveSessionConfig', params: { ...onRoot, provider: 'scripted', config: { a: 1 } } },
  { method: 'initialize', params: { ...onRoot, protocolVersions: ['1.0.0'], clientId: 'x' } },
  { method: 'reconnect', params: { ...onRoot, clientId: 'x', lastSeenServerSeq: 1, subscriptions: [] } },
  inChat('chat/turnStarted', { turnId: 't', startedAt: 'now', message: said }),
  inChat('chat/turnCancelled', { turnId: 't', duration: 1 }),
  inChat('chat/truncated'),
  inChat('chat/draftChanged', { draft: { ...said, model: { id: 'two' } } }),
  inChat('chat/pendingMessageSet', { kind: 'queued', id: 'q', message: said }),
  inChat('chat/pendingMessageRemoved', { kind: 'queued', id: 'q' }),
  inChat('chat/queuedMessagesReordered', { order: ['q'] }),
  inChat('chat/toolCallConfirmed', { turnId: 't', toolCallId: 'c', approved: false, reason: 'denied', userSuggestion: said }),
  inChat('chat/toolCallComplete', { turnId: 't', toolCallId: 'c', result: { success: true, pastTenseMessage: 'x' } }),
  inChat('chat/inputCompleted', { requestId: 'r', response: 'accept', answers: {} }),
  inChat('chat/turnResume', { turnId: 't' }),
  inChat('chat/delta', { turnId: 't', partId: 'p', content: 'x' }),
  onChannel(session, 'session/titleChanged', { title: 'x' }),
  onChannel(session, 'session/configChanged', { config: { a: 1 }, replace: true }),
  onChannel(session, 'session/activeClientSet', { activeClient: { clientId: 'x', tools: [{ name: 't' }] } }),
  onChannel(session, 'session/activeClientRemoved', { clientId: 'x' }),
  // Each attacker may lend its own tools, and tries to change and to take back those of the others.
  ...Array.from({ length: CONNECTIONS }, (_, index) => `attacker-${index}`).flatMap((clientId) => [
    onChannel(controlSession, 'session/activeClientSet', { activeClient: { clientId, tools: [{ name: 't' }] } }),
    onChannel(controlSession, 'session/activeClientRemoved', { clientId }),
  ]),
  onChannel(session, 'session/customizationToggled', { id: 'x', enablement: [{ kind: 'session', enabled: true }] }),
  onChannel(onRoot.channel, 'root/configChanged', { config: {} }),
  onChannel('agenthost-terminal:/none', 'terminal/input', { data: 'x' }),
];

/** How a client of a dialect talks to the host. */
interface Dialect {
  hello: object;
  templates(work: string): { method: string; params: object }[];
  create(session: string, workingDirectory: string): object;
  retitle(session: string, title: string): object;
  subscribe(session: string): object;
  list: object;
  titleIn(state: unknown): string;
  /** Absent where other clients may take a client's tools back. */
  lendersIn?(state: unknown): { clientId: string }[];
}
const dialects: Record<string, Dialect> = {
  'AHP v1': {
    hello: { protocolVersion: 1 },
    templates,
    create: (created, workingDirectory) => ({ session: created, provider: 'scripted', workingDirectory }),
    retitle: (session, title) => ({ action: { type: 'session/titleChanged', session, title } }),
    subscribe: (resource) => ({ resource }),
    list: {},
    titleIn: (state) => (state as { summary: { title: string } }).summary.title,
  },
  'AHP 1.0': {
    hello: { ...onRoot, protocolVersions: ['1.0.0'] },
    templates: channelTemplates,
    create: (channel, directory) => ({ channel, provider: 'scripted', workingDirectories: [directory], activeClient: lentByControl }),
    retitle: (channel, title) => ({ channel, action: { type: 'session/titleChanged', title } }),
    subscribe: (channel) => ({ channel }),
    list: onRoot,
    titleIn: (state) => (state as { title: string }).title,
    lendersIn: (state) => (state as { activeClients: { clientId: string }[] }).activeClients,
  },
};

interface Mutation {
  template: number;
  kind: 'as it is' | 'replace' | 'remove' | 'add' | 'cut' | 'insert' | 'noise' | 'deep' | 'no id';
  /** Which of the values inside, from 0 to 1. */
  where: number;
  value: unknown;
  noise: string;
}
const mutations = fc.record<Mutation>({
  template: fc.nat(1000),
  kind: fc.constantFrom('as it is', 'replace', 'remove', 'add', 'cut', 'insert', 'noise', 'no id', 'replace', 'replace', 'remove'),
  where: fc.double({ min: 0, max: 0.999, noNaN: true }),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      null,
      -1,
      1e308,
      2 ** 53,
      '',
      '__proto__',
      'constructor',
      '../../etc/passwd',
      'file:///etc/passwd',
      '\u0000',
      '\ud800',
      'x'.repeat(5000),
      {},
      [],
      true,
    ),
  ),
  noise: fc.string({ maxLength: 20 }),
});

/** Every place in a message: the object or array, and the key. */
function places(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...places(holder[key])]);
}

function frameOf(
  { template, kind, where, value, noise }: Mutation,
  all: ReturnType<typeof templates>,
  id: number,
  clientSeq: number,
): { text: string; isRequest: boolean } {
  const message = structuredClone({ jsonrpc: '2.0', id, ...all[template % all.length]! }) as Record<string, unknown> & {
    params: Record<string, unknown>;
  };
  const isNotification = message.method === 'dispatchAction' || message.method === 'unsubscribe';
  if (isNotification || kind === 'no id') delete message.id;
  if (message.method === 'dispatchAction') message.params.clientSeq = clientSeq;
  const inside = places(message.params);
  const place = inside[Math.floor(where * inside.length)];
  if (kind === 'replace' && place) place.holder[place.key] = value;
  if (kind === 'remove' && place) Reflect.deleteProperty(place.holder, place.key);
  const added = place?.holder ?? message.params;
  if (kind === 'add' && Array.isArray(added)) added.push(value);
  else if (kind === 'add') added[noise || 'x'] = value;
  let text = JSON.stringify(message);
  const at = Math.floor(where * text.length);
  if (kind === 'cut') text = text.slice(0, at);
  // A number in place of the id may be that of another request.
  const isInId = at < text.indexOf('"method"');
  if (kind === 'insert') text = text.slice(0, at) + (isInId ? noise.replace(/[\deE]/g, 'x') : noise) + text.slice(at);
  if (kind === 'noise') text = noise;
  return { text, isRequest: 'id' in message && !['cut', 'insert', 'noise'].includes(kind) };
}

describe('frames of all kinds at the embedded host', function () {
  this.timeout(240_000);
  let host: TestHost;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-fuzz-'));
    host = new TestHost();
    await host.start({ sessionsFolder: join(folder, 'sessions') });
  });
  afterEach(async () => {
    await host.stop();
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });

  for (const [name, dialect] of Object.entries(dialects))
    it(`of ${name} are each answered or ignored, beside others that work, and leave nothing behind`, async () => {
      const seed = Date.now() & 0x7fffffff;
      try {
        const control = await Attacker.open(host, 'control', dialect);
        await control.ask(1, 'createSession', dialect.create(controlSession, host.directoryUri));
        await control.ask(2, 'subscribe', dialect.subscribe(controlSession));
        const attackers = await Promise.all(
          Array.from({ length: CONNECTIONS }, (_, index) => Attacker.open(host, `attacker-${index}`, dialect)),
        );
        const samples = fc.sample(mutations, { numRuns: 10_000, seed });
        const all = dialect.templates(host.directory);
        let id = 0;
        let turns = 0;
        let sent = 0;
        let heapAtHalf = 0;
        while (sent < FRAMES) {
          const attacker = attackers[(sent / BURST) % CONNECTIONS]!;
          const expected: number[] = [];
          for (let index = 0; index < BURST; index++, sent++) {
            const { text, isRequest } = frameOf(
              { ...samples[sent % samples.length]!, template: sent + Math.floor(sent / samples.length) },
              all,
              ++id,
              id,
            );
            if (isRequest) expected.push(id);
            attacker.send(text);
          }
          // The positive controls: on the same connection, and for another client a whole turn.
          const { result } = await attacker.ask(++id, 'listSessions', dialect.list);
          assert.ok(result);
          await attacker.until('an answer to each request', () => expected.every((each) => attacker.answers.has(each)));
          assert.equal(attacker.duplicates, 0);
          const clientSeq = ++id;
          control.send(
            JSON.stringify({
              jsonrpc: '2.0',
              method: 'dispatchAction',
              params: { clientSeq, ...dialect.retitle(controlSession, `title ${++turns}`) },
            }),
          );
          await control.until('the echo', () => control.echoes.has(clientSeq));
          for (const each of [attacker, control]) {
            each.answers.clear();
            each.echoes.clear();
          }
          if (sent === FRAMES / 2) {
            collectGarbage();
            heapAtHalf = process.memoryUsage().heapUsed;
          }
        }
        collectGarbage();
        const growth = process.memoryUsage().heapUsed - heapAtHalf;
        assert.ok(growth < HEAP_GROWTH_BYTES, `the heap grew by ${growth} bytes in the second half`);
        const { result } = await control.ask(++id, 'subscribe', dialect.subscribe(controlSession));
        const { state } = (result as { snapshot: { state: unknown } }).snapshot;
        assert.equal(dialect.titleIn(state), `title ${turns}`);
        const lenders = dialect.lendersIn?.(state);
        if (lenders) {
          const others = lenders.slice(1).map(({ clientId }) => clientId);
          assert.deepEqual(lenders[0], lentByControl);
          assert.deepEqual(others, [...new Set(others)]);
          assert.ok(
            others.every((clientId) => /^attacker-\d$/.test(clientId)),
            others.join(),
          );
        }
        for (const { socket } of [control, ...attackers]) socket.close();
        await withTimeout(
          new Promise<void>((resolve) => {
            const look = () => host.server.clientCount === 0 && resolve();
            host.server.onDidChangeActivity(look);
            look();
          }),
          WAIT_MS,
          'the end of all connections',
        );
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    });

  it('that reconnect with a number for each channel are each answered once, and cost no more than their length', async () => {
    await host.stop();
    host = new TestHost();
    await host.start({ speaks11: true });
    const hello = { ...onRoot, clientId: 'control', protocolVersions: ['1.1.0'], initialSubscriptions: [onRoot.channel] };
    const fresh = async () => (await host.open()).socket;
    /** The first answer that comes, or undefined where the host ends the connection. */
    const ask = async (text: string) => {
      const socket = await fresh();
      const answer = new Promise<Incoming | undefined>((resolve) => {
        socket.once('message', (data) => resolve(JSON.parse(String(data)) as Incoming)).once('close', () => resolve(undefined));
      });
      socket.send(text);
      const said = await withTimeout(answer, WAIT_MS, text.slice(0, 200));
      socket.terminate();
      return said;
    };
    const frame = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    assert.ok((await ask(frame('initialize', hello)))?.result);
    const at = (channel: unknown, lastSeenServerSeq: unknown) => ({ channel, lastSeenServerSeq });
    const params = { ...onRoot, clientId: 'control', subscriptions: [at(onRoot.channel, 1), at(session, 0), at('demo:/none', 3)] };
    const template = [{ method: 'reconnect', params }];
    const seed = Date.now() & 0x7fffffff;
    for (const mutation of fc.sample(mutations, { numRuns: 600, seed })) {
      const { text, isRequest } = frameOf(mutation, template, 1, 1);
      if (isRequest) assert.ok(await ask(text), `seed ${seed}: ${text.slice(0, 500)}`);
      else (await fresh()).send(text);
    }
    const outcomesOf = (said: Incoming | undefined) => (said?.result as { channels: { kind: string; channel: string }[] }).channels;
    for (const hostile of [-1, 1.5, '1', null, {}, Infinity]) {
      const said = await ask(frame('reconnect', { ...params, subscriptions: [at(onRoot.channel, hostile)] }));
      assert.equal(said?.error?.code, ErrorCode.InvalidParams);
    }
    // One outcome, however often it is named, and one for each of very many that are not there.
    const often = Array.from({ length: 100_000 }, (_, index) => at(onRoot.channel, index));
    assert.equal(outcomesOf(await ask(frame('reconnect', { ...params, subscriptions: often }))).length, 1);
    const many = Array.from({ length: 50_000 }, (_, index) => at(`none:/${index}`, 2 ** 50));
    const missing = outcomesOf(await ask(frame('reconnect', { ...params, subscriptions: many })));
    assert.ok(missing.length === 50_000 && missing.every(({ kind }) => kind === 'missing'));
    // The positive control.
    const [root, none, gone] = outcomesOf(await ask(frame('reconnect', params)));
    assert.deepEqual([root?.channel, root?.kind, none?.kind, gone?.kind], [onRoot.channel, 'replay', 'missing', 'missing']);
  });

  it('that are nested deeper than the bound are refused before they are parsed, and those at the bound are looked into', async () => {
    assert.equal(MAX_NESTING, 100);
    const client = await host.connect();
    const target = await host.session(client);
    // Brackets inside of strings are no nesting.
    const title = nested(1000);
    assert.equal((await client.dispatch({ type: 'session/titleChanged', session: target, title })).rejectionReason, undefined);
    assert.equal((await client.sessionState(target)).summary.title, title);
    /** The answers to one frame. */
    const answers = async (text: string) => {
      const before = client.frames.length;
      client.send(text);
      await client.settled();
      const heard = client.frames.slice(before).filter(({ method }) => method !== 'notification');
      // The last one belongs to `settled`. A notification may follow it in the same packet.
      return heard.slice(0, -1);
    };
    const refused = (code: number, message: string) => [{ jsonrpc: '2.0', id: null, error: { code, message } }];
    const tooDeep = refused(ErrorCode.InvalidRequest, 'the frame is nested deeper than 100');
    const arrays = nested;
    const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
    const inAction = (inner: string) => {
      const action = `{"type":"session/configChanged","session":"${target}","config":{"a":${inner}}}`;
      return `{"jsonrpc":"2.0","method":"dispatchAction","params":{"clientSeq":900,"action":${action}}}`;
    };
    /** How deep the inner part lies, the frame around it, and what shows that the host looked into it. */
    const frames: [
      number,
      (inner: string) => string,
      (answer: { error?: { message: string }; result?: unknown; method?: string }) => boolean,
    ][] = [
      [0, (inner) => inner, ({ error }) => /^(a frame must hold|the frame is neither)/.test(error?.message ?? '')],
      [3, (inner) => `{"jsonrpc":"2.0","id":900,"method":"listSessions","params":{"filter":{"a":${inner}}}}`, ({ result }) => !!result],
      [1, (inner) => `{"jsonrpc":"2.0","id":901,"method":"none","params":${inner}}`, ({ error }) => /none/.test(error?.message ?? '')],
      [4, inAction, ({ method }) => method === 'action'],
    ];
    for (const [outer, frame, isLookedInto] of frames) {
      for (const nest of [arrays, objects]) {
        const atBound = await answers(frame(nest(100 - outer)));
        assert.ok(atBound.length === 1 && isLookedInto(atBound[0]!), JSON.stringify(atBound));
        for (const depth of [101, 200_000]) assert.deepEqual(await answers(frame(nest(depth - outer))), tooDeep);
      }
    }
    // What is never closed is no JSON. That says who looked first.
    assert.equal((await answers('['.repeat(100)))[0]?.error?.code, ErrorCode.ParseError);
    assert.deepEqual(await answers('['.repeat(101)), tooDeep);
  });
});
