import assert from 'node:assert/strict';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { composer, useSessionPage, view } from './currentPage.ts';
import { active, markdown, reasoning, session, turn, uri } from './sessions.ts';

/** Two hosts may use the same URIs, and a recording has those of the session that was recorded. */
describe('The session webview, with equal sessions of two hosts', function () {
  this.timeout(60_000);
  useSessionPage();

  const here = { hostId: 'embedded', uri };
  const there = { hostId: 'build-box', uri };
  const showHere = (state: SessionState) => view.show(state);
  const showThere = (state: SessionState) => view.show(state, { shown: { hostId: 'build-box', hostLabel: 'build-box' } });

  it('keeps what was typed apart, and says to which session it belongs', async () => {
    await showHere(session());
    await composer().fill('For this computer');
    await view.next('draft');
    await showThere(session());
    assert.equal(await composer().inputValue(), '');
    await composer().fill('For the box');
    await view.next('draft');
    await showHere(session());
    assert.equal(await composer().inputValue(), 'For this computer');
    const drafts = view.inSession.filter(({ message }) => message.type === 'draft');
    assert.deepEqual(
      drafts.map(({ session: of }) => of),
      [here, there],
    );
  });

  it('keeps folds and half-filled forms apart', async () => {
    const request = { id: 'i', message: 'Setting up', questions: [{ kind: 'text', id: 'name', message: 'Name' }] } as const;
    const asking = () =>
      active([markdown('Some questions.')], {
        inputRequests: [structuredClone(request) as never],
        turns: [turn('a', 'One', [{ ...reasoning('Because'), id: 'r' } as never])],
      });
    await showHere(asking());
    await view.page.getByRole('textbox', { name: 'Name' }).fill('shop');
    await view.page.locator('details.fold summary').first().click();
    assert.equal(await view.page.locator('details.fold[open]').count(), 1);
    await showThere(asking());
    assert.equal(await view.page.getByRole('textbox', { name: 'Name' }).inputValue(), '');
    assert.equal(await view.page.locator('details.fold[open]').count(), 0);
    await showHere(asking());
    assert.equal(await view.page.getByRole('textbox', { name: 'Name' }).inputValue(), 'shop');
    assert.equal(await view.page.locator('details.fold[open]').count(), 1);
  });

  it('gives refused words back to the session in which they were written', async () => {
    await showHere(session());
    await composer().fill('Only here');
    await composer().press('Enter');
    const action = await view.nextAction('chat/turnStarted');
    assert.deepEqual(view.inSession.at(-1)?.session, here);
    await showThere(session());
    await view.send({ type: 'rejected', session: here, clientSeq: 1, reason: 'Busy', action });
    assert.equal(await composer().inputValue(), '');
    assert.equal(await view.page.getByText('Busy').count(), 0);
    await showHere(session());
    assert.equal(await composer().inputValue(), 'Only here');
  });

  it('forgets the state of the one before the other is loaded', async () => {
    await showHere(session({ turns: [turn('a', 'One', [markdown('Of this computer')])] }));
    await view.page.getByText('Of this computer').waitFor();
    await view.send({ type: 'show', session: { ...there, hostLabel: 'build-box' } });
    assert.equal(await view.page.getByText('Of this computer').count(), 0);
  });
});
