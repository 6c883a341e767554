/** The first picture of a session, which the extension makes: it is what the page draws, which takes it over. */
import assert from 'node:assert/strict';
import { takeOverScript } from '../../src/extension/sessionView/takeOver.ts';
import { pictureOf } from '../../src/webviews/session/picture.tsx';
import type { ExtensionMessage } from '../../src/webviews/session/protocol.ts';
import { SessionPage } from './sessionPage.ts';
import { active, completed, markdown, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
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
const FAILURE = 'It could not be loaded. </script>';

/** It has the picture and the script that takes it over, and keeps what it showed before and after that. */
class PicturedPage extends SessionPage {
  /** What is told before the page's script is there. */
  told: ExtensionMessage[] = messages;
  /** How often the page's script cannot be had. */
  failures = 0;

  protected override document(...of: Parameters<SessionPage['document']>): string {
    const [before = '', after = ''] = super.document(...of).split(/<script type="module"[^>]*><\/script>/);
    const toldAtLoad = `addEventListener('load', () => postMessage(${JSON.stringify(this.told)}, '*'));`;
    const watched = `window.picture = ${shown};
      window.pictured = document.querySelector('main');
      new MutationObserver((_, drawn) => {
        if (window.pictured.inert) return;
        drawn.disconnect();
        window.drawn = ${shown};
      }).observe(window.pictured, { attributes: true });`;
    return `${before.replace('</head>', '<style id="icon-font"></style></head>')}${pictureOf(messages)}
      <script nonce="test">${this.told.length > 0 ? toldAtLoad : ''} ${watched}</script>
      <script type="module" nonce="test">${takeOverScript('session.js', '', FAILURE)}</script>${after}`;
  }
  protected override async serves(asset: string): Promise<boolean> {
    return asset !== 'session.js' || this.failures-- <= 0;
  }
}

describe('The first picture of a session', function () {
  this.timeout(60_000);
  let harness: Harness<PicturedPage>;
  let view: PicturedPage;
  let prepare: (page: PicturedPage) => void = () => undefined;
  before(async () => {
    harness = await startWebview('session', (page) => {
      const made = new PicturedPage(page);
      prepare(made);
      return made;
    });
    view = await harness.open();
  });
  after(() => harness?.close());

  it('is what the page draws, and cannot be used before that', async () => {
    await view.page.locator('main:not([inert])').waitFor();
    const picture = await view.page.evaluate<string>('window.picture');
    assert.match(picture, /^<main inert[^>]* aria-busy="true"/);
    // The field gets its height when it is there.
    const isSame = await view.page.evaluate<boolean>(`(() => {
      const [picture, drawn] = [window.picture, window.drawn].map((html) => new DOMParser().parseFromString(html, 'text/html').body);
      for (const name of ['inert', 'aria-busy']) picture.querySelector('main').removeAttribute(name);
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

  async function opened(how: Partial<Pick<PicturedPage, 'told' | 'failures'>>): Promise<PicturedPage> {
    prepare = (page) => Object.assign(page, how);
    return harness.open();
  }

  it('is taken over also where the script came at the second time', async () => {
    const second = await opened({ failures: 1 });
    await second.page.locator('main:not([inert])').waitFor();
    assert.equal(await second.page.evaluate(`document.querySelector('main') === window.pictured`), true);
    assert.equal(second.troubles.length, 1, 'what was not loaded');
    await second.close();
  });

  it('goes where the document is loaded once more, because it is an old one', async () => {
    const again = await opened({ told: [] });
    assert.equal(await again.page.locator('main').count(), 0);
    await again.page.evaluate(`postMessage(${JSON.stringify(messages)}, '*')`);
    await again.page.locator('main:not([inert])').waitFor();
    await again.close();
  });

  it('gives way to words where the script does not come', async () => {
    prepare = (page) => Object.assign(page, { failures: 2, until: () => Promise.resolve(undefined), untilWhole: () => Promise.resolve() });
    const broken = await harness.open();
    await broken.page.getByText(FAILURE).waitFor();
    assert.equal(await broken.page.locator('main').count(), 0);
    await broken.close();
  });

  describe('is not made', () => {
    const told = (of: Parameters<typeof session>[0], ...more: ExtensionMessage[]) => [
      ...messages.slice(0, -1),
      { type: 'snapshot', uri, kind: 'session', dialect: 'v1', confirmed: session(of), pending: [], status: { kind: 'live' } } as const,
      ...more,
    ];
    const longCall = completed('c', { pastTenseMessage: 'abc <b> \n'.repeat(30_000) });
    const cases: [of: string, messages: ExtensionMessage[]][] = [
      ['a call that waits', told(active([toolCall(waitingCall('c'))]))],
      ['too much', told({ turns: [turn('1', 'Hello', [toolCall(longCall)])] })],
      ['very many turns', told({ turns: Array.from({ length: 501 }, (_, at) => turn(String(at), 'Hello', [])) })],
      [
        'a draft',
        [
          { type: 'show', session: { hostId: 'local', hostLabel: 'local', uri }, drafts: { [uri]: { text: 'Hi', attachments: [] } } },
          ...messages.slice(1),
        ],
      ],
    ];
    for (const [of, all] of cases) it(`of ${of}`, () => assert.equal(pictureOf(all), undefined));
    it('of them alone: else it is', () => assert.ok(pictureOf(told({ turns }))));
  });
});
