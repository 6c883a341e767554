/** What has changed in a session, as its host says it, in the Changes view of the workbench. A small fake host tells it. */
import assert from 'node:assert/strict';
import type { ChangesetState } from '../../src/ahp/channels/changeset.ts';
import { RpcError } from '../../src/base/jsonRpc.ts';
import { eventually } from '../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const SESSION = 'copilotcli:/7';
const PLAIN = 'copilotcli:/8';
const CHAT = 'ahp-chat://main/7';
const OTHER = 'ahp-chat://main/8';
const ALL = 'copilotcli:/7/changeset/session';
const TURN = 'copilotcli:/7/changeset/turn/t';

describe('changesets in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let fake: FakeChannelHost;
  let fakeServer: FakeHostServer;

  const side = (path: string, content: string) => ({ uri: `file:///w/${path}`, content: { uri: `fake:${content}` } });
  const changes: ChangesetState = {
    status: 'ready',
    files: [
      {
        id: 'a',
        edit: {
          before: side('src/total.ts', 'let total = 1;'),
          after: side('src/total.ts', 'let total = 2;'),
          diff: { added: 1, removed: 1 },
        },
      },
      { id: 'b', edit: { after: side('notes.md', 'Notes'), diff: { added: 1 } } },
    ],
    operations: [
      {
        id: 'discard',
        label: 'Discard',
        scopes: ['changeset', 'resource', 'range'],
        confirmation: { markdown: 'This **removes** the changes.' },
        status: 'idle',
      },
      { id: 'commit', label: 'Commit', scopes: ['changeset'], status: 'idle' },
      { id: 'stage', label: 'Stage', scopes: ['resource'], status: 'idle' },
    ],
  };

  before(async () => {
    fake = new FakeChannelHost('0.9.0');
    const changeset = (label: string, uriTemplate: string, capabilities?: object) => ({
      label,
      uriTemplate,
      changeKind: 'x',
      ...(capabilities && { capabilities }),
    });
    fake.put(SESSION, {
      ...channelSession(CHAT, 'Changes files'),
      workingDirectories: ['file:///w'],
      changesets: [changeset('Session Changes', ALL, { review: {} }), changeset('This Turn', 'copilotcli:/7/changeset/turn/{turnId}')],
    });
    const message = { text: 'Change it', origin: { kind: 'user' as const } };
    fake.put(CHAT, { ...channelChat(CHAT), turns: [{ id: 't', message, responseParts: [], state: 'complete' }] });
    fake.put(PLAIN, channelSession(OTHER, 'Changes nothing'));
    fake.put(OTHER, channelChat(OTHER));
    fake.put(ALL, changes);
    fake.put(TURN, { status: 'ready', files: [] });
    fake.summaries = [channelSummary(SESSION, 'Changes files'), channelSummary(PLAIN, 'Changes nothing')] as never;
    fake.methods['resourceRead'] = ({ uri }) => ({ data: String(uri).slice('fake:'.length), encoding: 'utf-8' });
    fake.methods['invokeChangesetOperation'] = ({ operationId }) => {
      if (operationId === 'commit') throw new RpcError(-32000, 'A hook said no');
      fake.act(ALL, { type: 'changeset/fileRemoved', fileId: 'b' });
      return { message: 'Discarded 1 file' };
    };
    [tapline, fakeServer] = await Promise.all([takeTapline(), serveFakeHost(fake)]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.addHost(fakeServer.url, 'september');
  });
  after(async () => {
    await workbench?.close();
    await fakeServer?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-changes-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const notification = (text: string) => workbench.page.locator('.notification-list-item', { hasText: text });
  const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const view = () => workbench.page.locator('.pane-header', { hasText: 'Changes' });
  const invoked = () => fake.paramsOf('invokeChangesetOperation') as { channel: string; operationId: string; target?: object }[];

  it('have no view where the host has none', async () => {
    await item(/^Changes nothing, /).click();
    await workbench.session.locator('.header', { hasText: 'Changes nothing' }).waitFor();
    assert.equal(await view().count(), 0);
  });

  it('list the files, and open both sides of one', async () => {
    await item(/^Changes files, /).click();
    await item(/^Session Changes, 2 files/).waitFor();
    await item(/^total\.ts, changed, src, 1 line added, 1 line removed/).waitFor();
    // Only what is open is read.
    assert.equal(
      fake.paramsOf('subscribe').some(({ channel }) => channel === TURN),
      false,
    );
    await workbench.shot('47-changes');
    await item(/^total\.ts, /).click();
    const editor = workbench.page.locator('.monaco-diff-editor');
    await editor.locator('.original', { hasText: 'let total = 1;' }).waitFor();
    await editor.locator('.modified', { hasText: 'let total = 2;' }).waitFor();
    await workbench.shot('48-change-diff');
  });

  it('open the changes of the last turn', async () => {
    await item(/^This Turn/)
      .locator('.monaco-tl-twistie')
      .click();
    await item(/^No changes\./).waitFor();
    assert.equal(
      fake.paramsOf('subscribe').some(({ channel }) => channel === TURN),
      true,
    );
    await item(/^This Turn/)
      .locator('.monaco-tl-twistie')
      .click();
  });

  it('are marked as reviewed, here and by another client', async () => {
    const reviewed = item(/^Session Changes, .*1 of 2 reviewed/);
    // A row that is drawn again in the middle of a click takes none.
    for (let tries = 0; tries < 5 && !(await reviewed.isVisible()); tries++) {
      await item(/^total\.ts, /)
        .getByRole('checkbox')
        .check({ timeout: 3_000 })
        .catch(() => undefined);
      await reviewed.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await reviewed.waitFor();
    // Its hover would cover the next row.
    await workbench.page.mouse.move(700, 500);
    const [dispatched] = fake.paramsOf('dispatchAction').slice(-1) as { channel: string; action: object }[];
    assert.deepEqual(
      [dispatched?.channel, dispatched?.action],
      [ALL, { type: 'changeset/filesReviewChanged', files: ['a'], reviewed: true }],
    );
    fake.act(ALL, { type: 'changeset/filesReviewChanged', files: ['b'], reviewed: true });
    await item(/^Session Changes, .*2 of 2 reviewed/).waitFor();
  });

  it('have done with them what the user confirms, and not what they do not', async () => {
    const button = async (name: string) => {
      await item(/^notes\.md, /).hover();
      await item(/^notes\.md, /)
        .getByRole('button', { name })
        .click();
    };
    await button('Do Something with Changes…');
    await row('Discard').click();
    await dialog().getByText('Discard: notes.md?').waitFor();
    assert.match(await dialog().innerText(), /september asks: This removes the changes\./);
    await workbench.shot('49-change-operation');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual(invoked(), []);
    // The operation has a button of its own, too.
    await button('Discard Changes…');
    await dialog().getByText('Discard: notes.md?').waitFor();
    // An Enter too many takes nothing back.
    await workbench.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual(invoked(), []);
    await button('Discard Changes…');
    await dialog().getByRole('button', { name: 'Delete the File' }).click();
    await notification('september: Discarded 1 file').waitFor();
    assert.deepEqual(invoked(), [
      { channel: ALL, operationId: 'discard', target: { kind: 'resource', resource: 'file:///w/notes.md', side: 'after' } },
    ]);
    await item(/^notes\.md, /).waitFor({ state: 'detached' });
  });

  it('do nothing when the host has changed its question meanwhile', async () => {
    await item(/^total\.ts, /).hover();
    await item(/^total\.ts, /)
      .getByRole('button', { name: 'Do Something with Changes…' })
      .click();
    await row('Discard').click();
    await dialog().getByText('Discard: src/total.ts?').waitFor();
    fake.act(ALL, {
      type: 'changeset/operationsChanged',
      operations: [{ ...changes.operations![0]!, confirmation: 'This removes **everything**.' }, changes.operations![1]!],
    });
    const before = invoked().length;
    // What comes after it is shown, so the new question is known.
    fake.act(ALL, { type: 'changeset/fileSet', file: { id: 'c', edit: { after: side('later.md', '') } } });
    await item(/^later\.md, created/).waitFor();
    await dialog().getByRole('button', { name: 'Discard', exact: true }).click();
    await notification('the host has changed “Discard” meanwhile').waitFor();
    assert.equal(invoked().length, before);
  });

  it('say why something was not done', async () => {
    await workbench.run('Tapline: Do Something with Changes…');
    await row('Session Changes').click();
    await row('Commit').click();
    await notification('A hook said no').waitFor();
  });

  it('are discarded in part, at the cursor of a file', async () => {
    await item(/^total\.ts, /).click();
    const line = workbench.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'let total = 2;' });
    await line.click();
    await workbench.shot('50-change-at-cursor');
    await workbench.run('Tapline: Discard Change at Cursor…');
    await dialog().getByText('Discard: src/total.ts, line 1?').waitFor();
    const before = invoked().length;
    await dialog().getByRole('button', { name: 'Discard', exact: true }).click();
    await notification('september: Discarded 1 file').first().waitFor();
    // The message may be that of an earlier test.
    await eventually(() => invoked().length > before, 'the request');
    const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    assert.deepEqual(invoked().at(-1), {
      ...{ channel: ALL, operationId: 'discard' },
      target: { kind: 'range', resource: 'file:///w/src/total.ts', side: 'after', range },
    });
  });

  it('are committed with the message that the user leaves in the field, and not when they leave the field', async () => {
    const commit = { ...changes.operations![1]!, id: 'save', label: 'Save It', confirmation: 'Commits 1 file to main.' };
    fake.act(ALL, { type: 'changeset/operationsChanged', operations: [{ ...commit, _meta: { 'tapline.commitMessage': 'Suggested' } }] });
    const before = invoked().length;
    let suggested = 'Suggested';
    const input = workbench.page.locator('.quick-input-widget input');
    const ask = async () => {
      await workbench.run('Tapline: Do Something with Changes…');
      await row('Session Changes').click();
      await row('Save It').click();
      await workbench.page.locator('.quick-input-message', { hasText: 'september asks: Commits 1 file to main.' }).waitFor();
      assert.equal(await input.inputValue(), suggested);
    };
    await ask();
    await workbench.shot('51-commit-message');
    await input.press('Escape');
    await input.waitFor({ state: 'hidden' });
    await ask();
    await input.fill('Mine');
    // The host refuses it. What was typed is there at the next attempt.
    const invoke = fake.methods['invokeChangesetOperation']!;
    fake.methods['invokeChangesetOperation'] = () => {
      throw new RpcError(-32000, 'Not now');
    };
    await input.press('Enter');
    await notification('Not now').waitFor();
    fake.methods['invokeChangesetOperation'] = invoke;
    suggested = 'Mine';
    await ask();
    await input.press('Enter');
    await eventually(() => invoked().length > before + 1, 'the second attempt');
    assert.deepEqual(invoked().slice(before + 1), [{ channel: ALL, operationId: 'save', _meta: { 'tapline.commitMessage': 'Mine' } }]);
  });
});
