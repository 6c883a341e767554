/**
 * Annotations of sessions as comment threads in the workbench. Two small fake hosts have them: one that runs here, as that of VS Code, and one
 * elsewhere.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import type { Annotation, AnnotationsState } from '../../src/ahp/channels/annotations.ts';
import { AgentHostClient, whenLive } from '../../src/ahp/index.ts';
import { sha256 } from '../../src/base/node/sha256.ts';
import { eventually } from '../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

const REVIEW = 'copilotcli:/review';
const SECOND = 'copilotcli:/second';
const PLAIN = 'copilotcli:/plain';
const FAR = 'copilotcli:/far';
const CHAT = 'ahp-chat://main/1';
const COMMENTS = 'ahp-annotations:/1';
const OTHERS = 'ahp-annotations:/2';

describe('annotations, in the workbench', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-annotations-')));
  const usualConfigHome = process.env.XDG_CONFIG_HOME;
  const near = new FakeChannelHost('0.9.0');
  const far = new FakeChannelHost('1.0.0');
  const servers: FakeHostServer[] = [];
  let tapline: StartedTapline;
  let workbench: Workbench;
  let other: AgentHostClient;
  let file: string;

  before(async function () {
    // Elsewhere the folder of VS Code's hosts is that of the real VS Code.
    if (process.platform !== 'linux') return this.skip();
    const socket = join(folder, 'host.sock');
    const entries = join(folder, 'Code/agent-host/local-endpoint/entries');
    mkdirSync(entries, { recursive: true, mode: 0o700 });
    const entry = {
      ...{ schemaVersion: 2, type: 'editor', pid: process.pid, instanceId: 'x', protocolVersion: '0.9.0' },
      ...{ connectionToken: 's3cret', endpoint: { type: 'socket', path: socket } },
    };
    writeFileSync(join(entries, `${sha256(`editor\0${process.pid}\0x`)}.json`), JSON.stringify(entry), { mode: 0o600 });
    process.env.XDG_CONFIG_HOME = folder;
    servers.push(await serveFakeHost(near, { socket, token: 's3cret' }), await serveFakeHost(far));
    tapline = await startTapline();
    file = pathToFileURL(join(tapline.workspace, 'greeting.js')).href;
    writeFileSync(join(tapline.workspace, 'greeting.js'), 'const a = 1;\nconst b = 2;\nexport const c = a + b;\nexport default c;\n');
    put(near, REVIEW, 'Review', pathToFileURL(tapline.workspace).href, [thread('agent', file, 2, 'Why is this exported?')]);
    put(near, PLAIN, 'Plain');
    put(near, SECOND, 'Second look', pathToFileURL(tapline.workspace).href, [], OTHERS);
    near.summaries = [summary(REVIEW, 'Review'), summary(SECOND, 'Second look'), summary(PLAIN, 'Plain')] as never;
    put(far, FAR, 'Far away', 'file:///far', [thread('there', 'file:///far/lib.js', 0, 'This is *elsewhere*.')]);
    far.summaries = [summary(FAR, 'Far away')] as never;
    far.methods['resourceRead'] = () => ({ data: 'far();\naway();\n', encoding: 'utf-8' });
    other = await AgentHostClient.connect({ url: servers[0]!.url, token: 's3cret' });
    await whenLive(other.model('annotations', COMMENTS));
    workbench = await Workbench.open(tapline, { width: 1500, height: 950 });
    await workbench.openTapline();
    await workbench.run('Tapline: Connect to VS Code’s Agent Host…');
    await workbench.page
      .locator('.quick-input-list')
      .getByRole('option', { name: /^VS Code/ })
      .click();
    await item(/^Review, /).waitFor();
  });
  after(async () => {
    await workbench?.close();
    other?.close();
    await tapline?.stop();
    for (const server of servers) await server.close();
    if (usualConfigHome === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = usualConfigHome;
    rmSync(folder, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-annotations-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  function put(
    host: FakeChannelHost,
    session: string,
    title: string,
    workingDirectory?: string,
    annotations?: Annotation[],
    resource = COMMENTS,
  ): void {
    const counts = { annotationCount: annotations?.length ?? 0, entryCount: annotations?.length ?? 0 };
    host.put(session, {
      ...channelSession(CHAT, title),
      ...(workingDirectory !== undefined && { workingDirectories: [workingDirectory] }),
      ...(annotations && { annotations: { resource, ...counts } }),
    });
    host.put(CHAT, channelChat(CHAT));
    if (annotations) host.put(resource, { annotations });
  }
  const summary = (uri: string, title: string) => ({ ...channelSummary(uri, title), provider: 'copilotcli' });
  function thread(id: string, resource: string, line: number, markdown: string): Annotation {
    const range = { start: { line, character: 0 }, end: { line, character: 6 } };
    return { id, origin: { session: REVIEW }, resource, range, resolved: false, entries: [{ id: `${id} 1`, text: { markdown } }] };
  }
  const kept = (host = near) => (host.stateOf(COMMENTS) as AnnotationsState).annotations;
  const texts = (id: string) =>
    kept()
      .find((one) => one.id === id)
      ?.entries.map(({ text }) => (typeof text === 'string' ? text : text.markdown));

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const listed = (text: string) => workbench.page.locator('.comments-panel .monaco-list-row', { hasText: text });
  const widget = (text: string) => workbench.page.locator('.review-widget', { hasText: text });
  const comment = (text: string) => workbench.page.locator('.review-comment', { hasText: text });
  async function write(field: Locator, text: string): Promise<void> {
    await field.locator('.monaco-editor').click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type(text);
  }
  /** VS Code shows a button in place of the field while it is empty and elsewhere is the focus. */
  async function reply(text: string): Promise<void> {
    const shown = widget('Why is this exported?');
    await shown.locator('.review-thread-reply-button:visible, .comment-form .monaco-editor:visible').first().click();
    await write(shown.locator('.comment-form'), text);
    await shown.locator('.form-actions').getByText('Reply', { exact: true }).click();
  }
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  it('are shown at their line once their session is open', async () => {
    await workbench.openFile('greeting.js');
    assert.equal(await workbench.page.locator('.review-widget, .comments-panel .monaco-list-row').count(), 0);
    await item(/^Review, /).click();
    // VS Code opens the list of comments by itself.
    await listed('Why is this exported?').click();
    await widget('Why is this exported?').getByText('Review · VS Code').waitFor();
    await comment('Why is this exported?').getByText('Agent or another client').waitFor();
  });

  it('take a reply of the user, and show that of another client', async () => {
    await reply('For the *tests*.');
    await comment('For the tests.').getByText('You', { exact: true }).waitFor();
    await eventually(() => texts('agent')?.length === 2, 'the host has the reply');
    assert.deepEqual(texts('agent'), ['Why is this exported?', 'For the *tests*.']);
    const said = { id: 'theirs', text: 'I would not.' };
    const { settled } = other.model('annotations', COMMENTS).perform({ type: 'annotations/entrySet', annotationId: 'agent', entry: said });
    assert.equal((await settled).kind, 'confirmed');
    await comment('I would not.').getByText('Agent or another client').waitFor();
    for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light Modern']) {
      await workbench.setTheme(theme);
      await workbench.shot(`70-annotations-${theme.replaceAll(' ', '-')}`);
    }
  });

  it('let the user change their own comments, and no others', async () => {
    await comment('I would not.').hover();
    assert.equal(await comment('I would not.').getByRole('button', { name: 'Edit Comment' }).count(), 0);
    await comment('For the tests.').hover();
    await comment('For the tests.').getByRole('button', { name: 'Edit Comment' }).click();
    await write(workbench.page.locator('.review-comment .edit-container'), ' And the docs.');
    await workbench.page.locator('.review-comment').getByRole('button', { name: 'Save' }).click();
    await comment('For the tests. And the docs.').getByText('You', { exact: true }).waitFor();
    await eventually(() => texts('agent')?.[1] === 'For the *tests*. And the docs.', 'the host has the change');
    // Whoever puts other words into the user's comment is not the user.
    near.act(COMMENTS, {
      type: 'annotations/entrySet',
      annotationId: 'agent',
      entry: { id: kept()[0]!.entries[1]!.id, text: 'Remove it all.' },
    });
    await comment('Remove it all.').getByText('Agent or another client').waitFor();
    await reply('No longer.');
    await comment('No longer.').hover();
    await comment('No longer.')
      .getByRole('button', { name: /Delete Comment/ })
      .click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await comment('No longer.').waitFor({ state: 'detached' });
    await eventually(() => texts('agent')?.length === 3, 'the comment has gone');
  });

  it('are resolved and reopened', async () => {
    await widget('Why is this exported?').getByRole('button', { name: 'Resolve Thread' }).click();
    await eventually(() => kept()[0]?.resolved, 'the host has it resolved');
    // VS Code folds what is resolved.
    await widget('Why is this exported?').waitFor({ state: 'hidden' });
    await workbench.run('Comments: Expand All Comments');
    await widget('Why is this exported?').getByText('resolved').waitFor();
    await widget('Why is this exported?').getByRole('button', { name: 'Reopen Thread' }).click();
    await eventually(() => kept()[0]?.resolved === false, 'the host has it open again');
  });

  it('are begun by the user on a line', async () => {
    await workbench.page.locator('.view-line', { hasText: 'const b' }).first().click();
    await workbench.run('Tapline: Comment on Line…');
    const field = workbench.page.locator('.review-widget', { hasText: 'Start discussion' });
    await write(field, 'Make this 3.');
    await workbench.shot('71-annotations-new');
    await field.locator('.form-actions').getByText('Comment', { exact: true }).click();
    await comment('Make this 3.').getByText('You', { exact: true }).waitFor();
    await eventually(() => kept().length === 2, 'the host has the thread');
    const { resource, range, origin, resolved, entries } = kept()[1]!;
    assert.deepEqual([resource, range?.start.line, origin, resolved], [file, 1, { session: REVIEW }, false]);
    assert.deepEqual(
      entries.map(({ text }) => text),
      [{ markdown: 'Make this 3.' }],
    );
    await widget('Make this 3.')
      .getByRole('button', { name: /Delete Thread/ })
      .click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await eventually(() => kept().length === 1, 'the thread has gone');
    await widget('Make this 3.').waitFor({ state: 'detached' });
  });

  it('go to the session that the user chooses, where several take them', async () => {
    await item(/^Second look, /).hover();
    await item(/^Second look, /)
      .getByRole('button', { name: 'Open Session in Editor' })
      .click();
    await workbench.page.locator('.tab.active', { hasText: 'Second look' }).waitFor();
    await workbench.openFile('greeting.js');
    await workbench.page.locator('.view-line', { hasText: 'const a' }).first().click();
    await workbench.run('Tapline: Comment on Line…');
    const field = workbench.page.locator('.review-widget', { hasText: 'Start discussion' });
    await write(field, 'For the second.');
    await field.locator('.form-actions').getByText('Comment', { exact: true }).click();
    await workbench.page.locator('.quick-input-title', { hasText: 'Comment for a Session' }).waitFor();
    await workbench.shot('74-annotations-choice');
    await workbench.choose('Second look · VS Code');
    await widget('For the second.').getByText('Second look · VS Code').waitFor();
    await eventually(() => (near.stateOf(OTHERS) as AnnotationsState).annotations.length === 1, 'the host has the thread');
    assert.equal(kept().length, 1);
  });

  it('run and load nothing', async () => {
    const evil =
      '![pixel](https://example.com/p.png) [run](command:workbench.action.quit) <img src="https://example.com/q.png"> <b>bold</b>';
    near.act(COMMENTS, { type: 'annotations/entrySet', annotationId: 'agent', entry: { id: 'evil', text: { markdown: evil } } });
    const shown = workbench.page.locator('.review-comment', { hasText: 'pixel' });
    await shown.waitFor();
    assert.equal(await shown.locator('.comment-body img, .comment-body b').count(), 0);
    assert.equal(await shown.locator('.comment-body [data-href^="command:"], .comment-body [href^="command:"]').count(), 0);
    await workbench.shot('72-annotations-untrusted');
  });

  it('of another computer are shown in the file as its host reads it, with the session in their label', async () => {
    await workbench.addHost(servers[1]!.url, 'build-box');
    await item(/^Far away, /).hover();
    await item(/^Far away, /)
      .getByRole('button', { name: 'Open Session in Editor' })
      .click();
    await listed('This is elsewhere.').click();
    await workbench.page.locator('.tab.active', { hasText: 'lib.js' }).waitFor();
    await widget('This is elsewhere.').getByText('Far away · build-box').waitFor();
    await workbench.page.locator('.view-line', { hasText: 'away();' }).waitFor();
    await listed('Why is this exported?').waitFor();
    await workbench.shot('73-annotations-elsewhere');
  });

  it('go with their session, and a session without any shows none', async () => {
    await item(/^Plain, /).click();
    await listed('Why is this exported?').waitFor({ state: 'detached' });
    await listed('This is elsewhere.').waitFor();
  });
});
