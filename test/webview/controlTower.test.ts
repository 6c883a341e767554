/** The page “Control Tower”, with the test in place of the extension and the gateway. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { parseTowerMessage, type TowerMessage, type TowerPageMessage } from '../../src/webviews/controlTower/protocol.ts';
import { type ThemeName, themes } from './themes.ts';
import { emitterStatus, WatchedEmitters } from './watchedEmitters.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

class TowerPage extends WebviewPage<TowerPageMessage> {
  /** By the URI of the session. */
  readonly gateways = new Map<string, WatchedEmitters>();

  protected take(message: unknown): TowerPageMessage | undefined {
    const taken = parseTowerMessage(message);
    if (taken?.type === 'request') {
      const answer = this.gateways.get(taken.session.uri)?.answer(taken.request) ?? { error: 'The gateway does not have this session.' };
      void this.sendAll([{ type: 'answer', id: taken.id, ...answer }]).catch(() => undefined);
    }
    return taken;
  }
  async show(message: Partial<TowerMessage> = {}): Promise<void> {
    await this.sendAll([{ type: 'sessions', sessions: [], elsewhere: [], ...message } satisfies TowerMessage]);
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

  const open = async (name?: ThemeName) => {
    view = await harness.open({ width: 1366, height: 768, ...(name && { theme: name }) });
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
    view.gateways.set(theme.uri, other);
  };
  const of = (title: string) => view.page.getByRole('region', { name: title });

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
    assert.equal(await of('Of another window').getByRole('button').count(), 0);
    await view.show({ problem: 'The tap gateway is off in this window.' });
    await view.page.getByRole('status').getByText('The tap gateway is off in this window.').waitFor();
    await view.show();
    await view.page.getByText('No session of this window is with the gateway.').waitFor();
    await view.show({ sessions: [{ ...login, problem: 'Waiting for the tap gateway.' }] });
    await view.page.getByText('Waiting for the tap gateway.').waitFor();
  });

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
      if (process.env['SHOTS']) {
        mkdirSync(process.env['SHOTS'], { recursive: true });
        await view.page.screenshot({ path: `${process.env['SHOTS']}/tower-${name}.png` });
      }
      assert.deepEqual(await view.violations(), []);
    });
});
