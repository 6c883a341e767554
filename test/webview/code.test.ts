import assert from 'node:assert/strict';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { active, markdown, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('Code in the session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  const code = 'const port: number = 8080; // of the server\nexport function start() {\n  return `http://localhost:${port}`;\n}';
  const fenced = (text: string, language = 'ts') => `\`\`\`${language}\n${text}\n\`\`\``;
  const block = () => view.page.locator('.markdown .code-block code').first();
  const coloured = () => view.page.locator('.markdown .code-keyword').first();

  it('is coloured by its language, with the same text in the same place', async () => {
    let worker: () => void = () => {};
    const held = new Promise<void>((resolve) => (worker = resolve));
    await view.page.route('**/codeWorker.js', async (route) => {
      await held;
      await route.fallback();
    });
    await view.show(session({ turns: [turn('t1', 'Hi', [markdown(`Here:\n\n${fenced(code)}\n\nThat is all.`)])] }));
    assert.equal(await block().textContent(), `${code}\n`);
    const place = async () => (({ y, height }) => ({ y, height }))((await block().boundingBox()) ?? { y: 0, height: 0 });
    const before = await place();
    worker();
    await coloured().waitFor();
    assert.equal(await block().textContent(), `${code}\n`);
    assert.deepEqual(await place(), before);
    assert.deepEqual(await view.page.locator('.markdown .code-comment').allTextContents(), ['// of the server']);
  });

  it('stays plain while it grows, and is coloured when it is complete', async () => {
    await view.show(active([{ kind: 'markdown', id: 'p', content: `${fenced(code)}\n\nAnd:\n\n\`\`\`ts\nconst a = 1;\n` }]));
    await coloured().waitFor();
    const last = view.page.locator('.markdown .code-block code').last();
    await view.settle();
    assert.equal(await last.locator('span').count(), 0);
    await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: '```\n\nDone.' });
    await last.locator('.code-keyword').waitFor();
    assert.equal(await last.textContent(), 'const a = 1;\n');
  });

  it('does not hold up the page when its grammar takes too long, and stays plain', async () => {
    // A worker that never answers, in place of a grammar that is led astray.
    await view.page.route('**/codeWorker.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "onmessage = () => { for (;;); }; postMessage('ready');" }),
    );
    await view.show(session({ turns: [turn('t1', 'Hi', [markdown(fenced(code))])] }));
    await view.page.locator('#composer').fill('Still here');
    assert.equal(await view.page.locator('#composer').inputValue(), 'Still here');
    assert.equal(await block().textContent(), `${code}\n`);
  });

  it('makes no markup of what looks like it', async () => {
    const hostile = '</code></pre><img src=x onerror="document.title=1"><script>alert(1)</script> const a = "&lt;b&gt;";';
    await view.show(session({ turns: [turn('t1', 'Hi', [markdown(`${fenced(hostile, 'html')}\n\n${fenced(code)}`)])] }));
    await coloured().waitFor();
    await view.page.locator('.markdown .code-block code').first().locator('span').first().waitFor();
    assert.equal(await block().textContent(), `${hostile}\n`);
    assert.equal(await view.page.locator('.markdown img, .markdown script').count(), 0);
  });

  it('of a language that nobody knows, and that of half a megabyte, stay plain', async () => {
    const huge = 'const a = 1;\n'.repeat(40_000);
    const parts = [fenced('const a = 1;', 'brainless'), fenced(huge), fenced(code)];
    await view.show(session({ turns: [turn('t1', 'Hi', parts.map(markdown))] }));
    await coloured().waitFor();
    const spans = await view.page.locator('.code-block code').evaluateAll((blocks) => blocks.map((one) => one.childElementCount > 0));
    assert.deepEqual(spans, [false, false, true]);
  });

  it('of a waiting command is coloured, with what is invisible named as before', async () => {
    const command = 'echo "a\u202eb" \\ \nif [ -f x ]; then rm -rf build; fi \u200b\u200b';
    const call = waitingCall('c', { toolInput: JSON.stringify({ command }), _meta: { toolKind: 'shell' } });
    let worker: () => void = () => {};
    const held = new Promise<void>((resolve) => (worker = resolve));
    await view.page.route('**/codeWorker.js', async (route) => {
      await held;
      await route.fallback();
    });
    await view.show(active([toolCall(call)]), { root });
    const shown = view.page.locator('.waiting-card .code-block code').first();
    const plain = await shown.textContent();
    const height = (await shown.boundingBox())?.height;
    assert.match(plain ?? '', /U\+202E[^]*\\U\+0020\n[^]*U\+200B ×2/);
    worker();
    await shown.locator('.code-keyword').first().waitFor();
    assert.equal(await shown.textContent(), plain);
    assert.equal((await shown.boundingBox())?.height, height);
    assert.equal(await shown.locator('.unseen-character').count(), 3);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    for (const width of [330, 700]) {
      it(`can be read in ${theme} at ${width} px, in answers, diffs and commands`, async () => {
        await view.close();
        await open({ theme, width, height: 1500 });
        const side = (content: string) => ({ uri: 'file:///home/ada/web-app/src/report.ts', content: { uri: content } });
        const edit = { before: side('session-db://before'), after: side('session-db://after') };
        const run = waitingCall('r', {
          toolInput: JSON.stringify({ command: 'for f in *.ts; do echo "$f" # name\ndone' }),
          _meta: { toolKind: 'shell' },
        });
        const call = waitingCall('c', {
          confirmationTitle: 'Change it?',
          toolInput: '{}',
          _meta: { toolKind: 'edit' },
          edits: { items: [edit] },
        });
        const css = '@media print { .a:hover > b[x="y"] { color: #fff; /* no */ } }';
        const json = '{ "name": "web-app", "size": 12, "isNew": true }';
        const python = '@cached\nclass Report(Base):\n    def total(self):\n        return sum(x for x in self.rows)  # all';
        const patch = '@@ -1 +1 @@\n-old\n+new';
        const answer = [fenced(code), fenced(css, 'css'), fenced(json, 'json'), fenced(python, 'python'), fenced(patch, 'diff')].join(
          '\n\n',
        );
        await view.show(active([markdown(answer), toolCall(run), toolCall(call)]), { root });
        for (let count = 0; count < 2; count++) {
          const request = await view.next('request');
          const data = JSON.stringify(request.params).includes('before') ? code : code.replace('8080', '9090').replace('start', 'begin');
          await view.send({ type: 'response', id: request.id, result: { encoding: 'utf-8', data } });
        }
        const diff = view.page.locator('.diff');
        await diff.locator('.code-keyword').first().waitFor();
        await view.page.locator('.waiting-card .code-block .code-keyword').first().waitFor();
        await view.page.locator('.code-removed').waitFor();
        assert.match((await diff.textContent()) ?? '', /− {1,2}?const port: number = 8080; \/\/ of the server\n/);
        assert.ok((await diff.locator('ins, del').count()) > 0, 'no word is marked');
        assert.deepEqual(await violations(), []);
        await view.screenshot(`code-${theme}-${width}`);
      });
    }
});
