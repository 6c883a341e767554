/**
 * "Keep an eye on this", from the word to the proof: the tests of a folder are watched, their failure begins a turn once the session is idle, the
 * Copilot engine mends it with the user's approval and has that checked, and all of it is one trace, although gateway and window were lost meanwhile.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonRecord, readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../src/base/log.ts';
import { OwnerClient } from '../../src/tap/owner/ownerClient.ts';
import type { KeptRecord, RecordKind } from '../../src/tap/wire/records/record.ts';
import { eventually } from '../fakes/eventually.ts';
import { codeBlocksOf } from '../integration/docs/documented.ts';
import { type ModelRequest, ModelServer, type ReplyPiece } from '../fixtures/modelServer.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

const BADGE = `/** How many messages wait, for a badge with room for two characters. */
export function badge(count) {
  return String(count);
}
`;
/** Fails as soon as more messages wait than anybody had thought of. */
const BADGE_TEST = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { badge } from './badge.js';

test('the badge has room for all messages', () => {
  const { waiting } = JSON.parse(readFileSync('messages.json', 'utf8'));
  assert.ok(badge(waiting).length <= 2, 'the badge of ' + waiting + ' messages is too wide');
});
`;
const FAILURE = 'the badge has room for all messages';

/** What the README tells users to type. */
const documented =
  codeBlocksOf('README.md')
    .find(({ name }) => name.startsWith('text: /loop'))
    ?.text.trim() ?? '';

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes?: Record<string, unknown> };

describe('what one keeps an eye on, in the workbench', () => {
  const data = mkdtempSync(join(tmpdir(), 'tapline-e2e-eye-'));
  const home = join(data, 'home');
  let tapline: StartedTapline;
  let workbench: Workbench;
  let model: ModelServer;
  let records: OwnerClient;

  before(async () => {
    // As if the user had installed the engine.
    mkdirSync(join(home, 'engine'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(home, 'engine/node_modules'));
    [tapline, model] = await Promise.all([startTapline(['--no-walkthrough', '--data', data]), ModelServer.start()]);
    const settings = join(data, 'user/User/settings.json');
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), 'tapline.traces.enabled': true }));
    write('src/badge.js', BADGE);
    write('src/badge.test.js', BADGE_TEST);
    write('messages.json', '{ "waiting": 7 }');
    records = new OwnerClient({ name: 'test', find: async () => gateway(), logger: nullLogger });
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    records?.dispose();
    await workbench?.close();
    await tapline?.stop();
    await model?.stop();
    rmSync(data, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-eye-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const composer = () => session().getByRole('textbox', { name: 'Message' });
  const card = () => session().locator('.waiting-card');
  const turns = () => session().locator('.turn');
  /** By the keyboard, once the card takes an answer. */
  async function allow(): Promise<void> {
    const button = card().locator('vscode-button:not([aria-disabled="true"])', { hasText: 'Allow once' });
    await button.waitFor();
    await workbench.press(button);
  }
  const emitter = () => session().locator('[data-emitter="npm-test"]');
  const watching = (words: string) => session().getByRole('button', { name: words });
  const idle = () => session().locator('.state', { hasText: 'Idle' }).waitFor();
  const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const write = (name: string, text: string) => writeFileSync(join(tapline.workspace, name), text);
  const read = (name: string) => readFileSync(join(tapline.workspace, name), 'utf8');
  async function answer(prompt: string, text: string): Promise<void> {
    await workbench.page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill(text);
    await input.press('Enter');
  }
  function gateway(): DaemonRecord {
    const record = readDaemonRecord(join(home, 'gateway.lock.json'));
    assert.ok(record, 'no gateway runs');
    return record;
  }
  async function recorded(kind: RecordKind, where = {}): Promise<KeptRecord[]> {
    if (records.state.kind !== 'connected') return [];
    return (await records.request('records/query', { kind, where, limit: 200 })).records;
  }
  const spans = async (where = {}) => (await recorded('trace', where)).map((record) => record.data as unknown as Span);

  it('is asked for in the message field, and its noise is kept without a word', async () => {
    await workbench.run('Tapline: New Session…');
    await row('GitHub Copilot').click();
    await workbench.choose('Add a model of your own');
    await row('Another server…').click();
    await answer('Base URL of the server', model.baseUrl);
    await answer('API key', '');
    await row('scripted-model').click();
    await answer('Name of the model in the list', 'My model');
    await session().getByText('Nothing was said yet').waitFor();
    await composer().focus();
    await workbench.page.keyboard.type(documented);
    await session().getByRole('group', { name: 'What Enter does' }).getByText('Enter runs this command every 2 s.').waitFor();
    await session().locator('.loop-hint[data-read="true"]').waitFor();
    await workbench.page.keyboard.press('Enter');
    await watching('Watching 1').press('Enter');
    await emitter()
      .getByText(/[1-9]\d* kept · 0 shown to you · 0 given to the agent · [2-9] runs/)
      .waitFor();
    assert.equal(await turns().count(), 0);
    assert.equal(model.requests.length, 0);
    await workbench.shot('70-watched');
  });

  it('goes on in a window that was loaded again', async () => {
    await workbench.untilStored('tapline.bridgedSessions', 'copilot:');
    await workbench.reload();
    await watching('Watching 1').press('Enter');
    await emitter()
      .getByText(/0 given to the agent · \d+ runs/)
      .waitFor();
    assert.equal(await turns().count(), 0);
  });

  it('waits with the failure until the session is idle', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    model.reply([{ text: 'I am thinking.' }, { wait: released }, { text: ' Nothing else to do.' }]);
    model.script = mended;
    await composer().fill('Look around');
    await composer().press('Enter');
    await session().locator('.transcript', { hasText: 'I am thinking.' }).waitFor();
    write('messages.json', '{ "waiting": 123 }');
    await session().locator('.timeline-row', { hasText: FAILURE }).first().waitFor();
    await emitter()
      .getByText(/[1-9]\d* lines? waits? for the agent/)
      .waitFor();
    assert.equal(model.requests.length, 1);
    release();
    await turns().nth(1).getByText(FAILURE).first().waitFor();
    await card().getByText('99+').first().waitFor();
    assert.match(JSON.stringify(model.requests[1]?.messages.at(-1)), new RegExp(FAILURE));
    assert.equal(read('src/badge.js'), BADGE, 'nothing is changed before the approval');
    await workbench.shot('71-injected');
  });

  it('outlives its gateway and the window while the agent waits for the user', async () => {
    // What has led to the turn is in the records by now, or is within a moment.
    let given: Span | undefined;
    await eventually(async () => ([given] = await spans({ name: 'inject' })).length > 0, 'the span of what was given to the agent');
    await workbench.untilStored('tapline.tracedTurns', given?.traceId ?? '');
    const { pid } = gateway();
    process.kill(pid, 'SIGKILL');
    await eventually(() => {
      const next = readDaemonRecord(join(home, 'gateway.lock.json'));
      return next !== undefined && next.pid !== pid;
    }, 'another gateway');
    await session().locator('.timeline-row', { hasText: 'npm-test was started again' }).waitFor();
    await workbench.reload();
    await card().getByText('99+').first().waitFor();
    await watching('Watching 1').press('Enter');
    await emitter()
      .getByText(/[1-9]\d* runs?/)
      .waitFor();
    await workbench.shot('72-back');
    // What is approved has to be in view as a whole.
    await emitter().getByRole('button', { name: 'Stop npm-test' }).press('Escape');
  });

  it('is mended once the user approves, and has that checked', async () => {
    await allow();
    await card().getByText('npm test').first().waitFor();
    await allow();
    // What only reads is not asked about.
    await session().locator('.transcript', { hasText: 'The badge is mended, and that was checked.' }).waitFor();
    assert.match(read('src/badge.js'), /99\+/);
    const [goal] = await recorded('goal');
    assert.equal(goal?.data['verdict'], 'supported', JSON.stringify(goal));
    await workbench.shot('73-mended');
  });

  it('is one trace from the run that failed to the proof', async () => {
    const wanted = ['emitter_run', 'emitter_lines', 'inject', 'turn', 'execute_tool tap_verify_goal_output'];
    let trace: Span[] = [];
    await eventually(async () => {
      const [proof] = await spans({ name: 'execute_tool tap_verify_goal_output' });
      trace = proof ? await spans({ traceId: proof.traceId }) : [];
      // The host tells of its turn a moment after it is over, and what it tells of inside of it is below that.
      const byHost = trace.filter(({ attributes }) => attributes?.['tapline.service'] === 'tapline-host').map(({ name }) => name);
      const isTold = byHost.includes('turn') && byHost.some((name) => name.startsWith('chat '));
      return isTold && wanted.every((name) => trace.some((span) => span.name === name));
    }, 'the whole trace').catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(trace.map(({ name }) => name))}, all: ${JSON.stringify(await spans())}`);
    });
    const ids = new Set(trace.map(({ spanId }) => spanId));
    const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
    assert.deepEqual(
      roots.map(({ name }) => name),
      ['emitter_run'],
      JSON.stringify(trace),
    );
  });

  it('is seen as one waterfall, with what was proved', async () => {
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('Tapline: Open Control Tower');
    const tower = workbench.editorSession.getByRole('region', { name: 'Look around' });
    await tower.getByRole('button', { name: 'Goals and Claims' }).press('Enter');
    await tower.locator('.goal[data-verdict=supported]', { hasText: 'The tests pass' }).waitFor();
    await workbench.shot('74-goals');
    await tower.getByRole('button', { name: 'Goals and Claims' }).press('Enter');
    await tower.getByRole('button', { name: 'Traces' }).press('Enter');
    const trace = tower.locator('[data-row][data-kind=trace]', { hasText: /npm-test/ });
    await trace.first().waitFor();
    for (const row of await trace.all()) if ((await row.getAttribute('aria-expanded')) === 'false') await row.press('Enter');
    await tower.locator('[data-row]', { hasText: 'Call of tap_verify_goal_output' }).first().waitFor();
    await workbench.shot('75-waterfall');
  });

  it('is stopped by the keyboard, with its tests at peace', async () => {
    await watching('Watching 1').press('Enter');
    await emitter().getByRole('button', { name: 'Stop npm-test' }).press('Enter');
    await emitter().getByText('Stopped').waitFor();
    await watching('Nothing watched now').waitFor();
    await idle();
  });

  /** The agent's answers: it mends the badge once, and says so of what comes later. */
  function mended({ messages }: ModelRequest): readonly ReplyPiece[] {
    const last = messages.findLastIndex(({ role }) => role === 'user');
    const steps: (readonly ReplyPiece[])[] = [
      [{ tool: 'view', args: { path: join(tapline.workspace, 'src/badge.js') } }],
      [
        {
          tool: 'edit',
          args: {
            path: join(tapline.workspace, 'src/badge.js'),
            old_str: 'return String(count);',
            new_str: "return count > 99 ? '99+'.slice(-2) : String(count);",
          },
        },
      ],
      [{ tool: 'bash', args: { command: 'npm test', description: 'Run the tests' } }],
      [
        {
          tool: 'tap_verify_goal_output',
          args: {
            goal: 'The tests pass',
            checks: [
              { kind: 'command', command: 'npm test', exitCode: 0 },
              { kind: 'fileContains', path: 'src/badge.js', text: 'count > 99' },
            ],
          },
        },
      ],
      [{ text: 'The badge is mended, and that was checked.' }],
    ];
    const isLater = messages.slice(0, last).some(({ content }) => JSON.stringify(content ?? '').includes('is mended'));
    if (isLater) return [{ text: 'That was before it was mended.' }];
    return steps[messages.slice(last + 1).filter(({ role }) => role === 'tool').length] ?? [{ text: 'Too far.' }];
  }
});
