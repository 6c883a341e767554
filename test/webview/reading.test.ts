import assert from 'node:assert/strict';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { completed, markdown, session, toolCall, turn } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('An answer in the session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  const folder = 'file:///home/ada/web-app';
  const show = async (text: string, prompt = 'Hi') => {
    const state = session({ turns: [turn('t1', prompt, [markdown(text)])] });
    await view.show({ ...state, summary: { ...state.summary, workingDirectory: folder } });
  };
  const links = () =>
    view.page.locator('.markdown a').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));

  it('links paths in backticks to their files in the folder of the session, with line and column', async () => {
    await show('See `src/a.ts:12:5`, `b.py#L10-L20` and `../c.md`, not `npm test`, `Math.random` or [`x/y.ts`](https://example.org/).');
    assert.deepEqual(await links(), [
      ['src/a.ts:12:5', `${folder}/src/a.ts#L12,5`],
      ['b.py#L10-L20', `${folder}/b.py#L10-L20`],
      ['../c.md', 'file:///home/ada/c.md'],
      ['x/y.ts', 'https://example.org/'],
    ]);
    await view.page.getByRole('link', { name: 'src/a.ts:12:5' }).click();
    assert.deepEqual(await view.next('openFile'), { type: 'openFile', uri: `${folder}/src/a.ts#L12,5` });
  });

  it('links bare addresses of http and https only, and shows them as they are', async () => {
    await show(
      'https://example.org/a?b=1. http://xn--80ak6aa92e.com/%41 ftp://x.org mailto:a@b.org a@b.org example.org //x.org `https://x.org`',
    );
    assert.deepEqual(await links(), [
      ['https://example.org/a?b=1', 'https://example.org/a?b=1'],
      ['http://xn--80ak6aa92e.com/%41', 'http://xn--80ak6aa92e.com/%41'],
    ]);
    await view.page.getByRole('link', { name: 'https://example.org/a?b=1' }).click();
    assert.deepEqual(await view.next('openExternal'), { type: 'openExternal', url: 'https://example.org/a?b=1' });
  });

  it('has code that is inserted, and typed into a terminal where it is that of a shell, as it is shown', async () => {
    await show('```ts\nconst a = "<b>";\n```\n\n```bash\nnpm test\n```');
    const insert = view.page.getByRole('button', { name: 'Insert at cursor' });
    const terminal = view.page.getByRole('button', { name: 'Type into a terminal, without running it' });
    assert.deepEqual([await insert.count(), await terminal.count()], [2, 1]);
    await insert.first().click();
    assert.deepEqual(await view.next('useCode'), { type: 'useCode', how: 'insert', code: 'const a = "<b>";\n' });
    await terminal.click();
    assert.deepEqual(await view.next('useCode'), { type: 'useCode', how: 'terminal', code: 'npm test\n' });
    assert.deepEqual(await violations(), []);
  });

  it('has code that is applied to a file, with the words that may name it', async () => {
    await show('Now `src/a.ts`:\n\n```ts\nconst a = 1;\n```\n\nAnd:\n\n```py title="b.py"\nb = 1\n```\n\n```bash\nnpm test\n```');
    const apply = view.page.getByRole('button', { name: /^Apply to a file/ });
    assert.equal(await apply.count(), 2);
    await apply.first().click();
    assert.deepEqual(await view.next('applyCode'), { type: 'applyCode', code: 'const a = 1;\n', info: 'ts', before: 'Now src/a.ts:' });
    await apply.last().focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.next('applyCode'), { type: 'applyCode', code: 'b = 1\n', info: 'py title="b.py"', before: 'And:' });
    assert.deepEqual(await violations(), []);
  });

  it('shows the boxes of a task list, which cannot be changed', async () => {
    await show('- [x] write\n- [ ] test `a`\n- no task\n- [y] neither\n\n1. [X] first');
    const boxes = view.page.getByRole('checkbox');
    assert.deepEqual(await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-checked'))), ['true', 'false', 'true']);
    assert.match(await view.page.locator('.markdown').first().innerText(), /write\s+test a\s+no task\s+\[y\] neither/);
    await boxes.first().click({ force: true });
    assert.equal(await boxes.first().getAttribute('aria-checked'), 'true');
    assert.deepEqual(await violations(), []);
  });

  it('stands below one line for reads in a row, which opens to their rows, also for what is found in them', async () => {
    const read = (id: string, fields = {}) =>
      toolCall(
        completed(id, {
          toolName: 'view',
          pastTenseMessage: { markdown: `Read \`${id}.ts\`` },
          toolInput: `{"path":"${id}.ts"}`,
          _meta: { toolKind: 'read' },
          ...fields,
        }),
      );
    const failed = read('gone', { success: false, pastTenseMessage: { markdown: 'Could not read `gone.ts`' } });
    await view.show(session({ turns: [turn('t1', 'Hi', [read('a'), read('b'), read('c'), failed, markdown('Done.')])] }));
    const rows = view.page.locator('.tool-call');
    await view.page.getByText('Could not read gone.ts').waitFor();
    assert.equal(await rows.count(), 1);
    assert.deepEqual(await violations(), []);
    const line = view.page.locator('.read-run > summary', { hasText: 'Read 3 files' });
    await line.focus();
    await view.page.keyboard.press('Enter');
    await view.page.getByText('Read b.ts').waitFor();
    assert.equal(await rows.count(), 4);
    await view.screenshot('reading-run');
    await view.page.keyboard.press('Enter');
    await view.page.getByText('Read b.ts').waitFor({ state: 'detached' });
    await view.send({ type: 'command', command: 'find' });
    await view.page.getByRole('textbox', { name: 'Find' }).fill('b.ts');
    await view.page.getByText('Read b.ts').waitFor();
  });

  it('stands above the to-do list of the agent, which says how far it is and opens to its items', async () => {
    const todos = (...states: string[]) =>
      toolCall(
        completed('todo', {
          toolName: 'TodoWrite',
          toolInput: JSON.stringify({ todos: states.map((status, at) => ({ content: `Step ${at + 1} of the work`, status })) }),
        }),
      );
    await view.show(session({ turns: [turn('t1', 'Hi', [todos('completed', 'in_progress', 'pending'), markdown('On it.')])] }));
    const list = view.page.getByRole('region', { name: 'To-do list of the agent' });
    await list.getByText('1 of 3 done').waitFor();
    await list.getByText('Step 2 of the work').waitFor();
    await list.locator('summary').focus();
    await view.page.keyboard.press('Enter');
    const items = await list.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      items.map((text) => text.replace(/\s+/g, ' ').trim()),
      ['Done: Step 1 of the work', 'In progress: Step 2 of the work', 'To do: Step 3 of the work'],
    );
    assert.deepEqual(await violations(), []);
    await view.screenshot('reading-todos');
    await view.show(session({ turns: [turn('t1', 'Hi', [todos('completed')]), turn('t2', 'And?', [markdown('Bye.')])] }));
    await list.waitFor({ state: 'detached' });
  });

  it('is copied as Markdown by its button and by the command', async () => {
    const state = session({
      turns: [
        turn('t1', 'Hi', [markdown('**One**'), markdown('- two')]),
        turn('t2', 'And?', [markdown('_Last_')]),
        turn('t3', 'Nothing', []),
      ],
    });
    await view.show(state);
    const buttons = view.page.getByRole('button', { name: 'Copy answer' });
    assert.equal(await buttons.count(), 2);
    await buttons.first().focus();
    await view.page.keyboard.press('Enter');
    assert.equal((await view.next('copy')).text, '**One**\n\n- two');
    await view.send({ type: 'command', command: 'copyAnswer' });
    assert.equal((await view.next('copy')).text, '_Last_');
  });

  it('stands below a long prompt that is folded until all of it is wanted', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at + 1}`);
    await show('Done.', lines.join('\n'));
    const prompt = view.page.locator('.user-text');
    assert.match((await prompt.textContent()) ?? '', /Line 12 …$/);
    await view.page.getByRole('button', { name: /^Show all: 60 lines/ }).click();
    assert.equal(await prompt.textContent(), lines.join('\n'));
    await show('Done.', 'Short\nprompt');
    assert.equal(await view.page.getByRole('button', { name: /^Show all/ }).count(), 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    for (const width of [330, 700]) {
      it(`can be read in ${theme} at ${width} px`, async () => {
        await view.close();
        await open({ theme, width });
        const prompt = Array.from({ length: 30 }, (_, at) => `Line ${at + 1} of a long prompt`).join('\n');
        await show(
          'See `src/a.ts:12` and `npm test`, or https://example.org/a.\n\n- [x] write\n- [ ] test\n  - [x] deeper\n- no task',
          prompt,
        );
        assert.deepEqual(await violations(), []);
        await view.screenshot(`reading-${theme}-${width}`);
      });
    }
});
