/** What of a session goes on in the background, in its header. */
import assert from 'node:assert/strict';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { session, turn, uri } from './sessions.ts';
import type { ThemeName } from './themes.ts';

describe('Work in the background', function () {
  this.timeout(60_000);
  useSessionPage();

  const claim = { kind: 'session' as const, session: uri, turnId: 't', toolCallId: 'c' };
  const running = { resource: 'agenthost-terminal:/1', title: 'npm run dev', claim };
  const facts = () => view.page.locator('.header-facts').innerText();

  for (const [theme, width] of [
    ['dark', 640],
    ['light', 280],
    ['highContrast', 640],
  ] as [ThemeName, number][]) {
    it(`is in the header, with a way to show and stop it, ${theme}, ${width} px`, async () => {
      await view.close();
      await open({ theme, width });
      const shown = session({ turns: [turn('t', 'Start the server', [])] });
      await view.show(shown, { root: { agents: [], terminals: [{ ...running, exitCode: 0 }] } });
      assert.doesNotMatch(await facts(), /background/, 'it has ended');
      await view.show(shown, { root: { agents: [], terminals: [running] } });
      assert.match(await facts(), /1 background task/);
      await view.screenshot(`background-${theme}`);
      assert.deepEqual(await violations(), []);
      await view.page.getByRole('button', { name: 'Show or stop' }).press('Enter');
      assert.equal((await view.next('runCommand')).command, 'showSessionTerminals');
    });
  }
});
