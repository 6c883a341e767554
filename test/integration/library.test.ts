/** The package `tapline` as other programs use it: built, in plain Node, without VS Code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';

const root = join(import.meta.dirname, '../..');

const PROGRAM = `
import { AgentHostClient, channelReducers, reduceAll, whenLive } from 'tapline/ahp';
const [url, token, workingDirectory, dialect] = process.argv.slice(2);
const client = await AgentHostClient.connect({ dialects: [dialect], url, token, clientId: 'library-test-' + dialect });
const uri = 'demo:/library-' + dialect;
await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories: [workingDirectory] });
const session = client.session(uri);
const chat = client.chat((await whenLive(session)).defaultChat);
const done = new Promise((resolve) => chat.onDidChange(() => chat.confirmed?.turns.length && resolve()));
const said = await chat.send('help').settled;
await done;
const own = reduceAll(channelReducers.session, session.confirmed, [{ type: 'session/titleChanged', title: 'mine' }], 1);
const message = { text: 'hi', origin: { kind: 'user' } };
const begun = reduceAll(channelReducers.chat, chat.confirmed, [{ type: 'chat/turnStarted', turnId: 't', startedAt: new Date(0).toISOString(), message }], 1);
console.log(JSON.stringify({ begun: [begun.status, begun.modifiedAt], dialect: client.dialect, state: client.state.kind, said: said.kind, turn: chat.confirmed.turns[0].state, title: own.title, kinds: Object.keys(channelReducers).length, listed: (await client.listSessions()).filter(({ resource }) => resource === uri).length }));
chat.dispose();
session.dispose();
client.close();
`;

const TYPED = `
import { AgentHostClient, channelReducers, type channels, type ChatModel, type ConnectionState, reduceAll, type SessionModel, whenLive } from 'tapline/ahp';
export function replay(state: channels.ChatState, actions: channels.ChatAction[]): channels.Turn[] {
  const session = {} as channels.SessionState;
  // @ts-expect-error a session is no chat
  channelReducers.chat(session, { type: 'chat/isReadChanged', isRead: true }, 0);
  return reduceAll(channelReducers.chat, state, actions, 0).turns;
}
export async function use(url: string): Promise<ConnectionState> {
  const client = await AgentHostClient.connect({ url, token: 'x' });
  const session: SessionModel = client.session('demo:/1');
  const { defaultChat, title }: channels.SessionState = await whenLive(session);
  session.rename(title + '!');
  if (defaultChat === undefined) return client.state;
  const chat: ChatModel = client.chat(defaultChat);
  const { settled } = chat.can('chat/turnResume') ? chat.resume() : chat.send('again');
  // @ts-expect-error no such action
  chat.can('chat/noSuchAction');
  const running: channels.ActiveTurn | undefined = chat.state?.activeTurn;
  const terminal: channels.TerminalState = await whenLive(client.model('terminal', 'terminal:/1'));
  const { items } = await client.command('listSessions', {});
  // @ts-expect-error a command that does not exist
  await client.command('noSuchCommand', {});
  return items.length && running && terminal.title && (await settled).kind === 'confirmed' ? client.state : { kind: 'closed' };
}
`;

const OPENCTX = `
import { OpenCtxClient } from 'tapline/openctx';
const client = OpenCtxClient.create({ providers: { './context.mjs': true, './none.mjs': true }, workspaceFolder: process.cwd() });
const { results, errors } = await client.items({ uri: 'file:///a', content: '' });
console.log(JSON.stringify({ titles: results.map(({ title }) => title), failed: errors.map(({ provider }) => provider) }));
`;

const TYPED_OPENCTX = `
import { OpenCtxClient, type ResourceItem } from 'tapline/openctx';
export async function use(): Promise<ResourceItem[]> {
  const client = OpenCtxClient.create({ providers: { 'https://example.com/': true, x: false, y: { a: 1 } } });
  const [mention] = (await client.mentions({ query: 'x' })).results;
  if (mention) await client.items({ mention });
  // @ts-expect-error a mention without its provider
  await client.items({ mention: { title: 'x', uri: 'x' } });
  const { results, errors } = await client.items({ uri: 'file:///a', content: '', range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } } });
  for (const { provider, message } of errors) console.error(provider, message);
  client.dispose();
  return results;
}
`;

const TESTED = `
import { createProvider, tool, ToolError, text, json } from 'tapline/provider';
import { createTestGateway } from 'tapline/provider/testing';
const gateway = createTestGateway();
const fails = () => { throw new ToolError('BUSY', 'later', true); };
const provider = createProvider('dice', {
  connect: gateway.connect,
  tools: [tool({ name: 'roll', run: () => [text('four'), json({ n: 4 })] }), tool({ name: 'fails', run: fails })],
});
const { content, structuredContent } = await gateway.call('roll');
const { code, retryable } = await gateway.call('fails').catch((error) => error);
await gateway.close();
console.log(JSON.stringify({ texts: content.map(({ text }) => text), structuredContent, code, retryable }));
`;

const TYPED_TESTED = `
import { createProvider, tool } from 'tapline/provider';
import { createTestGateway, ToolCallError } from 'tapline/provider/testing';
export async function use(): Promise<string | undefined> {
  const gateway = createTestGateway({ consent: 'deny' });
  createProvider('dice', { connect: gateway.connect, tools: [tool({ name: 'roll', run: () => 4 })] });
  try {
    const { content } = await gateway.call('roll', { sides: 6 }, { signal: AbortSignal.timeout(1000) });
    const [first] = content;
    return first?.type === 'text' ? first.text : undefined;
  } catch (error) {
    return error instanceof ToolCallError && error.retryable ? error.code : undefined;
  } finally {
    await gateway.close();
  }
}
`;

const TYPED_PROVIDER = `
import { createProvider, FileResult, GatewayError, type ProviderHandle, type ProviderState, ToolError, type ToolCallRequest } from 'tapline/provider';
import { file, image, json, text, tool } from 'tapline/provider';
import { createProvider as createInTab, tool as toolInTab } from 'tapline/provider/browser';
import * as z from 'zod';

export const dice = tool({
  name: 'dice_roll',
  description: 'Rolls dice',
  input: z.object({ sides: z.int().default(6), label: z.string().optional() }),
  run: ({ sides, label }, { signal, progress }) => {
    signal.throwIfAborted();
    const certain: number = sides;
    // @ts-expect-error it may be missing
    const uncertain: string = label;
    progress(uncertain);
    return [text('Rolled'), json({ certain }), image(new Uint8Array(1), 'image/png'), file('a', { name: 'a.txt' })];
  },
});
// @ts-expect-error no such argument
tool({ name: 'x', input: z.object({ sides: z.int() }), run: ({ side }) => side });
// @ts-expect-error a tool has to run
tool({ name: 'x', input: z.object({}) });
const plain = toolInTab({ name: 'x', input: { type: 'object' }, run: (args) => args.anything });
createProvider('lender', { tools: [dice, plain, { name: 'bare' }], onToolCall: () => new ToolError('OF_MY_OWN', 'x') }).close();
void createInTab('lender', { tools: [dice] }).updateTools([plain], []);

export function use(): ProviderHandle {
  const provider = createProvider('typed', {
    tools: [{ name: 'typed_tool', description: 'x', parameters: { type: 'object' }, timeout: 1000 }],
    instance: 'one',
    hooks: { onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }], transforms: { s: { action: 'append', content: 'x' } } },
    subscribe: ['user.message'],
    concurrency: { max: 1 },
    async onToolCall({ tool, args, signal, progress, sessionId }: ToolCallRequest) {
      signal.throwIfAborted();
      progress(tool + sessionId);
      if (!args.name) throw new ToolError('NOT_FOUND', 'no name', true);
      return args.large ? new FileResult({ path: '/x', mimeType: 'text/plain', size: 1, ttl: 1 }) : { name: args.name };
    },
    onGate: ({ gateId }) => ({ decision: 'deny', reason: gateId }),
    onTransform: ({ current }) => current,
    session: (sessions) => sessions[0]?.id,
    onError: (error) => console.error(error instanceof GatewayError ? error.code : error.message),
  });
  const subscription = provider.onDidChangeState((state: ProviderState) => {
    if (state.kind === 'bound') console.log(state.providerId, state.persistDir);
  });
  subscription.dispose();
  provider.push({ level: 'surface', event: 'x', metadata: { a: 1 } });
  void provider.updateTools([{ name: 'other' }], []).then(() => provider.queryStreams(['typed'], { last: 3 })).then((streams) => streams.typed?.[0]?.event);
  void provider.setFilter([{ match: 'x', outcome: 'drop' }]);
  // @ts-expect-error a level that does not exist
  provider.push({ level: 'shout', event: 'x' });
  // @ts-expect-error a tool without a name
  void provider.updateTools([{ description: 'x' }]);
  createInTab('tab', { url: 'ws://127.0.0.1:1', onPairing: async (prompt) => prompt, onToken: (token) => token?.length }).close();
  return provider;
}
`;

describe('the library', () => {
  let folder: string;
  let host: HostProcess;

  before(async () => {
    for (const file of ['ahp.js', 'provider.js', 'providerBrowser.js', 'providerTesting.js', 'openctx.js', 'openctxWorker.js'])
      assert.ok(existsSync(join(root, 'dist/lib', file)), 'dist/lib is missing: run `npm run build` first');
    folder = mkdtempSync(join(tmpdir(), 'tapline-library-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/tapline'), 'dir');
    symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'), 'dir');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    host = await startHostProcess();
  });
  after(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  const driven = async (program: string, dialect: string): Promise<unknown> => {
    writeFileSync(join(folder, 'program.js'), program);
    const args = ['program.js', host.url, host.token, `file://${folder}`, dialect];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout);
  };

  for (const [name, version] of [
    ['channels', '1.0.0'],
    ['v1', '1'],
  ] as const)
    it(`drives a session from a plain Node program, over ${name}`, async () =>
      assert.deepEqual(await driven(PROGRAM, name), {
        ...{ dialect: { name, version }, state: 'connected', said: 'confirmed', turn: 'complete' },
        ...{ begun: [8, '1970-01-01T00:00:00.000Z'], title: 'mine', kinds: 10, listed: 1 },
      }));

  it('asks OpenCtx providers from a plain Node program, which ends by itself', async () => {
    writeFileSync(join(folder, 'context.mjs'), 'export default { capabilities: () => ({}), items: () => [{ title: "x" }] };');
    writeFileSync(join(folder, 'openctx.js'), OPENCTX);
    const { stdout } = await promisify(execFile)(process.execPath, ['openctx.js'], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), { titles: ['x'], failed: ['./none.mjs'] });
  });

  it('tests a provider in a plain Node program, which ends by itself', async () => {
    writeFileSync(join(folder, 'tested.js'), TESTED);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['tested.js'], { cwd: folder });
    const texts = ['four', '{\n  "n": 4\n}'];
    assert.deepEqual(JSON.parse(stdout), { texts, structuredContent: { n: 4 }, code: 'BUSY', retryable: true });
    assert.equal(stderr, '');
  });

  it('has types that strict programs compile against', async function () {
    this.timeout(120_000); // a compiler and all of zod's types
    writeFileSync(join(folder, 'ahp.ts'), TYPED);
    writeFileSync(join(folder, 'provider.ts'), TYPED_PROVIDER);
    writeFileSync(join(folder, 'openctx.ts'), TYPED_OPENCTX);
    writeFileSync(join(folder, 'tested.ts'), TYPED_TESTED);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false', '--types', 'node'];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    await promisify(execFile)(process.execPath, [tsc, ...options, ...typeRoots, 'ahp.ts', 'provider.ts', 'openctx.ts', 'tested.ts'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => assert.fail(error.stdout));
  });
});
