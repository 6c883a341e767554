/** Where lines end in what the user decides on. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { callItem, startInbox } from './inboxPage.ts';
import { open, useSessionPage, view } from './currentPage.ts';
import { linesOf } from './linesOf.ts';
import { active, toolCall, waitingCall } from './sessions.ts';

/** Hyphens in plain words, beside quotes, variables and numbers, which have colours of their own, a question mark, and signs beside other alphabets. */
const command = [
  'rm -rf --no-preserve-root --one-file-system ./build-output/web-app-of-the-day-before-yesterday',
  'docker run --rm --env-file=.env-of-tests -e NODE_ENV="pre-production" registry.example/web-app:1-2-3-$BUILD-"$TAG"-x',
  'curl https://example.com/search?q=one-two-three?four&sort=by-the-name-of-the-author --retry-all-errors --max-time 10',
  'sudo --non-interactive rm -rf /übungen-von-gestern /übungen|éclair /tmp/文字 #文字 /ü/ö/ä/ü/ö',
  'echo 这些文字写得很长很长很长很长 很长很长很长很长很长很长',
].join(' && ');

describe('The lines of a command', function () {
  this.timeout(60_000);

  /** Where a line ends within a word that would have been whole on a line of its own, or after a hyphen. */
  function wrongEnds(lines: readonly string[]): string[] {
    const longest = Math.max(...lines.map((line) => line.length));
    return lines.slice(0, -1).filter((line, index) => {
      if (/\s$/.test(line)) return false;
      const begun = /\S*$/.exec(line)?.[0] ?? '';
      const word = `${begun}${/^\S*/.exec(lines[index + 1] ?? '')?.[0]}`;
      return /-$/.test(line) || word.length < longest;
    });
  }
  async function check(code: Locator, lines: number): Promise<void> {
    await code.locator('.code-string').first().waitFor();
    const found = await linesOf(code);
    assert.equal(found.join(''), command);
    assert.ok(found.length >= lines, found.join('\n'));
    assert.deepEqual(wrongEnds(found), [], found.join('\n'));
    const beyond = await code.evaluate(({ parentElement: pre }) => (pre?.scrollWidth ?? NaN) - (pre?.clientWidth ?? NaN));
    assert.equal(beyond, 0, 'nothing is beyond the edge');
  }

  describe('in a session', () => {
    useSessionPage();
    for (const width of [320, 420, 900])
      it(`end at spaces, ${width} wide, and what is copied is the command`, async () => {
        await view.close();
        await open({ width });
        await view.show(active([toolCall(waitingCall('c', { toolInput: command }))]));
        const code = view.page.locator('.waiting-card pre code');
        await check(code, 4);
        await view.page.getByRole('button', { name: 'Copy Command' }).click();
        assert.equal((await view.next('copy')).text, command);
        const selected = await code.evaluate((element) => (getSelection()?.selectAllChildren(element), getSelection()?.toString()));
        assert.equal(selected, command);
      });
  });

  it('end at spaces in the inbox', async () => {
    const harness = await startInbox();
    try {
      for (const width of [320, 420, 900]) {
        const inbox = await harness.open({ width });
        await inbox.show([callItem('embedded', 'c', { toolInput: command })]);
        await inbox.page.getByRole('button', { name: 'Show all' }).click();
        await check(inbox.page.locator('.waiting-card pre code'), 4);
        await inbox.close();
      }
    } finally {
      await harness.close();
    }
  });
});
