/** What the extension says while VS Code loads the page comes when that is done, before the page has said anything. */
import assert from 'node:assert/strict';
import type { ExtensionMessage } from '../../src/webviews/session/protocol.ts';
import { SessionPage } from './sessionPage.ts';
import { markdown, session, turn, uri } from './sessions.ts';
import type { ThemeName } from './themes.ts';
import { type Harness, startWebview } from './webviewPage.ts';

const FIRST_DRAWN = 'firstDrawn';
const confirmed = session({ turns: [turn('1', 'Hello', [markdown('Some words')])] });
const messages: ExtensionMessage[] = [
  { type: 'show', session: { hostId: 'local', hostLabel: 'local', uri }, drafts: {} },
  { type: 'connection', connection: { kind: 'connected' } },
  { type: 'snapshot', uri, kind: 'session', dialect: 'v1', confirmed, pending: [], status: { kind: 'live' } },
];

/** It keeps what it drew first. */
class ToldPage extends SessionPage {
  override async load(folder: string, name: string, theme: ThemeName): Promise<void> {
    await this.page.addInitScript({
      // A script of a webview runs when its document is complete already, and what was kept is on its way.
      content: `Object.defineProperty(document, 'readyState', { get: () => 'complete' });
        addEventListener('load', () => postMessage(${JSON.stringify(messages)}, '*'));
        new MutationObserver((_, observer) => {
          if (!document.body?.querySelector(':scope > :not(script)')) return;
          observer.disconnect();
          window.${FIRST_DRAWN} = document.body.textContent;
        }).observe(document, { childList: true, subtree: true });`,
    });
    await super.load(folder, name, theme);
  }
}

describe('The session webview that is told what it shows before it asks', function () {
  this.timeout(60_000);
  let harness: Harness<ToldPage>;
  let view: ToldPage;
  before(async () => {
    harness = await startWebview('session', (page) => new ToldPage(page));
    view = await harness.open();
  });
  after(() => harness?.close());

  it('draws all of that in one go', async () => {
    assert.match(await view.page.evaluate<string>(`window.${FIRST_DRAWN}`), /Hello.*Some words/s);
    assert.deepEqual(view.troubles, []);
  });

  it('says that it has it, so that it is not told again', () => {
    assert.deepEqual(
      view.posted.filter(({ type }) => type === 'ready'),
      [{ type: 'ready', told: true }],
    );
  });
});
