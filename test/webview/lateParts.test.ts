import assert from 'node:assert/strict';
import { SessionPage } from './sessionPage.ts';
import { active, markdown, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
import { buttonsCount, type Harness, startWebview } from './webviewPage.ts';

const LATE = /^late-parts-/;
const TERMINAL = /^TerminalScreen-/;

/** Whose late parts come when the test lets them. */
class EarlyPage extends SessionPage {
  readonly served: string[] = [];
  isBroken = false;
  #letGo = () => undefined as void;
  readonly #held = new Promise<void>((resolve) => (this.#letGo = resolve));

  release(): void {
    this.#letGo();
  }
  protected override async serves(asset: string): Promise<boolean> {
    this.served.push(asset);
    if (LATE.test(asset)) await this.#held;
    return !(this.isBroken && LATE.test(asset));
  }
  protected override async untilWhole(): Promise<void> {
    // It never is, unless the test wants it.
  }
}

describe('The session webview without its late parts', function () {
  this.timeout(60_000);
  let harness: Harness<EarlyPage>;
  let view: EarlyPage;
  before(async () => {
    harness = await startWebview('session', (page) => new EarlyPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open()));
  afterEach(() => view.close());

  const side = (content: string) => ({ uri: 'file:///home/ada/web-app/a.ts', content: { uri: content } });
  const edit = waitingCall('c', {
    confirmationTitle: 'Change a.ts?',
    toolInput: '{}',
    _meta: { toolKind: 'edit' },
    edits: { items: [{ before: side('x://before'), after: side('x://after') }] },
  });
  const card = () => view.page.locator('.waiting-card');
  const answers = () => view.posted.filter(({ type }) => type === 'dispatch');
  const isAsked = (pattern: RegExp) => view.served.some((asset) => pattern.test(asset));

  it('shows the words of a session, and draws them when the parts are there', async () => {
    await view.show(session({ turns: [turn('1', 'Hello', [markdown('Some **bold** words')])] }));
    await view.page.getByText('Some **bold** words').waitFor();
    view.release();
    await view.page.locator('.markdown strong', { hasText: 'bold' }).waitFor();
    assert.equal(await view.page.getByText('**').count(), 0);
    assert.deepEqual(view.troubles, []);
  });

  it('says that a long text is cut until it is drawn', async () => {
    await view.show(session({ turns: [turn('1', 'Hello', [markdown(`begins ${'x '.repeat(20_000)}ends`), markdown('short')])] }));
    const source = view.page.locator('.markdown-source');
    await source.filter({ hasText: 'ends' }).waitFor();
    assert.match((await source.filter({ hasText: 'ends' }).textContent()) ?? '', /^… /);
    assert.equal(await source.filter({ hasText: 'short' }).textContent(), 'short');
    view.release();
  });

  it('gives the page without a session the focus that it was to have before it was there', async () => {
    await view.send(
      { type: 'show', start: { agents: [], folders: [], localHosts: [], isConnecting: false } },
      { type: 'focus', target: 'composer' },
    );
    view.release();
    await view.page.locator('#composer:focus').waitFor();
  });

  it('lets nobody agree to an edit whose change is not drawn yet', async () => {
    await view.show(active([toolCall(edit)]));
    await card().getByText('Reading the change…').waitFor();
    const approve = card().locator('vscode-button', { hasText: 'Approve' }).first();
    await buttonsCount(card());
    await approve.click({ force: true });
    await card().getByText('not all of this has been in view').waitFor();
    assert.deepEqual(answers(), []);
    view.release();
    for (let count = 0; count < 2; count++) {
      const { id, params } = await view.next('request');
      const data = JSON.stringify(params).includes('before') ? 'one\n' : 'two\n';
      await view.send({ type: 'response', id, result: { encoding: 'utf-8', data } });
    }
    await card().locator('.hunk').waitFor();
    await card().locator('vscode-button:not([aria-disabled])', { hasText: 'Approve' }).first().click();
    assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, true);
    assert.deepEqual(view.troubles, []);
  });

  it('keeps the card of a question, and the focus on it, until its form is there', async () => {
    const questions = [{ id: 'name', kind: 'text' as const, message: 'Which name?', required: true }];
    await view.show(active([], { inputRequests: [{ id: 'i', message: 'Set up', questions }] }));
    await view.send({ type: 'focus', target: 'needsYou' });
    await card().getByText('Opening the form…').waitFor();
    view.release();
    await card().getByRole('textbox', { name: 'Which name?' }).waitFor();
    assert.equal(await card().evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(view.troubles, []);
  });

  it('says that they could not be loaded, and loads them when asked again', async () => {
    view.isBroken = true;
    view.release();
    await view.show(active([toolCall(edit)]));
    const problem = view.page.locator('.late-problem');
    await problem.getByRole('alert').getByText('could not be loaded').waitFor();
    await card().locator('[data-cut]', { hasText: 'The preview could not be loaded' }).waitFor();
    view.isBroken = false;
    await problem.getByRole('button', { name: 'Retry' }).click();
    await problem.waitFor({ state: 'detached' });
    assert.equal((await view.next('request')).method, 'readResource');
  });

  it('loads the terminal emulator when the first terminal is shown', async () => {
    view.release();
    await view.page.evaluate(`customElements.whenDefined('vscode-button').then(() => undefined)`);
    assert.equal(isAsked(TERMINAL), false);
    const terminal = 'agenthost-terminal:/1';
    const call = {
      ...{ status: 'running' as const, toolCallId: 'c', toolName: 'bash', displayName: 'Bash', confirmed: 'not-needed' as const },
      ...{ invocationMessage: 'Running', content: [{ type: 'terminal' as const, resource: terminal, title: 'Bash' }] },
    };
    await view.show(active([toolCall(call)]));
    await view.next('watch');
    const claim = { kind: 'session' as const, session: uri };
    const content = [{ type: 'unclassified' as const, value: 'hello\r\n' }];
    await view.send({
      type: 'snapshot',
      uri: terminal,
      confirmed: { title: 'Bash', content, claim },
      pending: [],
      status: { kind: 'live' },
    });
    await view.page.locator('.xterm-rows').getByText('hello').waitFor();
    assert.equal(isAsked(TERMINAL), true);
    assert.deepEqual(view.troubles, []);
  });
});
