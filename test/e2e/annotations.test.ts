/**
 * Annotations of sessions as comment threads in the workbench. No host of ours has any, so two small fake ones do: one that runs here, as
 * that of VS Code, and one elsewhere.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Annotation, AnnotationsState } from '../../src/ahp/channels/annotations.ts';
import { AgentHostClient, whenLive } from '../../src/ahp/index.ts';
import { sha256 } from '../../src/base/node/sha256.ts';
import { eventually } from '../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

const REVIEW = 'copilotcli:/review';
const PLAIN = 'copilotcli:/plain';
const FAR = 'copilotcli:/far';
const CHAT = 'ahp-chat://main/1';
const COMMENTS = 'ahp-annotations:/1';

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
    near.summaries = [summary(REVIEW, 'Review'), summary(PLAIN, 'Plain')] as never;
    put(far, FAR, 'Far away', 'file:///far', [thread('there', 'file:///far/lib.js', 0, 'This is *elsewhere*.')]);
    far.summaries = [summary(FAR, 'Far away')] as never;
    far.methods['resourceRead'] = () => ({ data: 'far();\naway();\n', encoding: 'utf-8' });
    other = await AgentHostClient.connect({ url: servers[0]!.url, token: 's3cret' });
    await whenLive(other.model('annotations', COMMENTS));
    workbench = await Workbench.open(tapline, { width: 1500, height: 950 });
    await workbench.openTapline();
    await workbench.run('Tapline: Connect to VS Code’s Agent Host…');
    await workbench.page.locator('.quick-input-list').getByRole('option', { name: /^VS Code/ }).click();
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

  function put(host: FakeChannelHost, session: string, title: string, workingDirectory?: string, annotations?: Annotation[]): void {
    const counts = { annotationCount: annotations?.length ?? 0, entryCount: annotations?.length ?? 0 };
    host.put(session, {
      ...channelSession(CHAT, title),
      ...(workingDirectory !== undefined && { workingDirectories: [workingDirectory] }),
      ...(annotations && { annotations: { resource: COMMENTS, ...counts } }),
    });
    host.put(CHAT, channelChat(CHAT));
    if (annotations) host.put(COMMENTS, { annotations });
  }
  const summary = (uri: string, title: string) => ({ ...channelSummary(uri, title), provider: 'copilotcli' });
  function thread(id: string, resource: string, line: number, markdown: string): Annotation {
    const range = { start: { line, character: 0 }, end: { line, character: 6 } };
    return { id, origin: { session: REVIEW }, resource, range, resolved: false, entries: [{ id: `${id} 1`, text: { markdown } }] };
  }
  const kept = (host = near) => (host.stateOf(COMMENTS) as AnnotationsState).annotations;
  const texts = (id: string) => kept().find((one) => one.id === id)?.entries.map(({ text }) => (typeof text === 'string' ? text : text.markdown));

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const listed = (text: string) => workbench.page.locator('.comments-panel .monaco-list-row', { hasText: text });
  const widget = (text: string) => workbench.page.locator('.review-widget', { hasText: text });
  const comment = (text: string) => workbench.page.locator('.review-comment', { hasText: text });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  it('are shown at their line once their session is open', async () => {
    await workbench.openFile('greeting.js');
    assert.equal(await workbench.page.locator('.comment-range-glyph.comment-thread').count(), 0);
    await item(/^Review, /).click();
    await workbench.run('Comments: Focus on Comments View');
    await listed('Why is this exported?').click();
    await widget('Why is this exported?').getByText('Review · VS Code').waitFor();
    await comment('Why is this exported?').getByText('Agent or another client').waitFor();
    for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light Modern']) {
      await workbench.setTheme(theme);
      await workbench.shot(`70-annotations-${theme.replaceAll(' ', '-')}`);
    }
  });
});
