import assert from 'node:assert/strict';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { completed, markdown, session, toolCall, turn } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('Finding in the conversation of the session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  const find = () => view.send({ type: 'command', command: 'find' });
  const field = () => view.page.getByRole('textbox', { name: 'Find' });
  const count = (text: string) => view.page.locator('.find-count', { hasText: new RegExp(`^${text}$`) }).waitFor();
  /** The text of the current match with a little of what stands around it, and whether it is in the visible part of the transcript. */
  const current = () =>
    view.page.evaluate(() => {
      const [range] = CSS.highlights.get('tapline-find-current') ?? [];
      if (!(range instanceof Range)) return undefined;
      const box = document.querySelector('.transcript')!.getBoundingClientRect();
      const at = range.getBoundingClientRect();
      return {
        text: range.toString(),
        turn: range.startContainer.parentElement?.closest<HTMLElement>('.turn')?.dataset.turn,
        isSeen: at.height > 0 && at.top >= box.top && at.bottom <= box.bottom,
      };
    });
  const marked = () => view.page.evaluate(() => CSS.highlights.get('tapline-find')?.size ?? 0);
  /** Coming to a match takes some frames. */
  const comesTo = async (wanted: { text: string; turn: string }) => {
    for (let tries = 0; ; tries++) {
      const now = await current();
      if (now?.isSeen && now.text === wanted.text && now.turn === wanted.turn) return;
      if (tries === 200) assert.deepEqual(now, { ...wanted, isSeen: true });
      await view.settle();
    }
  };

  const long = (turns: number) =>
    session({
      turns: Array.from({ length: turns }, (_, at) => turn(`t${at}`, `Prompt ${at}`, [markdown(`An **ans**wer ${at}.\n\nMore.`)])),
    });

  it('goes through the matches by Enter and Shift+Enter, counts and marks them, and gives the focus back by Escape', async () => {
    await view.show(long(3));
    const composer = view.page.getByRole('textbox', { name: 'Message' });
    await composer.focus();
    await find();
    await view.page.keyboard.type('ANSWER');
    await count('1 of 3');
    assert.equal(await marked(), 3);
    await comesTo({ text: 'answer', turn: 't0' });
    await view.page.keyboard.press('Enter');
    await count('2 of 3');
    await comesTo({ text: 'answer', turn: 't1' });
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.press('Shift+Enter');
    await count('3 of 3');
    assert.equal(await view.page.locator('.find [role=status]').innerText(), '3 of 3');
    assert.deepEqual(await violations(), []);
    await field().fill('nowhere');
    await count('No results');
    assert.equal(await marked(), 0);
    await view.page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    assert.ok(await composer.evaluate((element) => element === document.activeElement));
    assert.equal(await view.page.evaluate(() => CSS.highlights.size), 0);
  });

  it('finds steps of a long turn that are not drawn, in a run of reads too, and draws those around them', async () => {
    const run = (at: number) => completed(`c${at}`, { toolInput: `npm run step${at}!`, _meta: { toolKind: 'terminal' } });
    const read = (at: number) =>
      completed(`r${at}`, {
        toolName: 'view',
        displayName: 'View',
        pastTenseMessage: `Read step${at}.ts`,
        toolInput: `step${at}.ts`,
        _meta: { toolKind: 'read' },
        content: [{ type: 'text', text: '' }],
      });
    const calls = Array.from({ length: 300 }, (_, at) => toolCall(run(at)));
    const reads = Array.from({ length: 200 }, (_, at) => toolCall(read(at)));
    await view.show(session({ turns: [turn('a', 'Go', [...calls, ...reads, markdown('Done')])] }));
    const parts = view.page.locator('.turn-part');
    assert.ok((await parts.count()) < 100);
    await find();
    await field().fill('step7!');
    await count('1 of 1');
    await comesTo({ text: 'step7!', turn: 'a' });
    assert.ok((await parts.count()) < 200);
    await field().fill('step9.ts');
    await count('1 of 1');
    await comesTo({ text: 'step9.ts', turn: 'a' });
    assert.ok((await parts.count()) < 300);
  });

  it('finds what stands in the beginning of a very long answer, which is not drawn', async () => {
    const answer = Array.from({ length: 4_000 }, (_, at) => `Paragraph ${at} of the answer.`).join('\n\n');
    await view.show(session({ turns: [turn('a', 'Long', [markdown(answer)])] }));
    await find();
    await field().fill('paragraph 12 of');
    await count('1 of 1');
    await comesTo({ text: 'Paragraph 12 of', turn: 'a' });
  });

  it('finds turns that are not rendered, and renders them', async () => {
    await view.show(long(400));
    await view.page.getByRole('button', { name: 'Show earlier (350)' }).waitFor();
    assert.equal(await view.page.locator('.turn').count(), 50);
    await find();
    await field().fill('Prompt 7');
    await count('1 of 11');
    // From where the user is, around the end.
    await comesTo({ text: 'Prompt 7', turn: 't7' });
    await field().press('Enter');
    await count('2 of 11');
    await comesTo({ text: 'Prompt 7', turn: 't70' });
    await field().press('Shift+Enter');
    await comesTo({ text: 'Prompt 7', turn: 't7' });
  });

  it('opens what hides a match: a long prompt, and the command of a call', async () => {
    const prompt = Array.from({ length: 60 }, (_, at) => `Line ${at + 1}`).join('\n');
    const call = completed('c', {
      pastTenseMessage: 'Ran the tests',
      toolInput: '{"command":"npm run needle"}',
    });
    await view.show(session({ turns: [turn('t1', prompt, [toolCall(call), markdown('Done.')])] }));
    await find();
    await field().fill('line 55');
    await comesTo({ text: 'Line 55', turn: 't1' });
    await field().fill('needle');
    await comesTo({ text: 'needle', turn: 't1' });
    assert.ok(await field().evaluate((element) => element === document.activeElement), 'the field keeps the focus');
    await count('1 of 1');
  });

  it('opens a call of whose path the folders are cut, but not for what its line shows', async () => {
    const path = 'packages/server/src/features/authentication/redirects/afterLogin.ts';
    const call = completed('c', { pastTenseMessage: { markdown: `Read \`${path}\`` } });
    await view.page.setViewportSize({ width: 300, height: 600 });
    await view.show(session({ turns: [turn('t1', 'Look', [toolCall(call)])] }));
    const opened = view.page.locator('.tool-call details[open]');
    await find();
    for (const text of ['read', 'packages', 'afterlogin.ts']) {
      await field().fill(text);
      await comesTo({ text: path.includes(text) ? text : text === 'read' ? 'Read' : 'afterLogin.ts', turn: 't1' });
      assert.equal(await opened.count(), 0, text);
    }
    for (const text of ['redirects', 'packages/server/src/features', 'redirects/afterLogin']) {
      await field().fill(text);
      await opened.waitFor();
      await comesTo({ text, turn: 't1' });
      await view.page.locator('.tool-call summary').click();
      await opened.waitFor({ state: 'detached' });
    }
  });

  it('follows what is said meanwhile, and stays at its match', async () => {
    await view.show(
      session({
        turns: [turn('t1', 'needle', [])],
        activeTurn: { id: 't', userMessage: { text: 'Go' }, responseParts: [{ kind: 'markdown', id: 'p', content: 'a' }] },
      }),
    );
    await find();
    await field().fill('needle');
    await count('1 of 1');
    await view.actions({
      type: 'session/delta',
      session: 'copilot:/00000000-0000-4000-8000-000000000001',
      turnId: 't',
      partId: 'p',
      content: ' needle',
    });
    await count('1 of 2');
    assert.equal(await marked(), 2);
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`can be read in ${theme}`, async () => {
      await view.close();
      await open({ theme, width: 330 });
      await view.show(long(3));
      await find();
      await field().fill('answer');
      await count('1 of 3');
      assert.deepEqual(await violations(), []);
      await view.screenshot(`find-${theme}`);
    });
  }
});
