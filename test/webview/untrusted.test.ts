import assert from 'node:assert/strict';
import { text, useSessionPage, view } from './currentPage.ts';
import { active, completed, markdown, session, toolCall, turn, waitingCall } from './sessions.ts';

describe('The session webview, given what is not to be trusted', function () {
  this.timeout(60_000);
  useSessionPage();

  describe('keeps out', () => {
    it('scripts, handlers, dangerous links and remote content', async () => {
      const evil = [
        '<script>window.hacked = 1</script>',
        '<img src=x onerror="window.hacked = 1">',
        '<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>',
        '[js](javascript:window.hacked=1) [cmd](command:workbench.action.quit) [data](data:text/html,<script>1</script>) [vb](vbscript:x)',
        '![remote](https://evil.test/pixel.png) ![svg](data:image/svg+xml;base64,PHN2Zy8+) ![ok](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)',
        '[fine](https://example.com/) [rel](./a.md) [file](file:///a.ts)',
        '```"><img src=x onerror=window.hacked=1>\n</code><script>window.hacked=1</script>\n```',
      ].join('\n\n');
      const call = completed('c', {
        pastTenseMessage: { markdown: '<img src=x onerror="window.hacked=1"> [x](javascript:1)' },
        content: [
          { type: 'embeddedResource', contentType: 'image/svg+xml', data: 'PHN2Zy8+' },
          { type: 'embeddedResource', contentType: 'image/png;base64,AAAA" onerror="x', data: 'AAAA' },
          { type: 'text', text: '<script>window.hacked=1</script>' },
        ],
      });
      await view.show(session({ turns: [turn('t1', '<b onclick="window.hacked=1">hi</b>', [markdown(evil), toolCall(call)])] }));
      await view.page.locator('.tool-call summary').click();
      const found = await view.page.evaluate(() => ({
        hacked: 'hacked' in window,
        scripts: document.querySelectorAll('.transcript :is(script, svg, iframe, object, style)').length,
        handlers: [...document.querySelectorAll('.transcript *')].flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith('on')),
        ),
        links: [...document.querySelectorAll('.transcript a[href]')].map((link) => link.getAttribute('href')),
        images: [...document.querySelectorAll('.transcript img')].map((image) => image.getAttribute('src')?.slice(0, 15)),
      }));
      assert.deepEqual(found, {
        hacked: false,
        scripts: 0,
        handlers: [],
        links: ['https://evil.test/pixel.png', 'https://example.com/', 'file:///home/ada/web-app/a.md', 'file:///a.ts'],
        images: ['data:image/png;'],
      });
      assert.match(await text(), /<b onclick="window.hacked=1">hi<\/b>/);
    });

    it('relative links that would lead to another computer, or nowhere', async () => {
      const links = '[server](//evil.test/share) [back](\\\\evil.test\\share) [here](#part) [query](?x=1) [js](\tjavascript:alert(1))';
      await view.show(session({ turns: [turn('t1', 'Hi', [markdown(links)])] }));
      const hrefs = await view.page.locator('.transcript a[href]').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      for (const href of hrefs) assert.match(href ?? '', /^file:\/\/\/home\/ada\/web-app\//, href ?? '');
    });

    it('no file that the agent names: relative to its folder, with its line', async () => {
      const links = '[one](src/auth.ts) [two](./src/auth.ts:12) [three](src/a%20b.ts#L3-L5) [four](/home/ada/notes.md)';
      await view.show(session({ turns: [turn('t1', 'Hi', [markdown(links)])] }));
      const opened: string[] = [];
      for (const name of ['one', 'two', 'three', 'four']) {
        await view.page.getByRole('link', { name }).click();
        opened.push((await view.next('openFile')).uri);
      }
      assert.deepEqual(opened, [
        'file:///home/ada/web-app/src/auth.ts',
        'file:///home/ada/web-app/src/auth.ts#L12',
        'file:///home/ada/web-app/src/a%20b.ts#L3-L5',
        'file:///home/ada/notes.md',
      ]);
    });

    it('links that say one place and lead to another', async () => {
      await view.show(session({ turns: [turn('t1', 'Hi', [markdown('[https://good.test](https://evil.test/ "https://good.test")')])] }));
      assert.equal(await view.page.getByRole('link').getAttribute('title'), 'https://evil.test/');
    });

    it('what cannot be seen, from what the user approves', async () => {
      await view.show(active([toolCall(waitingCall('c', { toolInput: 'ls \u202e# gpj.\u202c; rm -rf \u200b~' }))]));
      assert.match(await view.page.locator('.waiting-card pre').innerText(), /^ls U\+202E# gpj\.U\+202C; rm -rf U\+200B~$/);
    });

    it('and opens links through the extension only', async () => {
      await view.show(
        session({ turns: [turn('t1', 'Hi', [markdown('[web](https://example.com/a) [file](file:///a.ts)\n\n```js\nlet a;\n```')])] }),
      );
      await view.page.getByRole('link', { name: 'web' }).click();
      assert.equal((await view.next('openExternal')).url, 'https://example.com/a');
      await view.page.getByRole('link', { name: 'file' }).click();
      assert.equal((await view.next('openFile')).uri, 'file:///a.ts');
      await view.page.getByRole('button', { name: 'Copy code' }).click();
      assert.equal((await view.next('copy')).text, 'let a;\n');
      assert.equal(new URL(view.page.url()).pathname, '/');
    });
  });
});
