/** Automations in the workbench. Our own host has none, so a small fake one has. */
import assert from 'node:assert/strict';
import {
  AUTOMATIONS_CHANNEL,
  type AutomationDefinition,
  type AutomationEntry,
  type AutomationRunSummary,
} from '../../src/ahp/channels/automations.ts';
import { eventually } from '../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const SESSION = 'copilotcli:/a';
const CHAT = 'ahp-chat://main/a';
const NIGHTLY = 'ahp-automation:/nightly';

describe('automations in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let fake: FakeChannelHost;
  let fakeServer: FakeHostServer;
  let entry: AutomationEntry;

  const run = (name: string, createdAt: string): AutomationRunSummary => ({
    ...{
      resource: `ahp-automation-run:/${name}`,
      automation: NIGHTLY,
      origin: { kind: 'manual' },
      sessionCount: 1,
      primarySession: SESSION,
    },
    lifecycle: { status: 'completed', createdAt, startedAt: createdAt, completedAt: createdAt },
  });
  const set = (fields: Partial<AutomationEntry>) => {
    entry = { ...entry, ...fields };
    fake.act(AUTOMATIONS_CHANNEL, { type: 'automation/set', automation: entry });
  };

  before(async () => {
    fake = new FakeChannelHost('0.9.0');
    entry = {
      ...{ resource: NIGHTLY, runs: [run('first', '2026-11-20T00:00:00Z')], runsNextCursor: 'more', operations: ['update', 'run'] },
      ...{ createdAt: '2026-11-01T00:00:00Z', modifiedAt: '2026-11-01T00:00:00Z' },
      definition: {
        ...{ title: 'Nightly triage', enabled: false, message: { text: 'Close what is stale', origin: { kind: 'automation' } } },
        session: { provider: 'copilotcli', workingDirectories: ['file:///w'], config: { mode: 'autopilot' } },
        triggers: [{ id: 't', kind: 'schedule', schedule: { expression: '0 2 * * *', timeZone: 'UTC' } }],
      },
    };
    fake.put(AUTOMATIONS_CHANNEL, { entries: [entry] });
    fake.put(SESSION, channelSession(CHAT, 'What triage did'));
    fake.put(CHAT, channelChat(CHAT));
    fake.summaries = [channelSummary(SESSION, 'What triage did')] as never;
    const { initialize } = fake.methods;
    fake.methods['initialize'] = (params, connection) => ({
      ...(initialize!(params, connection) as object),
      automations: { runCancellation: {} },
    });
    // As VS Code's host does, it echoes what it refuses, and answers the rest with what has changed.
    const { dispatchAction } = fake.methods;
    fake.methods['dispatchAction'] = (params, connection) => {
      const { action } = params as { action: { type: string; changes?: Partial<AutomationDefinition> } };
      if (action.type !== 'automation/updateRequested') return dispatchAction!(params, connection);
      set({ definition: { ...entry.definition, ...action.changes } });
    };
    [tapline, fakeServer] = await Promise.all([takeTapline(), serveFakeHost(fake)]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
  });
  after(async () => {
    await workbench?.close();
    await fakeServer?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-automations-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const notification = (text: string) => workbench.page.locator('.notification-list-item', { hasText: text });
  const view = () => workbench.page.locator('.pane-header', { hasText: 'Tools & Jobs' });
  const row = () => item(/^Nightly triage, /);
  const press = async (name: string) => {
    await row().hover();
    await row().getByRole('button', { name }).click();
  };

  it('are in a view that is there with a host that has them, and are read only while it is open', async () => {
    assert.equal(await view().count(), 0);
    await workbench.addHost(fakeServer.url, 'september');
    await view().waitFor();
    const isRead = () => fake.paramsOf('subscribe').some(({ channel }) => channel === AUTOMATIONS_CHANNEL);
    assert.equal(isRead(), false);
    await view().click();
    await item(/^Nightly triage, off · 0 2 \* \* \* UTC/).waitFor();
    assert.equal(isRead(), true);
    await item(/^Automations, 1 automation/).waitFor();
  });

  it('are turned on only after the user has seen what will run', async () => {
    await press('Turn On an Automation…');
    await dialog().getByText('Let “Nightly triage” run by itself at september?').waitFor();
    const detail = await dialog().innerText();
    for (const part of ['It says: Close what is stale', 'Folder: /w', 'Settings: mode: autopilot', 'When: 0 2 * * * UTC'])
      assert.ok(detail.includes(part), detail);
    await workbench.shot('50-automation-question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual(fake.paramsOf('dispatchAction'), []);
    await press('Turn On an Automation…');
    await dialog().getByRole('button', { name: 'Turn On' }).click();
    await dialog().waitFor({ state: 'detached' });
    await eventually(() => fake.paramsOf('dispatchAction').length > 0, 'the request at the host');
    set({ nextRunAt: '2099-01-01T00:00:00Z' });
    await item(/^Nightly triage, next on /).waitFor();
    const [dispatched] = fake.paramsOf('dispatchAction').slice(-1) as { channel: string; action: object }[];
    assert.deepEqual(dispatched?.action, { type: 'automation/updateRequested', resource: NIGHTLY, changes: { enabled: true } });
  });

  it('are not run when they have changed while the user was asked', async () => {
    await press('Run an Automation Now…');
    await dialog().getByText('Run “Nightly triage” at september now?').waitFor();
    set({
      definition: { ...entry.definition, title: 'Nightly triage, again', message: { text: 'Delete all', origin: { kind: 'automation' } } },
    });
    await item(/^Nightly triage, again/).waitFor();
    await dialog().getByRole('button', { name: 'Run' }).click();
    await notification('The automation was changed while you were asked.').waitFor();
    assert.deepEqual(fake.paramsOf('runAutomation'), []);
    set({ definition: { ...entry.definition, title: 'Nightly triage' } });
    await item(/^Nightly triage, next on /).waitFor();
  });

  it('run once, although the connection is lost before the answer', async () => {
    let asked = 0;
    fake.methods['runAutomation'] = () => {
      if (++asked > 1) return { resource: 'ahp-automation-run:/second' };
      fakeServer.dropAll();
      return new Promise(() => undefined);
    };
    await press('Run an Automation Now…');
    await dialog().getByRole('button', { name: 'Run' }).click();
    await notification('“Nightly triage” runs at september.').waitFor();
    const ids = fake.paramsOf('runAutomation').map(({ requestId }) => requestId);
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 1, 'the host knows that it is the same request');
  });

  it('show their runs, the older ones too, and the session of one', async () => {
    fake.methods['fetchAutomationRuns'] = ({ cursor }) => {
      assert.equal(cursor, 'more');
      const { runsNextCursor: _cursor, ...rest } = entry;
      entry = { ...rest, runs: [...entry.runs, run('zeroth', '2026-11-10T00:00:00Z')] };
      fake.act(AUTOMATIONS_CHANNEL, { type: 'automation/set', automation: entry });
      return {};
    };
    await row().locator('.monaco-tl-twistie').click();
    await item(/^Load older runs/).click();
    await item(/^Load older runs/).waitFor({ state: 'detached' });
    assert.equal(await item(/^Run, done/).count(), 2);
    await workbench.shot('51-automations');
    await item(/^Run, done/)
      .first()
      .click();
    await workbench.session.locator('.header', { hasText: 'What triage did' }).waitFor();
  });
});
