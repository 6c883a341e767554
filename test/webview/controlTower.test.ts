/** The page “Control Tower”, with the test in place of the extension and the gateway. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { parseTowerMessage, type TowerMessage, type TowerPageMessage } from '../../src/webviews/controlTower/protocol.ts';
import { type ThemeName, themes } from './themes.ts';
import { judged, mendedSpans, tracedSpan, TracedSession } from './tracedSession.ts';
import { emitterStatus, WatchedEmitters } from './watchedEmitters.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

class TowerPage extends WebviewPage<TowerPageMessage> {
  /** By the URI of the session. */
  readonly gateways = new Map<string, WatchedEmitters>();
  readonly traced = new Map<string, TracedSession>();

  protected take(message: unknown): TowerPageMessage | undefined {
    const taken = parseTowerMessage(message);
    if (taken?.type === 'request') {
      const answer = this.gateways.get(taken.session.uri)?.answer(taken.request) ?? { error: 'The gateway does not have this session.' };
      void this.sendAll([{ type: 'answer', id: taken.id, ...answer }]).catch(() => undefined);
    }
    if (taken?.type === 'ask') {
      const key = 'atGateway' in taken.session ? taken.session.atGateway : taken.session.uri;
      const answer = this.traced.get(key)?.answer(taken.question) ?? { error: 'The gateway does not have this session.' };
      void this.sendAll([{ type: 'answer', id: taken.id, ...answer }]).catch(() => undefined);
    }
    return taken;
  }
  async show(message: Partial<TowerMessage> = {}): Promise<void> {
    await this.sendAll([{ type: 'sessions', sessions: [], elsewhere: [], traces: { isOn: true }, ...message } satisfies TowerMessage]);
  }
}

const login = { hostId: 'embedded', uri: 'copilot:/login', title: 'Fix the login redirect', host: 'This computer' };
const theme = { hostId: 'box', uri: 'copilot:/theme', title: 'Add dark mode', host: 'build-box' };

describe('the control tower', function () {
  this.timeout(60_000);
  let harness: Harness<TowerPage>;
  let view: TowerPage;

  before(async () => {
    harness = await startWebview('controlTower', (page) => new TowerPage(page));
  });
  after(() => harness?.close());
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    await view.close();
  });

  const open = async (name?: ThemeName, size = { width: 1366, height: 768 }) => {
    view = await harness.open({ ...size, ...(name && { theme: name }) });
    const gateway = new WatchedEmitters();
    gateway.all = [
      emitterStatus({ state: 'running', lastLine: '3 passing', nextRunInMs: 0 }),
      emitterStatus({ name: 'deploy', command: 'kubectl rollout status deployment/web', state: 'failed', lastEnd: 'exit code 1' }),
    ];
    gateway.streams = [{ provider: 'tap', name: 'npm-test', events: [{ at: '2026-11-27T12:00:00Z', level: 'inject', text: '1 failing' }] }];
    view.gateways.set(login.uri, gateway);
    const other = new WatchedEmitters();
    const { command: _, ...prompt } = emitterStatus({ name: 'look', prompt: 'Check the deploy', runInterval: '5m', nextRunInMs: 90_000 });
    other.all = [prompt];
    const traced = new TracedSession();
    traced.spans = mendedSpans();
    traced.goals = judged;
    view.traced.set(login.uri, traced);
    view.gateways.set(theme.uri, other);
  };
  const of = (title: string) => view.page.getByRole('region', { name: title });

  const rows = () => view.page.getByRole('treegrid').getByRole('row');
  const row = (name: string | RegExp) => view.page.getByRole('treegrid').getByRole('row', { name });
  const openTraces = () => of('Fix the login redirect').getByRole('button', { name: 'Traces' }).press('Enter');
  const focused = () => view.page.evaluate('document.activeElement.querySelector(".waterfall-text")?.textContent') as Promise<string>;

  it('shows what is watched for each session, and the session by a click', async () => {
    await view.show({ sessions: [login, theme] });
    await of('Fix the login redirect').getByText('Running · every 5 min').waitFor();
    await of('Add dark mode').getByText('Next run in 1 min').waitFor();
    assert.match(await of('Add dark mode').innerText(), /Check the deploy/);
    await view.page.getByRole('button', { name: 'Add dark mode' }).click();
    assert.deepEqual(await view.until('openSession', ({ type }) => type === 'openSession'), {
      type: 'openSession',
      session: { hostId: 'box', uri: 'copilot:/theme' },
    });
  });

  it('does what is asked to the emitter of its own session', async () => {
    await view.show({ sessions: [login, theme] });
    await view.page.getByRole('button', { name: 'Stop look' }).press('Enter');
    await view.page.getByRole('button', { name: 'Start Again look' }).waitFor();
    assert.deepEqual(view.gateways.get(theme.uri)?.done, [{ deed: 'stop', name: 'look' }]);
    assert.deepEqual(view.gateways.get(login.uri)?.done, []);
    await of('Add dark mode').getByRole('button', { name: 'Watch Something…' }).press('Enter');
    assert.deepEqual(await view.until('watch', ({ type }) => type === 'watch'), {
      type: 'watch',
      session: { hostId: 'box', uri: 'copilot:/theme' },
    });
  });

  it('shows the streams of a session', async () => {
    await view.show({ sessions: [login] });
    await view.page.getByRole('button', { name: 'Streams' }).press('Enter');
    const stream = view.page.locator('.stream');
    await stream.getByText('of tap · the newest 1 event').waitFor();
    await stream.locator('summary').press('Enter');
    await stream.getByText('1 failing').waitFor();
  });

  it('keeps a filter that is being written when sessions change', async () => {
    await view.show({ sessions: [login] });
    await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
    await view.page.getByLabel('Pattern of rule 1').fill('half');
    await view.show({ sessions: [theme, login] });
    assert.equal(await view.page.getByLabel('Pattern of rule 1').inputValue(), 'half');
  });

  it('shows what others watch, without what only they can do, and says why nothing is known', async () => {
    await view.show({ elsewhere: [{ id: 'x', title: 'Of another window', emitters: [emitterStatus()] }] });
    await of('Of another window').getByText('Waiting · every 5 min').waitFor();
    const buttons = await of('Of another window').getByRole('button').allInnerTexts();
    assert.deepEqual(buttons, ['Traces', 'Goals and Claims']);
    const traced = new TracedSession();
    traced.spans = mendedSpans();
    view.traced.set('x', traced);
    await of('Of another window').getByRole('button', { name: 'Traces' }).press('Enter');
    await row(/^Call of bash/).click();
    assert.equal(await row(/^Call of bash/).getAttribute('class'), 'waterfall-row');
    await view.show({ problem: 'The tap gateway is off in this window.' });
    await view.page.getByRole('status').getByText('The tap gateway is off in this window.').waitFor();
    await view.show();
    await view.page.getByText('No session of this window is with the gateway.').waitFor();
    await view.show({ elsewhere: [{ id: 'runs', title: 'Runs of portals', emitters: [], isOfRuns: true }] });
    await of('Runs of portals').getByRole('button', { name: 'Traces' }).waitFor();
    await view.page.getByText('No session of this window is with the gateway.').waitFor();
    assert.equal(await view.page.getByText('Nothing is watched').count(), 0);
    await view.show({ sessions: [{ ...login, problem: 'Waiting for the tap gateway.' }] });
    await view.page.getByText('Waiting for the tap gateway.').waitFor();
  });

  it('draws the newest trace as a waterfall, with a click into the turn and the call', async () => {
    await view.show({ sessions: [login] });
    await openTraces();
    await row(/^Call of bash/).waitFor();
    const texts = await view.page.locator('[data-row] .waterfall-text').allInnerTexts();
    assert.deepEqual(texts, [
      'Run 4 of npm-test',
      ...['Run 4 of npm-test', '2 lines of npm-test', 'Waits for the agent: npm-test', 'Turn', 'Waits for you: bash'],
      ...['Call of bash', 'Call of tap_verify_goal_output', 'tap'],
    ]);
    assert.match(await row(/^Run 4 of npm-test failed: exit 1/).innerText(), /1\.0 s/);
    const bars = await view.page.locator('.waterfall-bar').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(
      bars.every((width) => width >= 2),
      `${bars.join()}`,
    );
    const session = { hostId: 'embedded', uri: 'copilot:/login' };
    await row(/^Turn/).click();
    const toTurn = await view.until('openPlace', ({ type }) => type === 'openPlace');
    assert.deepEqual(toTurn, { type: 'openPlace', session, place: { turn: 't1' } });
    await row(/^Call of bash/).click();
    const toCall = await view.until('openPlace', ({ type }) => type === 'openPlace');
    assert.deepEqual(toCall, { type: 'openPlace', session, place: { turn: 't1', call: 'c1' } });
  });

  it('is gone through by keyboard', async () => {
    await view.show({ sessions: [login] });
    await openTraces();
    await row(/^Call of bash/).waitFor();
    const { keyboard } = view.page;
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    assert.equal(await focused(), 'Run 4 of npm-test');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await keyboard.press(key);
    assert.equal(await focused(), 'Waits for you: bash');
    await keyboard.press('Enter');
    const message = await view.until('openPlace', ({ type }) => type === 'openPlace');
    assert.deepEqual(message.type === 'openPlace' && message.place, { turn: 't1', call: 'c1' });
    await keyboard.press('ArrowLeft');
    assert.equal(await focused(), 'Turn');
    await keyboard.press('ArrowLeft');
    await row(/^Call of bash/).waitFor({ state: 'detached' });
    assert.equal(await row(/^Turn/).getAttribute('aria-expanded'), 'false');
    await keyboard.press('End');
    assert.equal(await focused(), 'Turn');
    await keyboard.press(' ');
    await row(/^Call of bash/).waitFor();
    await keyboard.press('Home');
    await keyboard.press('ArrowLeft');
    assert.equal(await rows().count(), 2);
  });

  it('adds no trace while the user is in the list, and hides runs that told nothing', async () => {
    await view.show({ sessions: [login] });
    await openTraces();
    await row(/^Call of bash/).waitFor();
    await row(/^Turn/).focus();
    const traced = view.traced.get(login.uri);
    assert.ok(traced);
    traced.spans = [...mendedSpans(), ...mendedSpans(2), tracedSpan([3, 1], 'emitter_run', [0, 10], { 'tapline.emitter': 'deploy' })];
    await of('Fix the login redirect').getByRole('button', { name: 'Show 1 newer trace' }).waitFor();
    const spoken = of('Fix the login redirect').getByRole('status').filter({ hasText: 'newer' });
    assert.equal(await spoken.innerText(), 'There are newer traces.');
    assert.equal(await view.page.locator('[data-kind="trace"]').count(), 1);
    assert.equal(await focused(), 'Turn');
    await of('Fix the login redirect').getByRole('button', { name: 'Show 1 newer trace' }).press('Enter');
    await view.page.locator('[data-kind="trace"]').nth(1).waitFor();
    assert.equal(await view.page.evaluate('document.activeElement.dataset.row'), mendedSpans(2)[0]?.traceId);
    await view.page.getByRole('checkbox', { name: 'Also 1 run that told nothing' }).check();
    await view.page.getByText('Run of deploy').waitFor();
  });

  it('says that there are runs where all have told nothing, and hides none that failed', async () => {
    const traced = view.traced.get(login.uri);
    assert.ok(traced);
    const run = (trace: number, error?: string) => tracedSpan([trace, 1], 'emitter_run', [0, 10], { 'tapline.emitter': 'deploy' }, error);
    traced.spans = [run(1), run(2)];
    await view.show({ sessions: [login] });
    await openTraces();
    await view.page.getByRole('checkbox', { name: 'Also 2 runs that told nothing' }).waitFor();
    assert.equal(await view.page.getByText('Nothing has been traced').count(), 0);
    traced.spans = [run(1), run(2), run(3, 'exit code 1')];
    await row(/^Run of deploy.*1 failed/).waitFor();
    await view.page.getByRole('checkbox', { name: 'Also 2 runs that told nothing' }).waitFor();
  });

  it('says what to do where traces are off, what is left out, and why nothing is known', async () => {
    const traced = view.traced.get(login.uri);
    assert.ok(traced);
    [traced.spans, traced.isCut] = [[], false];
    await view.show({ sessions: [login], traces: { isOn: false } });
    await openTraces();
    await of('Fix the login redirect').getByText('tapline.traces.enabled').waitFor();
    await view.page.getByRole('button', { name: 'Open the Setting' }).press('Enter');
    await view.until('openTraceSettings', ({ type }) => type === 'openTraceSettings');
    await view.show({ sessions: [login] });
    await view.page.getByText('Nothing has been traced in this session yet.').waitFor();
    [traced.spans, traced.isCut] = [mendedSpans(), true];
    await view.page.getByText('Older traces are left out.').waitFor();
    await view.page.getByRole('status').getByText('“Run 4 of npm-test” has more spans. Its newest 8 are drawn.').waitFor();
    // Nothing that the arrow keys do not come to.
    assert.equal(await view.page.getByRole('treegrid').locator('[role="row"]:not([data-row])').count(), 1);
    traced.problem = 'The gateway is away.';
    await of('Fix the login redirect').getByRole('alert').getByText('The gateway is away.').waitFor();
  });

  it('cuts a long name, which is whole in a title', async () => {
    const traced = view.traced.get(login.uri);
    assert.ok(traced);
    const long = 'x'.repeat(150);
    traced.spans = [tracedSpan([1, 1], `execute_tool ${long}`, [0, 3], { 'gen_ai.tool.name': long })];
    await view.show({ sessions: [login] });
    await openTraces();
    const what = view.page.locator('[data-kind="execute_tool"] .waterfall-what');
    await what.waitFor();
    assert.equal(await what.getAttribute('title'), `Call of ${long}`);
    assert.ok(await what.locator('.waterfall-text').evaluate((text) => text.scrollWidth > text.clientWidth));
    assert.equal(await view.page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'), true);
  });

  it('shows goals and claims with their evidence, newest first', async () => {
    await view.show({ sessions: [login] });
    await of('Fix the login redirect').getByRole('button', { name: 'Goals and Claims' }).press('Enter');
    const list = view.page.getByRole('list', { name: 'Goals and claims, newest first' });
    await list.getByText('The login redirect works again').waitFor();
    const goals = await list.locator('.goal').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['verdict']));
    assert.deepEqual(goals, ['supported', 'contradicted']);
    assert.match(await list.innerText(), /Contradicted[\s\S]*All tests pass[\s\S]*it ended with code 1[\s\S]*\(seen in the session\)/);
  });

  const shot = async (name: string) => {
    const folder = process.env['SHOTS'];
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await view.page.screenshot({ path: `${folder}/${name}.png` });
  };
  for (const name of Object.keys(themes) as ThemeName[])
    it(`can be used by everybody, in ${name}`, async () => {
      await open(name);
      await view.show({ sessions: [login, theme], elsewhere: [{ id: 'x', title: 'Of another window', emitters: [emitterStatus()] }] });
      const gateway = view.gateways.get(login.uri);
      assert.ok(gateway);
      gateway.lines = ['ok 1', 'FAIL src/login.test.ts', '0 errors'];
      await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
      await view.page.getByLabel('Pattern of rule 1').fill('FAIL');
      await view.page.getByLabel('What rule 1 does').selectOption('inject');
      await view.page.getByText('1 given to the agent.').waitFor();
      await shot(`tower-${name}`);
      assert.deepEqual(await view.violations(), []);
    });

  for (const name of Object.keys(themes) as ThemeName[])
    for (const size of [
      { width: 1366, height: 768 },
      { width: 1500, height: 950 },
    ])
      it(`draws traces and goals for everybody, in ${name} at ${size.width} × ${size.height}`, async () => {
        await view.close();
        await open(name, size);
        const gateway = view.gateways.get(login.uri);
        if (gateway) gateway.all = [];
        await view.show({ sessions: [login], traces: { isOn: false } });
        await openTraces();
        await row(/^Call of bash/).waitFor();
        await row(/^Turn/).focus();
        await of('Fix the login redirect').getByRole('button', { name: 'Goals and Claims' }).click();
        await view.page.getByText('All tests pass').waitFor();
        await row(/^Turn/).focus();
        await shot(`traces-${name}-${size.width}`);
        assert.deepEqual(await view.violations(), []);
      });
});
