/**
 * A host that confirms actions without carrying them out, like VS Code 1.117: it keeps sessions that were disposed of, and archives with an
 * older action or not at all. The user has to see what really happened.
 */
import assert from 'node:assert/strict';
import { FakeHost, sessionState, sessionSummary } from '../fakes/fakeHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('sessions of a host that neither deletes nor archives them, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: FakeHost;
  let server: FakeHostServer;

  before(async () => {
    host = new FakeHost();
    for (const title of ['Kept', 'Done', 'Plain']) {
      const uri = `demo:/${title}`;
      host.states.set(uri, sessionState(uri, title));
      host.summaries.push(sessionSummary(uri, title));
    }
    host.methods.disposeSession = ({ session }) => {
      host.notify({ type: 'notify/sessionRemoved', session });
      return null;
    };
    const dispatchAction = host.methods.dispatchAction!;
    host.methods.dispatchAction = (params, connection) => {
      const { type, session, isDone } = params.action;
      if (type === 'session/isDoneChanged' && session === 'demo:/Done') {
        host.summaries = host.summaries.map((summary) => (summary.resource === session ? { ...summary, isDone } : summary));
      }
      return dispatchAction(params, connection);
    };
    [tapline, server] = await Promise.all([takeTapline(), serveFakeHost(host)]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.run('Tapline: Add Agent Host…');
    for (const text of [server.url, 'older-box', '']) {
      const step = workbench.page.locator('.quick-input-title', {
        hasText: `Add Agent Host (${1 + [server.url, 'older-box', ''].indexOf(text)}/3)`,
      });
      await step.waitFor();
      const input = workbench.page.locator('.quick-input-widget input');
      await input.fill(text);
      await input.press('Enter');
    }
    await session('Kept').waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await server?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-older-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = (title: string) => workbench.page.getByRole('treeitem', { name: new RegExp(`^${title}, `) });
  const notification = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
  async function choose(command: string, title: string): Promise<void> {
    await workbench.run(`Tapline: ${command}`);
    await workbench.choose(title);
  }

  it('say after Delete that they were only stopped, and can be hidden in this window', async () => {
    await choose('Delete Session…', 'Kept');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
    const told = notification('older-box has stopped “Kept” but still lists it. It does not delete sessions.');
    await told.waitFor();
    await workbench.shot('16-not-deleted');
    await session('Kept').waitFor();
    await told.getByRole('button', { name: 'Hide in This Window' }).click();
    await session('Kept').waitFor({ state: 'detached' });
    await session('Plain').waitFor();
  });

  it('stay hidden when the window is loaded again', async () => {
    await workbench.untilStored('tapline.hiddenSessions', 'demo:/Kept');
    await workbench.reload();
    await session('Plain').waitFor();
    assert.equal(await session('Kept').count(), 0);
  });

  it('are archived by the older action where the host has it', async () => {
    await choose('Archive Session', 'Done');
    await session('Done').waitFor({ state: 'detached' });
    assert.equal(await notification('did not archive').count(), 0);
  });

  it('are archived too where the host does not list them and tells of it late', async () => {
    const uri = 'demo:/Unlisted';
    host.states.set(uri, sessionState(uri, 'Unlisted'));
    host.notify({ type: 'notify/sessionAdded', summary: sessionSummary(uri, 'Unlisted') });
    await session('Unlisted').waitFor();
    const { dispatchAction } = host.methods;
    host.methods.dispatchAction = (params, connection) => {
      const { type, isDone } = params.action;
      if (type === 'session/isDoneChanged' && params.action.session === uri) {
        setTimeout(() => host.notify({ type: 'notify/sessionSummaryChanged', session: uri, changes: { isDone } as object }), 100);
      }
      return dispatchAction!(params, connection);
    };
    await choose('Archive Session', 'Unlisted');
    await session('Unlisted').waitFor({ state: 'detached' });
    await workbench.run('Tapline: Refresh Sessions');
    assert.equal(await notification('did not archive').count(), 0);
    host.methods.dispatchAction = dispatchAction!;
  });

  it('say when they were not archived, and come back from hiding with Unarchive', async () => {
    await choose('Archive Session', 'Plain');
    const told = notification('older-box did not archive “Plain”.');
    await told.waitFor();
    await told.getByRole('button', { name: 'Hide in This Window' }).click();
    await session('Plain').waitFor({ state: 'detached' });
    await workbench.run('Tapline: Show or Hide Archived Sessions');
    await workbench.page.getByRole('treeitem', { name: /^Plain, archived/ }).waitFor();
    await choose('Unarchive Session', 'Plain');
    await workbench.page.getByRole('treeitem', { name: /^Plain, (?!archived)/ }).waitFor();
  });
});
