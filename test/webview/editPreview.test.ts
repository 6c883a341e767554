import assert from 'node:assert/strict';
import { open, readThrough, text, useSessionPage, view, violations } from './currentPage.ts';
import { active, root, toolCall, waitingCall } from './sessions.ts';
import { buttonsCount } from './webviewPage.ts';
import { themes, type ThemeName } from './themes.ts';

describe('The session webview previews an edit', function () {
  this.timeout(60_000);
  useSessionPage();

  const side = (content: string) => ({ uri: 'file:///home/ada/web-app/src/report.ts', content: { uri: content } });
  const edit = { before: side('session-db://before'), after: side('session-db://after') };
  const card = () => view.page.locator('.waiting-card').first();
  const approve = () => card().getByRole('button', { name: 'Approve', exact: true });
  const answers = () => view.posted.filter((message) => message.type === 'dispatch');
  const hunks = () => card().locator('.hunk');

  async function show(before: string, after: string): Promise<void> {
    const call = waitingCall('c', {
      confirmationTitle: 'Change src/report.ts?',
      invocationMessage: 'Change src/report.ts',
      toolInput: '{}',
      _meta: { toolKind: 'edit' },
      edits: { items: [edit] },
    });
    await view.show(active([toolCall(call)]), { root });
    for (let count = 0; count < 2; count++) {
      const request = await view.next('request');
      const data = JSON.stringify(request.params).includes('before') ? before : after;
      await view.send({ type: 'response', id: request.id, result: { encoding: 'utf-8', data } });
    }
    await card().locator('.edit-preview .hint, .hunk').first().waitFor();
    await view.settle();
  }
  async function isRefused(): Promise<void> {
    await buttonsCount(card());
    await approve().click({ force: true });
    await card().getByRole('alert').getByText('not all of this has been in view').waitFor();
    await view.settle();
    assert.deepEqual(answers(), []);
  }

  const body = Array.from({ length: 1060 }, (_, index) => `  step(${index + 1}, "something that a report does");`);
  const long = (first: string, last: string, count = body.length) =>
    `${body
      .slice(0, count)
      .with(1, first)
      .with(count - 4, last)
      .join('\n')}\n`;
  const imported = [
    'import { parse } from "./parsing/parse.ts";',
    'import { parse, sorted } from "./parsing/parse.ts";',
    '  return parse(text);',
    '  return sorted(parse(text));',
  ] as const;
  const twoLines = (count?: number): [string, string] => [long(imported[0], imported[2], count), long(imported[1], imported[3], count)];

  it('of two lines in a file of 1,060 lines by those lines, on a card that is approved without scrolling', async () => {
    await show(...twoLines());
    const signs = await card()
      .locator('.diff-line')
      .evaluateAll((lines) => lines.map((line) => line.textContent?.[0]).join(''));
    assert.equal(signs, ' −+      −+   ');
    assert.deepEqual(await hunks().count(), 2);
    assert.equal(await card().locator('.edit-row .file-folder').innerText(), 'changed', 'the title names the file');
    assert.match(await text(), /1,048 unchanged lines/);
    assert.ok((await card().boundingBox())!.height < 600);
    await approve().click();
    assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, true);
  });

  it('and counts only the changed lines as what must be seen', async () => {
    await view.close();
    await open({ height: 260 });
    await show(...twoLines());
    await isRefused();
    const transcript = view.page.locator('.transcript');
    const scrolled = await transcript.evaluate((box) => box.scrollHeight);
    assert.ok(scrolled < 1000, `${scrolled} pixels`);
    await transcript.evaluate((box) => (box.scrollTop = box.scrollHeight));
    await view.settle();
    assert.equal(await approve().getAttribute('aria-disabled'), 'true', 'what lies between was jumped over');
    await readThrough();
    await approve().click();
    await view.nextAction('chat/toolCallConfirmed');
  });

  it('and unfolds what is unchanged with a key, after which what was seen still counts', async () => {
    await show(...twoLines());
    await approve().and(view.page.locator(':not([aria-disabled])')).waitFor();
    const fold = card().getByRole('button', { name: '1,048 unchanged lines' });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.press('Enter');
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
    assert.equal(await card().locator('.diff-line').count(), 14 + 1048);
    assert.equal(await approve().getAttribute('aria-disabled'), null);
    await fold.press('Enter');
    assert.equal(await card().locator('.diff-line').count(), 14);
  });

  it('with the words that change marked in their lines', async () => {
    await show(...twoLines());
    // The colours of the language may take a mark apart.
    const marked = async (marks: string) => (await card().locator(marks).allInnerTexts()).join('|').replace('sorted|(', 'sorted(');
    assert.equal(await marked('.diff-added ins'), ', sorted|sorted(|)');
    assert.equal(await marked('.diff-removed del'), '');
    await show('const limit = 10;\n', 'const limit = 20; \n');
    assert.equal(await marked('.diff-removed del'), '10');
    assert.equal(await marked('.diff-added ins'), '20|U+0020');
  });

  it('that cannot be compared by its diff, which must have been opened', async () => {
    const shuffled = body.toReversed();
    await show(`${body.join('\n')}\n`, `${shuffled.join('\n')}\n`);
    assert.match(await card().innerText(), /change is too large for a preview/);
    assert.equal(await card().locator('.diff-line').count(), 0);
    await isRefused();
    await card()
      .getByRole('button', { name: /^Open diff/ })
      .click();
    assert.deepEqual((await view.next('openDiff')).edit, edit);
    await approve().click();
    await view.nextAction('chat/toolCallConfirmed');
  });

  it('that could not be read, which must be read again before it is approved', async () => {
    const call = waitingCall('c', { confirmationTitle: 'Change src/report.ts?', edits: { items: [edit] } });
    await view.show(active([toolCall(call)]), { root });
    const answerBoth = async (answer: (params: string) => { result: unknown } | { error: string }) => {
      for (let count = 0; count < 2; count++) {
        const request = await view.next('request');
        await view.send({ type: 'response', id: request.id, ...answer(JSON.stringify(request.params)) });
      }
    };
    await answerBoth(() => ({ error: 'The host is busy.' }));
    await card().getByRole('alert').getByText('The change could not be read: The host is busy.').waitFor();
    await view.settle();
    await buttonsCount(card());
    await approve().click({ force: true });
    await view.settle();
    assert.deepEqual(answers(), []);
    await card().getByRole('button', { name: 'Read it again' }).click();
    await answerBoth((params) => ({ result: { encoding: 'utf-8', data: params.includes('before') ? 'a\n' : 'b\n' } }));
    await hunks().first().waitFor();
    await readThrough();
    await approve().and(view.page.locator(':not([aria-disabled])')).click();
    assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, true);
  });

  it('that makes a file with Windows line breaks, and says so', async () => {
    await show('', 'a\r\nb\r\n');
    assert.match(await card().innerText(), /line breaks are CR LF/i);
    assert.deepEqual(await card().locator('.diff-added').allInnerTexts(), ['+ a\n', '+ b\n']);
    await show('a\r\nb\r\n', 'a\r\nc\r\n');
    assert.doesNotMatch(await card().innerText(), /CR LF/);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    for (const width of [330, 700])
      it(`and looks as it should, ${theme}, ${width} pixels wide`, async () => {
        await view.close();
        await open({ theme, width, height: 720 });
        await show(...twoLines(120));
        await view.screenshot(`edit-${theme}-${width}`);
        assert.deepEqual(await violations(), []);
        await card().getByRole('button', { name: '108 unchanged lines' }).click();
        await view.settle();
        await view.screenshot(`edit-unfolded-${theme}-${width}`);
        assert.deepEqual(await violations(), []);
      });
});
