/** Going to a turn that was found. */
import assert from 'node:assert/strict';
import { open, useSessionPage, view } from './currentPage.ts';
import { completed, markdown, session, toolCall, turn, uri } from './sessions.ts';

describe('A turn that was found', function () {
  this.timeout(60_000);
  useSessionPage();

  const turns = Array.from({ length: 120 }, (_, index) => turn(`t${index}`, `Question ${index}`, [markdown(`Answer ${index}`)]));
  const topOf = async (selector: string) => (await view.page.locator(selector).boundingBox())?.y ?? NaN;
  const show = (id: string) => view.send({ type: 'command', command: 'showTurn', chat: uri, turn: id });

  it('is shown with the focus, also one that was not drawn', async () => {
    await view.close();
    await open({ width: 640 });
    await view.show(session({ turns }));
    for (const id of ['t100', 't10']) {
      await show(id);
      await view.page.locator(`[data-turn="${id}"]:focus`).waitFor();
      const below = (await topOf(`[data-turn="${id}"]`)) - (await topOf('.transcript'));
      assert.ok(Math.abs(below) < 40, `${id} is ${below} px below the top`);
    }
  });

  it('leaves the page where it is, when there is no such turn', async () => {
    await view.close();
    await open({ width: 640 });
    await view.show(session({ turns }));
    await show('none');
    await view.page.getByText('Answer 119').waitFor();
    await view.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.equal(await view.page.locator('[data-turn="t10"]').count(), 0);
  });

  it('is shown with the focus on the call in it that is meant, also in a run of reads', async () => {
    await view.close();
    await open({ width: 640 });
    const parts = ['a', 'b', 'c'].map((id) => toolCall(completed(id)));
    await view.show(session({ turns: [...turns, turn('last', 'Read', parts)] }));
    const command = (call: string) => view.send({ type: 'command', command: 'showTurn', turn: 'last', call });
    await command('b');
    await view.page.locator('[data-call="b"] summary:focus').waitFor();
    await command('none');
    await view.page.locator('[data-turn="last"]:focus').waitFor();
  });
});
