/** How far a host is with a new session, in the status bar of the workbench. Our own host says nothing of it, so a small fake one does. */
import { ROOT_CHANNEL } from '../../src/ahp/channels/root.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('a session that a host takes long to create', () => {
  const CHAT = 'ahp-chat://main/1';
  let tapline: StartedTapline;
  let workbench: Workbench;
  let fake: FakeChannelHost;
  let fakeServer: FakeHostServer;
  let asked: { channel: string; progressToken: string };
  let finish: () => void;

  before(async () => {
    fake = new FakeChannelHost('1.0.0');
    fake.put(ROOT_CHANNEL, { agents: [{ provider: 'robot', displayName: 'Robot', description: '', models: [] }] });
    fake.methods['resolveSessionConfig'] = () => ({ schema: { type: 'object', properties: {} }, values: {} });
    fake.methods['resourceList'] = () => ({ entries: [{ name: 'work', type: 'directory' }] });
    fake.methods['createSession'] = (params) =>
      new Promise((resolve) => {
        asked = params as typeof asked;
        finish = () => resolve(null);
        fake.tell('root/progress', { progressToken: asked.progressToken, progress: 1, total: 2, message: 'Cloning $(bug)' });
        fake.tell('root/progress', { progressToken: 'of another client', progress: 1, message: 'Wrong' });
      });
    [tapline, fakeServer] = await Promise.all([takeTapline(), serveFakeHost(fake)]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.addHost(fakeServer.url, 'october');
  });
  after(async () => {
    await workbench?.close();
    await fakeServer?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot('failed-creation-progress');
  });

  it('says what the host does, until the session is there', async () => {
    const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
    const status = workbench.page.locator('.statusbar-item', { hasText: 'Creating the session' });
    await workbench.run('Tapline: New Session…');
    await row('october').click();
    await workbench.page.locator('.quick-input-widget input').fill('/work');
    await row('Work in').click();
    await status.getByText(/Cloning \$\u200b\(bug\), 50 %/).waitFor();
    await workbench.shot('92-creation-progress');
    fake.put(asked.channel, channelSession(CHAT, 'Made at last'));
    fake.put(CHAT, channelChat(CHAT));
    fake.tell('root/sessionAdded', { summary: channelSummary(asked.channel, 'Made at last') });
    finish();
    await status.waitFor({ state: 'detached' });
    await workbench.session.getByText('Made at last').first().waitFor();
  });
});
