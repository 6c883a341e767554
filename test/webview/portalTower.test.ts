/** The Control Tower at a portal, in a real browser, with the test in place of the gateway. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { WatchedGateway, WatchedStatus } from '../../src/portal/pages/towerPage.ts';
import { eventually } from '../fakes/eventually.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { PortalPages } from '../support/portalPages.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { violationsOf } from './violationsOf.ts';
import { emitterStatus } from './watchedEmitters.ts';

const SPAN = { traceId: '1'.padStart(32, '0'), name: 'turn', startedAt: Date.UTC(2026, 10, 27), durationMs: 3_000 };
const spans = [
  { ...SPAN, spanId: '1'.padStart(16, '0'), attributes: { 'tapline.turn.id': 't' } },
  {
    ...SPAN,
    spanId: '2'.padStart(16, '0'),
    parentSpanId: '1'.padStart(16, '0'),
    name: 'execute_tool bash',
    attributes: { 'gen_ai.tool.name': 'bash' },
  },
];

describe('the control tower at a portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let status: WatchedStatus | undefined;
  let links: number;

  const gateway = (): WatchedGateway => {
    links++;
    return {
      status: async () => status ?? Promise.reject(new Error('No tap gateway runs now.')),
      records: async ({ kind }) => {
        const kept = kind === 'trace' ? spans : [];
        return kept.map((data, seq) => ({ seq, kind, id: data.spanId, at: 0, sessionId: 's', data }));
      },
      dispose: () => void links--,
    };
  };

  before(async () => {
    browser = await takeChromium();
  });
  after(() => browser?.close());
  beforeEach(() => ([status, links] = [undefined, 0]));
  afterEach(() => test?.close());

  const open = async (width = 1366, height = 768): Promise<{ page: Page; pages: PortalPages }> => {
    const pages = new PortalPages(browser, test);
    const page = await pages.open(width, height);
    await page.getByRole('link', { name: 'Watched' }).click();
    return { page, pages };
  };

  it('shows what the gateway watches and has traced, to be seen only', async () => {
    test = await TestPortal.start({ provider: 'demo', gateway });
    const { page, pages } = await open();
    const tower = page.frameLocator('iframe.page-frame');
    await tower.getByText('No tap gateway runs now.').waitFor();
    status = {
      sessions: [{ id: 's', label: 'Fix the login redirect' }],
      emitters: [{ sessionId: 's', ...emitterStatus() }],
      traces: { isOn: true },
    };
    const session = tower.getByRole('region', { name: 'Fix the login redirect' });
    await session.getByText('Waiting · every 5 min').waitFor();
    assert.deepEqual(await session.getByRole('button').allInnerTexts(), ['Traces', 'Goals and Claims']);
    await session.getByRole('button', { name: 'Traces' }).press('Enter');
    await tower
      .getByRole('treegrid')
      .getByRole('row', { name: /^Call of bash/ })
      .waitFor();
    await session.getByRole('button', { name: 'Goals and Claims' }).press('Enter');
    await session.getByText('The agent has had no goal or claim checked yet.').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    const shots = process.env['SHOTS'];
    if (shots) {
      mkdirSync(shots, { recursive: true });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${shots}/portal-tower-${colorScheme}.png` });
      }
    }
    status = undefined;
    await tower.getByRole('status').getByText('Below is what was seen last. No tap gateway runs now.').waitFor();
    assert.equal(await tower.getByRole('treegrid').count(), 1);
    assert.equal(links, 1);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.locator('iframe.page-frame').waitFor({ state: 'detached' });
    await eventually(() => links === 0, 'the end of the link');
    assert.deepEqual(pages.problems, []);
  });

  it('says that the portal is away, also where it has told nothing yet', async () => {
    test = await TestPortal.start({ provider: 'demo', gateway });
    const pages = new PortalPages(browser, test);
    const page = await pages.open(1366, 768);
    await pages.cut();
    await page.getByRole('link', { name: 'Watched' }).click();
    const tower = page.frameLocator('iframe.page-frame');
    await tower.getByRole('status').getByText('The portal cannot be reached. Trying again…').waitFor();
    pages.restore();
    await tower.getByRole('status').getByText('No tap gateway runs now.').waitFor();
  });

  it('shows nothing at a portal that everybody on the computer can read', async () => {
    test = await TestPortal.start({ provider: 'demo', gateway, withoutToken: true });
    const { page } = await open();
    await page.frameLocator('iframe.page-frame').getByText('This portal does not show what is watched').waitFor();
    assert.equal(links, 0);
  });
});
