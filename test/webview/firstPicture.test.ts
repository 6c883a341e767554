/** The first picture of a session, which the extension makes: it is what the page draws, which takes it over. */
import assert from 'node:assert/strict';
import { pictureOf } from '../../src/webviews/session/picture.tsx';
import type { ExtensionMessage } from '../../src/webviews/session/protocol.ts';
import { SessionPage } from './sessionPage.ts';
import { completed, markdown, root, session, toolCall, turn, uri } from './sessions.ts';
import type { ThemeName } from './themes.ts';
import { violationsOf } from './violationsOf.ts';
import { type Harness, startWebview } from './webviewPage.ts';

const turns = [
  turn('1', 'Hello <b>you</b>', [markdown('Some *words* <script>'), toolCall(completed('c'))]),
  turn('2', 'And?', [markdown('More')]),
];
const messages: ExtensionMessage[] = [
  { type: 'show', session: { hostId: 'local', hostLabel: 'local', uri }, drafts: {} },
  { type: 'connection', connection: { kind: 'connected' } },
  { type: 'snapshot', uri: 'agenthost:/root', kind: 'root', dialect: 'v1', confirmed: root, pending: [], status: { kind: 'live' } },
  { type: 'snapshot', uri, kind: 'session', dialect: 'v1', confirmed: session({ turns }), pending: [], status: { kind: 'live' } },
];
const shown = `[...document.body.children].filter((one) => one.localName !== 'script').map((one) => one.outerHTML).join('')`;

/** It has the picture before its script, and keeps what it showed before and after that has drawn. */
class PicturedPage extends SessionPage {
  override async load(folder: string, name: string, theme: ThemeName): Promise<void> {
    await this.page.addInitScript({
      content: `Object.defineProperty(document, 'readyState', { get: () => 'complete' });
        new MutationObserver((_, observer) => {
          if (!document.body) return;
          observer.disconnect();
          document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(pictureOf(messages))});
          window.picture = ${shown};
          window.pictured = document.querySelector('main');
          new MutationObserver((_, drawn) => {
            if (window.pictured.inert) return;
            drawn.disconnect();
            window.drawn = ${shown};
          }).observe(window.pictured, { attributes: true });
        }).observe(document, { childList: true, subtree: true });
        addEventListener('load', () => postMessage(${JSON.stringify(messages)}, '*'));`,
    });
    await super.load(folder, name, theme);
  }
}

describe('The first picture of a session', function () {
  this.timeout(60_000);
  let harness: Harness<PicturedPage>;
  let view: PicturedPage;
  before(async () => {
    harness = await startWebview('session', (page) => new PicturedPage(page));
    view = await harness.open();
  });
  after(() => harness?.close());

  it('is what the page draws, and cannot be used before that', async () => {
    const picture = await view.page.evaluate<string>('window.picture');
    assert.match(picture, /^<main inert/);
    // The field gets its height when it is there.
    const isSame = await view.page.evaluate<boolean>(`(() => {
      const [picture, drawn] = [window.picture, window.drawn].map((html) => new DOMParser().parseFromString(html, 'text/html').body);
      picture.querySelector('main').removeAttribute('inert');
      drawn.querySelector('#composer').removeAttribute('style');
      return picture.isEqualNode(drawn);
    })()`);
    assert.equal(isSame, true);
    assert.match(picture, /Hello &lt;b&gt;you&lt;\/b&gt;/);
  });

  it('is taken over', async () => {
    assert.equal(await view.page.evaluate(`document.querySelector('main') === window.pictured`), true);
    assert.equal(await view.page.locator('main').count(), 1);
    await view.page.locator('#composer').fill('Words');
    assert.equal(await view.page.locator('#composer').inputValue(), 'Words');
    assert.deepEqual(view.troubles, []);
  });

  it('has no problems that axe finds', async () => {
    assert.deepEqual(await violationsOf(view.page), []);
  });
});
