/** Pages of a portal in a real browser, whose connections can be cut. */
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import type { TestPortal } from '../integration/portal/portalHarness.ts';

/** As a server that restarts says it. */
const RESTART = { code: 1012 };

export class PortalPages {
  /** Errors, and what is against the policy of a page. */
  readonly problems: string[] = [];
  readonly #sockets = new Set<WebSocketRoute>();
  #isCut = false;

  constructor(
    private readonly browser: Pick<Browser, 'newContext'>,
    private readonly portal: TestPortal,
  ) {}

  async open(width: number, height: number): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.problems.push(message.text()));
    await page.routeWebSocket(/\/socket/, (socket) => {
      if (this.#isCut) return void socket.close(RESTART);
      socket.connectToServer();
      this.#sockets.add(socket);
    });
    await page.goto(`${this.portal.server.url}/?token=${this.portal.server.token}`);
    await page.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    return page;
  }

  /** Refuses new connections too, until {@link restore}. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await this.cutOnce();
  }

  /** The pages may connect again at once. */
  async cutOnce(): Promise<void> {
    const open = [...this.#sockets];
    this.#sockets.clear();
    for (const socket of open) await socket.close(RESTART);
  }

  restore(): void {
    this.#isCut = false;
  }
}
