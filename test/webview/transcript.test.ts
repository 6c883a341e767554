import assert from 'node:assert/strict';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResponsePart, SessionState } from '../../src/ahp/v1/session.ts';
import { composer, open, text, useSessionPage, view, violations } from './currentPage.ts';
import { active, completed, markdown, richSession, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';

describe('The transcript of a session', function () {
  this.timeout(60_000);
  useSessionPage();

  describe('shows', () => {
    it('what to do when no session is open', async () => {
      await view.send({ type: 'show' });
      await view.page.getByText('Write what you want done below').waitFor();
      await view.page.getByRole('button', { name: 'Try the demo agent' }).click();
      assert.deepEqual(await view.next('runCommand'), { type: 'runCommand', command: 'startDemo' });
    });

    it('a whole session, unknown parts included', async () => {
      await view.show(richSession(), { root });
      assert.equal(await view.page.getByRole('heading', { level: 1 }).innerText(), 'Fix the login redirect');
      const all = await text();
      for (const words of [
        'Ran npm test',
        'exit 1',
        'auth.ts',
        '+12',
        '−4',
        'Review the redirect',
        'Unknown part (holographic)',
        'quota of this month',
        '842 out',
      ]) {
        assert.ok(all.includes(words), `${words} in ${all}`);
      }
      await view.page.getByText('Unknown part (holographic)').click();
      await view.page.getByText('"beam": 7').waitFor();
    });

    describe('in the one line of a call', () => {
      const path = 'packages/server/src/features/authentication/redirects/afterLogin.ts';
      const line = () => view.page.locator('.tool-call summary .row-text');
      const showCall = async (width: number, ...calls: ReturnType<typeof completed>[]) => {
        await view.page.setViewportSize({ width, height: 600 });
        await view.show(session({ turns: [turn('t', 'Look', calls.map(toolCall))] }), { root });
        await line().waitFor();
      };
      const read = (markdown: string) => completed('p', { pastTenseMessage: { markdown } });
      /** Whether all of `words` is drawn: in each box that cuts, and not where its ellipsis may be. */
      const isDrawn = (words: string) =>
        line().evaluate((row, words) => {
          const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode as Text;
            const at = node.data.indexOf(words);
            if (at < 0) continue;
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + words.length);
            const place = range.getBoundingClientRect();
            for (let box = node.parentElement; box && row.contains(box); box = box.parentElement) {
              const { overflow, fontSize } = getComputedStyle(box);
              if (overflow === 'visible') continue;
              const room = box.getBoundingClientRect();
              const ellipsis = box.scrollWidth > box.clientWidth ? parseFloat(fontSize) : 0;
              if (place.width === 0 || place.left < room.left || place.right > room.right - ellipsis + 0.5) return false;
            }
            return true;
          }
          throw new Error(`No ${words}`);
        }, words);
      const endsInEllipsis = () =>
        line().evaluate((row) => row.scrollWidth > row.clientWidth && getComputedStyle(row).textOverflow === 'ellipsis');
      const selected = () =>
        line().evaluate((row) => {
          getSelection()?.selectAllChildren(row);
          return String(getSelection());
        });

      it('the name of a file, with its folders where there is room for them', async () => {
        await showCall(300, read(`Read \`${path}\``));
        assert.ok(await isDrawn('Read '));
        assert.ok(await isDrawn('packages'));
        assert.ok(!(await isDrawn('redirects')));
        assert.ok(await isDrawn('/afterLogin.ts'));
        assert.equal(await endsInEllipsis(), false);
        assert.equal(await selected(), `Read ${path}`);
        await view.page.setViewportSize({ width: 900, height: 600 });
        assert.ok(await isDrawn('redirects'));
        assert.ok(await isDrawn('/afterLogin.ts'));
      });

      it('the words before a path and the beginning of the name, where there is no room for more', async () => {
        await showCall(300, {
          ...waitingCall('p'),
          ...{ status: 'cancelled', reason: 'denied', invocationMessage: { markdown: `Deleting \`${path}\` for good` } },
        } as never);
        assert.ok(await isDrawn('Denied: '));
        assert.ok(await isDrawn('Deleting '));
        assert.ok(await isDrawn('/aft'));
        assert.ok(await endsInEllipsis());
        assert.equal(await selected(), `Denied: Deleting ${path} for good`);
      });

      it('the host of a URL and the beginning of a pattern, which are no paths', async () => {
        await showCall(300, read('Fetched `https://evil.example.com/a/b/c/d/e/f/g/h/github.com/index.html`'));
        assert.ok(await isDrawn('https://evil.ex'));
        assert.equal(await line().locator('.path-folders').count(), 0);
        await showCall(300, read('Searched `packages/server/src/**/redirects/*.test.ts`'));
        assert.ok(await isDrawn('packages/server'));
        assert.equal(await line().locator('.path-folders').count(), 0);
      });

      it('the ellipsis of the line after a long name, and the words after it only where they are copied', async () => {
        const long = `a/${'x'.repeat(60)}.ts`;
        await showCall(300, read(`Read \`${long}\`, lines 1 to 20`));
        assert.ok(await isDrawn('Read '));
        assert.ok(await isDrawn('/xxxxxxxxxx'));
        assert.ok(!(await isDrawn(', lines')));
        assert.ok(await endsInEllipsis());
        assert.equal(await selected(), `Read ${long}, lines 1 to 20`);
      });
    });

    it('the tokens of a turn as what the host tells: ours the sum, others the last request to the model', async () => {
      const used = session({ turns: [turn('t1', 'Hi', [markdown('Hello')], { usage: { inputTokens: 10, outputTokens: 2 } })] });
      await view.show(used);
      assert.match(await text(), /last request: 10 tokens in, 2 out/);
      await view.show(used, { shown: { ownHost: true } });
      assert.match(await text(), /(?<!last request: )10 tokens in, 2 out/);
      const usage = { inputTokens: 3210, outputTokens: 420, model: 'gpt-5' };
      await view.show(session({ turns: [turn('t1', 'Hi', [markdown('Hello')], { usage })] }), { root, shown: { ownHost: true } });
      assert.match(await text(), /GPT-5 · 3,210 tokens in, 420 out/);
    });

    it('which claims of a turn its evidence contradicts, until a later check supports them', async () => {
      const judged = (id: string, verdict: 'supported' | 'contradicted') => {
        const checks = [{ check: 'npm test', verdict, line: 'the session’s record: "npm test" ended with code 1, not 0 as stated' }];
        const text = JSON.stringify({ goal: 'The tests <b>pass</b>', verdict, checks });
        return toolCall(completed(id, { toolName: 'tap_verify_goal_output', toolClientId: 'c', content: [{ type: 'text', text }] }));
      };
      const marks = view.page.getByRole('list', { name: 'Contradicted by the evidence' });
      const turns = [turn('t1', 'Mend it', [judged('c1', 'contradicted'), markdown('All tests pass.')])];
      await view.show(session({ turns }));
      await marks.waitFor();
      assert.match(await marks.innerText(), /This goal is not reached: “The tests <b>pass<\/b>”\s+the session’s record: .*code 1, not 0/);
      assert.deepEqual(await violations(), []);
      await view.show(
        session({ turns: [turn('t1', 'Mend it', [judged('c1', 'contradicted'), judged('c2', 'supported'), markdown('Done.')])] }),
      );
      await view.page.getByText('Done.').waitFor();
      assert.equal(await marks.count(), 0);
    });

    it('a part of another shape by its name, and everything else', async () => {
      const broken = { kind: 'markdown', id: 'x', content: { not: 'text' } } as unknown as ResponsePart;
      await view.show(session({ turns: [turn('t1', 'Hi', [broken, markdown('still here')])] }));
      assert.match(await text(), /Unknown part \(markdown, malformed\)[\s\S]*still here/);
    });

    it('a session in which hardly anything is as it should be, and goes on', async () => {
      const wrong = {
        summary: { resource: uri, title: 7, status: 'busy', workingDirectory: ['x'], model: 'gpt', diffs: 'all' },
        lifecycle: null,
        turns: [
          null,
          { id: 't1', userMessage: null, responseParts: 'none', state: 3 },
          { id: 't2', userMessage: { text: {}, attachments: [null, {}] }, responseParts: [null, 7, { kind: 'toolCall', toolCall: null }] },
        ],
        activeTurn: {
          id: 't',
          responseParts: [{ kind: 'toolCall', toolCall: { status: 'running', toolCallId: 'c', content: [null, { type: 'text' }] } }],
        },
        queuedMessages: [null, { id: 'q' }],
        steeringMessage: 'go',
        inputRequests: [null, { id: 'i', questions: [null, { id: 'a', kind: 'single-select', options: 'many' }], answers: [] }],
        config: { schema: null, values: 7 },
      } as unknown as SessionState;
      await view.show(wrong, { root: { agents: [null, { provider: 'copilot', models: 'all' }] } as never });
      assert.match(await text(), /malformed/);
      await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: markdown('still here') });
      assert.match(await text(), /still here/);
      await composer().fill('And I can write');
      await view.page.keyboard.press('Enter');
      assert.equal((await view.nextAction('chat/pendingMessageSet')).message.text, 'And I can write');
    });

    it('5,000 turns, a title of a megabyte and an answer of 9,000 paragraphs', async () => {
      const turns = Array.from({ length: 5000 }, (_, i) => turn(`t${i}`, `Question ${i}`, [markdown(`Answer **${i}**`)]));
      turns.push(turn('long', 'Long', [markdown('A line of the answer.\n\n'.repeat(9_000))]));
      const state = session({ turns });
      await view.show({ ...state, summary: { ...state.summary, title: 'T'.repeat(1e6) } });
      assert.ok((await view.page.locator('.transcript').textContent())?.includes('Answer 4999'));
      assert.ok((await view.page.getByRole('heading', { level: 1 }).innerText()).length < 400);
    });

    it('the end of a very long answer, more of it without moving what is seen, and all of it when it is copied', async () => {
      const answer = Array.from({ length: 4_000 }, (_, at) => `Paragraph ${at} of the answer.`).join('\n\n');
      const part = markdown(answer);
      await view.show(session({ turns: [turn('a', 'Long', [part])] }));
      const drawn = async () => {
        await view.page.locator('.markdown:not([aria-busy])').waitFor();
        return view.page.locator('.markdown-block').count();
      };
      const first = await drawn();
      assert.ok(first > 500 && first < 2_000, `${first} blocks`);
      await view.page.getByText('Paragraph 3999 of').waitFor();
      const button = view.page.getByRole('button', { name: /^Show earlier text \([\d,]+ characters\)$/ });
      await button.focus();
      await view.settle();
      const seen = view.page.getByText(`Paragraph ${4_000 - first} of`);
      const top = () => seen.evaluate((element) => element.getBoundingClientRect().top);
      const before = await top();
      await view.page.keyboard.press('Enter');
      await view.settle();
      assert.ok((await drawn()) > first);
      assert.ok(Math.abs((await top()) - before) <= 2, `moved by ${(await top()) - before}`);
      for (let presses = 0; (await button.count()) > 0 && presses < 20; presses++) await button.press('Enter');
      assert.equal(await drawn(), 4_000);
      assert.ok(await view.page.evaluate(() => document.activeElement?.matches('.markdown-block')), 'the focus goes on in the text');
      await view.page.getByRole('button', { name: 'Copy answer' }).click();
      assert.equal((await view.next('copy')).text, answer);
    });

    it('the beginning that the user reads, also when much comes at once', async () => {
      const paragraphs = (from: number) => Array.from({ length: 1_500 }, (_, at) => `Paragraph ${from + at} of the answer.`).join('\n\n');
      await view.show(active([{ kind: 'markdown', id: 'p', content: paragraphs(0) }]));
      const button = view.page.getByRole('button', { name: /^Show earlier text/ });
      for (let presses = 0; (await button.count()) > 0 && presses < 20; presses++) await button.press('Enter');
      await view.page.locator('.markdown:not([aria-busy])').waitFor();
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
      await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: `\n\n${paragraphs(1_500)}` });
      await view.page.getByText('Paragraph 2999 of').waitFor({ state: 'attached' });
      assert.ok(await view.page.getByText('Paragraph 0 of').isVisible());
      assert.equal(await button.count(), 0);
    });

    it('the text as it streams', async () => {
      await view.show(active([{ kind: 'markdown', id: 'p', content: 'One' }]));
      const delta = (content: string): StateAction => ({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content });
      await view.actions(delta(' two'), delta('\n\n# Thr'), delta('ee\n\n- four'));
      assert.equal(await view.page.locator('.markdown h1').innerText(), 'Three');
      const heading = await view.page.locator('.markdown p').elementHandle();
      await view.actions(delta('\n- five'), delta('\n\nsix\n\nseven\n\neight'));
      assert.ok(await heading?.evaluate((element) => element.isConnected), 'a settled block was drawn again');
      assert.match(await text(), /four\s+five\s+six/);
    });

    it('a list and a table that grow, each item and row drawn once', async () => {
      await view.show(active([{ kind: 'markdown', id: 'p', content: '3. one\n4. two `x`\n5. three\n6. four\n7. fi' }]));
      const delta = (content: string): StateAction => ({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content });
      const items = view.page.locator('.markdown > .markdown-block > ol[start="3"] > li');
      const first = await items.first().elementHandle();
      const code = await items.locator('code').elementHandle();
      await view.actions(delta('ve\n8. [ ] six'));
      assert.deepEqual(await items.allInnerTexts(), ['one', 'two x', 'three', 'four', 'five', 'six']);
      assert.equal(await view.page.locator('li.task [role="checkbox"]').count(), 1);
      assert.ok(await code?.evaluate((element) => element.isConnected), 'a settled item was drawn again');
      // Now each item has paragraphs, also those that were settled.
      await view.actions(delta('\n\n9. seven\n\n| a | b |\n|--:|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n'));
      assert.equal(await items.locator('> p').count(), 7);
      assert.ok(await first?.evaluate((element) => element.isConnected), 'the element of an item was made again');
      const rows = view.page.locator('.markdown > .markdown-block > .table-scroll > table > :is(thead, tbody) > tr');
      const row = await rows.nth(1).locator('td.align-right').elementHandle();
      await view.actions(delta('| 7 | 8 |\n| 9 | '));
      assert.deepEqual(await rows.allInnerTexts(), ['a\tb', '1\t2', '3\t4', '5\t6', '7\t8', '9\t']);
      assert.ok(await row?.evaluate((element) => element.isConnected), 'a settled row was drawn again');
    });

    it('the end of a very long list, with its numbers, and more of it without moving what is seen', async () => {
      const list = Array.from({ length: 3_000 }, (_, at) => `${at + 1}. Item ${at + 1} of the list.`).join('\n');
      await view.show(session({ turns: [turn('a', 'Long', [markdown(list)])] }));
      const items = view.page.locator('.markdown:not([aria-busy]) ol > li');
      await items.first().waitFor();
      const first = await items.count();
      assert.ok(first > 500 && first < 2_000, `${first} items`);
      const numberOfFirst = () => view.page.locator('.markdown ol').getAttribute('start');
      assert.equal(await numberOfFirst(), `${3_001 - first}`);
      const button = view.page.getByRole('button', { name: /^Show earlier text/ });
      await button.focus();
      await view.settle();
      const seen = view.page.getByText(`Item ${3_001 - first} of`);
      const top = () => seen.evaluate((element) => element.getBoundingClientRect().top);
      const before = await top();
      await view.page.keyboard.press('Enter');
      await items.first().waitFor();
      const more = await items.count();
      assert.ok(more > first);
      assert.equal(await numberOfFirst(), `${3_001 - more}`);
      assert.ok(Math.abs((await top()) - before) <= 2, `moved by ${(await top()) - before}`);
    });

    it('how long reasoning took that was seen from start to end', async () => {
      await view.show(active([]));
      const part = (now: number, id: string, kind: 'reasoning' | 'markdown') =>
        view.send({
          type: 'actions',
          uri,
          now,
          actions: [{ type: 'session/responsePart', session: uri, turnId: 't', part: { kind, id, content: 'hm' } }],
        });
      await part(1000, 'a', 'reasoning');
      await view.page.getByText('Thinking').waitFor();
      await part(9000, 'b', 'markdown');
      await view.page.getByText('Thought for 8 s').waitFor();
    });

    it('a banner only when the connection stays away, with what to do', async () => {
      await view.show(session());
      await view.send({
        type: 'connection',
        connection: { kind: 'failed', message: 'The token was refused.', action: { label: 'Try again', command: 'reconnectHost' } },
      });
      assert.equal(await view.page.locator('.banner').count(), 0);
      await view.page.getByRole('button', { name: 'Try again' }).click();
      assert.equal((await view.next('runCommand')).command, 'reconnectHost');
      await view.send({ type: 'connection', connection: { kind: 'connected' } });
      assert.equal(await view.page.locator('.banner').count(), 0);
    });

    it('why the host is away in two lines of a narrow view, whole where there is room', async () => {
      const message =
        'build-box cannot be reached at build-box.example.org, port 8081. Start the agent host there, or correct the address.';
      const away = async (width: number) => {
        await view.close();
        await open({ width });
        await view.show(session());
        await view.send(
          {
            type: 'connection',
            connection: {
              kind: 'reconnecting',
              message,
              brief: 'Connection refused',
              retryIn: 28,
              action: { label: 'Try now', command: 'reconnectHost' },
            },
          },
          { type: 'status', uri, status: { kind: 'stale', since: Date.now() } },
        );
        const banner = view.page.getByRole('status').filter({ hasText: 'build-box' });
        await banner.waitFor();
        return banner;
      };
      const narrow = await away(300);
      assert.equal((await narrow.innerText()).includes('Connection refused. Retry in 28 s.'), true);
      await view.screenshot('away-banner-dark');
      const { height } = (await narrow.boundingBox()) ?? assert.fail('no banner');
      assert.ok(height < 3 * 20, `${height} px for two lines`);
      assert.ok((await narrow.ariaSnapshot()).includes(message), 'a screen reader has all of it');
      assert.ok(!(await narrow.ariaSnapshot()).includes('28 s'), 'and is not told each second');
      const wide = await away(900);
      await wide.getByText(message).waitFor();
      assert.ok(await wide.getByText('Connection refused').isHidden());
      await wide.getByText('Retry in 28 s.').waitFor();
    });

    it('the latest turns of a long session, and earlier ones without moving what is seen', async () => {
      const turns = Array.from({ length: 120 }, (_, index) => turn(`t${index}`, `Message ${index}`, [markdown(`Answer ${index}`)]));
      await view.show(session({ turns }));
      await view.page.locator('[data-turn=t70]').waitFor();
      assert.equal(await view.page.locator('.turn').count(), 50);
      await view.page.locator('[data-turn=t119]').waitFor();
      const atEnd = () => view.page.locator('.transcript').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      assert.ok((await atEnd()) < 24);
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
      await view.settle();
      const top = () => view.page.locator('[data-turn=t70]').evaluate((element) => element.getBoundingClientRect().top);
      const before = await top();
      await view.page.getByRole('button', { name: 'Show earlier (70)' }).click();
      await view.settle();
      assert.equal(await view.page.locator('.turn').count(), 100);
      assert.ok(Math.abs((await top()) - before) <= 2, `moved by ${(await top()) - before}`);
      await view.page.getByRole('button', { name: 'Jump to latest' }).click();
      await view.settle();
      assert.ok((await atEnd()) < 24);
    });

    it('the last turns in the first picture, and the others of the page after that, while what is seen stays', async () => {
      const turns = Array.from({ length: 120 }, (_, index) => turn(`t${index}`, `Message ${index}`, [markdown(`Answer ${index}`)]));
      await view.show(session({ turns: turns.slice(0, 1) }));
      await view.page.locator('.markdown').waitFor();
      // What each frame shows: how many turns, and where the last of them ends.
      await view.page.evaluate(() => {
        const seen: { turns: number; end: number }[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => {
          requestAnimationFrame(() =>
            // Once the frame was shown.
            setTimeout(() => {
              const last = document.querySelector('[data-turn=t119]');
              if (last) seen.push({ turns: document.querySelectorAll('.turn').length, end: last.getBoundingClientRect().bottom });
            }),
          );
        }).observe(document.body, { childList: true, subtree: true });
      });
      await view.show(session({ turns }), { shown: { hostId: 'build-box' } });
      await view.page.locator('[data-turn=t70]').waitFor();
      await view.page.getByRole('button', { name: 'Show earlier (70)' }).waitFor();
      await view.settle();
      const seen = await view.page.evaluate(() => (window as unknown as { seen: { turns: number; end: number }[] }).seen);
      assert.deepEqual([seen[0]?.turns, seen.at(-1)?.turns], [10, 50]);
      const ends = seen.map(({ end }) => end);
      assert.ok(Math.max(...ends) - Math.min(...ends) <= 2, JSON.stringify(seen));
      assert.equal(await view.page.locator('.transcript[aria-busy]').count(), 0);
    });

    it('all of that also in a browser that never says when it has nothing to do', async () => {
      await view.page.evaluate(() => Object.assign(window, { requestIdleCallback: undefined, cancelIdleCallback: undefined }));
      const long = markdown(Array.from({ length: 300 }, (_, line) => `Line ${line} of a long answer`).join('\n\n'));
      const steps = Array.from({ length: 40 }, (_, index) => markdown(`Step ${index}`));
      const turns = Array.from({ length: 30 }, (_, index) => turn(`t${index}`, `Message ${index}`, [markdown(`Answer ${index}`)]));
      await view.show(session({ turns: [...turns, turn('last', 'Last', [...steps, long])] }));
      for (const words of ['Answer 0', 'Step 0', 'Line 0 of a long answer'])
        await view.page.getByText(words, { exact: true }).waitFor({ state: 'attached' });
      await view.page.locator('.transcript[aria-busy]').waitFor({ state: 'detached' });
    });

    it('the latest steps of a long turn and what waits, and earlier ones without moving what is seen', async () => {
      const calls = Array.from({ length: 400 }, (_, at) => toolCall(at === 70 ? waitingCall('c70') : completed(`c${at}`)));
      await view.show(active([...calls, markdown('Done so far')]));
      const parts = view.page.locator('.turn-part');
      // The last ones come first, the rest while the page is idle. What waits is there at once.
      await parts.nth(51).waitFor();
      assert.equal(await parts.count(), 52);
      await view.page.locator('[data-part="c:c70"] .waiting-card').waitFor();
      const show = async (name: string) => {
        await view.page.getByRole('button', { name }).press('Enter');
        await view.settle();
      };
      const topOf = (part: string) =>
        view.page.locator(`[data-part="c:${part}"]`).evaluate((element) => element.getBoundingClientRect().top);
      await view.page.getByRole('button', { name: 'Show earlier steps (70)' }).focus();
      await view.settle();
      const before = await topOf('c70');
      await show('Show earlier steps (70)');
      assert.equal(await parts.count(), 101);
      const moved = (await topOf('c70')) - before;
      assert.ok(Math.abs(moved) <= 2, `moved by ${moved}`);
      await show('Show more steps (250)');
      assert.equal(await parts.count(), 151, 'read on from there');
      await view.page.locator('[data-part="c:c100"]').waitFor();
      await show('Show earlier steps (50)');
      assert.equal(await parts.count(), 201);
      const focused = await view.page.evaluate(() => document.activeElement?.getAttribute('data-part'));
      assert.equal(focused, 'c:c50', 'the focus goes on where the button was');
      assert.deepEqual(await violations(), []);
    });

    it('a turn that grows by its latest steps, and takes none away from a user who has scrolled up', async () => {
      const grow = async (from: number, to: number) => {
        const parts = Array.from({ length: to - from }, (_, at) => markdown(`Step ${from + at}`));
        await view.actions(...parts.map((part) => ({ type: 'session/responsePart' as const, session: uri, turnId: 't', part })));
        await view.page.getByText(`Step ${to - 1}`, { exact: true }).waitFor();
      };
      const isDrawn = async (step: number) => (await view.page.getByText(`Step ${step}`, { exact: true }).count()) === 1;
      await view.show(active([]));
      await grow(0, 100);
      assert.equal(await isDrawn(0), true);
      await grow(100, 260);
      assert.equal(await isDrawn(0), false);
      assert.equal(await isDrawn(200), true);
      const box = view.page.locator('.transcript');
      await box.evaluate((element) => (element.scrollTop = 0));
      await view.settle();
      await grow(260, 460);
      assert.equal(await isDrawn(200), true, 'the user may be reading it');
      await view.page.getByRole('button', { name: 'Jump to latest' }).click();
      await grow(460, 470);
      assert.equal(await isDrawn(200), false);
      assert.ok((await box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)) < 24);
    });

    it('a live terminal, watched while it is near and let go when it is done', async () => {
      const terminal = 'agenthost-terminal:/1';
      await view.show(
        active([
          toolCall({
            status: 'running',
            toolCallId: 'c',
            toolName: 'bash',
            displayName: 'Bash',
            confirmed: 'not-needed',
            invocationMessage: 'Running the tests',
            content: [{ type: 'terminal', resource: terminal, title: 'Bash' }],
          }),
        ]),
      );
      assert.equal((await view.next('watch')).uri, terminal);
      const confirmed = { title: 'Bash', content: [], claim: { kind: 'session' as const, session: uri } };
      await view.send({ type: 'snapshot', uri: terminal, confirmed, pending: [], status: { kind: 'live' } });
      await view.send({
        type: 'actions',
        uri: terminal,
        now: 1,
        actions: [{ type: 'terminal/data', terminal, data: 'hello \u001b[32mgreen\u001b[0m\r\n' }],
      });
      await view.page.locator('.xterm-rows').getByText('hello green').waitFor();
      const one = await view.page.locator('.terminal-clip').evaluate((clip) => clip.clientHeight);
      await view.page.locator('.xterm-helper-textarea').focus();
      await view.page.keyboard.press('Tab');
      assert.equal(await view.page.locator('.xterm-helper-textarea:focus').count(), 0, 'the terminal keeps the focus');
      await view.send({ type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer' } });
      assert.equal((await view.next('watch')).uri, terminal, 'asked for again after show');
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\r\n`).join('');
      await view.send({ type: 'actions', uri: terminal, now: 2, actions: [{ type: 'terminal/data', terminal, data: lines }] });
      await view.page.getByRole('button', { name: /Show more/ }).waitFor();
      const tall = (min: number, max: number) =>
        view.page.waitForFunction(
          ([least, most]) => {
            const height = document.querySelector('.terminal-clip')?.clientHeight ?? 0;
            return height > least && height < most;
          },
          [one * min, one * max] as const,
        );
      await tall(11, 13);
      await view.page.getByRole('button', { name: /Show more/ }).click();
      await tall(29, 31);
      await view.actions({
        type: 'session/toolCallComplete',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        result: { success: true, pastTenseMessage: 'Ran the tests' },
      });
      assert.equal((await view.next('unwatch')).uri, terminal);
      assert.equal(await view.page.locator('.xterm').count(), 0);
    });
  });

  it('watches a terminal only while it is near, and keeps its room', async () => {
    const resource = 'agenthost-terminal:/1';
    const running = toolCall({
      status: 'running',
      toolCallId: 'c',
      toolName: 'bash',
      displayName: 'Bash',
      confirmed: 'not-needed',
      invocationMessage: 'Running',
      content: [{ type: 'terminal', resource, title: 'Bash' }],
    });
    const long = Array.from({ length: 120 }, (_, index) => `Paragraph ${index}`).join('\n\n');
    await view.show(active([running, markdown(long)]));
    await view.settle();
    assert.ok(!view.posted.some((message) => message.type === 'watch'), 'watched from afar');
    const scrollTo = (place: 'top' | 'end') =>
      view.page.locator('.transcript').evaluate((box, where) => (box.scrollTop = where === 'top' ? 0 : box.scrollHeight), place);
    await scrollTo('top');
    assert.equal((await view.next('watch')).uri, resource);
    const output = Array.from({ length: 10 }, (_, index) => `line ${index}\r\n`).join('');
    await view.send({
      type: 'snapshot',
      uri: resource,
      confirmed: { title: 'Bash', content: [{ type: 'unclassified', value: output }], claim: { kind: 'session', session: uri } },
      pending: [],
      status: { kind: 'live' },
    });
    await view.page.locator('.xterm-rows').getByText('line 9').waitFor();
    const height = () => view.page.locator('.terminal-part').evaluate((part) => part.getBoundingClientRect().height);
    const before = await height();
    assert.ok(before > 100);
    await scrollTo('end');
    await view.next('unwatch');
    assert.equal(await view.page.locator('.xterm').count(), 0);
    assert.ok(Math.abs((await height()) - before) <= 1, `${await height()} px instead of ${before} px`);
  });

  it('keeps what was opened over a reload, and which session it shows', async () => {
    const state = richSession();
    await view.show(state, { root });
    await view.page.locator('.reasoning summary').click();
    await view.page.locator('.tool-call summary').first().click();
    await view.page.locator('.tool-call summary').first().click();
    await view.page.reload();
    await view.next('ready');
    assert.deepEqual(await view.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{}').shown), {
      hostId: 'embedded',
      uri,
    });
    await view.show(state, { root });
    assert.equal(await view.page.locator('details.reasoning[open]').count(), 1);
    assert.equal(await view.page.locator('.tool-call details[open]').count(), 0);
  });

  it('stays smooth for typing while 2,000 deltas a second come', async () => {
    await view.show(active([{ kind: 'markdown', id: 'p', content: '' }]));
    await composer().focus();
    // Runs while the test types: 10,000 deltas over five seconds, in messages like those of the extension.
    const stream = view.page.evaluate(streamScript(uri)) as Promise<{ frames: number }>;
    const typed = 'the quick brown fox jumps over the lazy dog';
    await composer().pressSequentially(typed, { delay: 40 });
    assert.equal(await composer().inputValue(), typed);
    const { frames } = await stream;
    assert.ok(frames > 25, `only ${frames} frames in five seconds`);
    await view.settle();
    assert.ok((await text()).includes('word9998'));
    assert.ok(
      await view.page.locator('.transcript').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 24),
      'it follows the end',
    );
  });

  it('does not move under the eyes of a user who has scrolled up', async () => {
    const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}`).join('\n\n');
    await view.show(active([{ kind: 'markdown', id: 'p', content: long }]));
    await view.page.locator('.transcript').hover();
    await view.page.mouse.wheel(0, -300);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const position = () => view.page.locator('.transcript').evaluate((box) => box.scrollTop);
    const before = await position();
    await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: '\n\nmore\n\nand more' });
    assert.equal(await position(), before);
    await view.send({ type: 'command', command: 'jumpToLatest' });
    await view.settle();
    assert.ok((await position()) > before);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
  });

  it('covers nothing of a card that waits', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `echo ${index}`).join('\n');
    await view.show(active([toolCall(waitingCall('c', { toolInput: long }))]));
    await view.page.getByRole('button', { name: /^Show all/ }).click();
    await view.page.locator('.transcript').evaluate((box) => (box.scrollTop -= 300));
    await view.page.locator('.jump').waitFor({ state: 'attached' });
    assert.ok(await view.page.locator('.jump').isHidden());
  });

  it('offers to jump to the latest only while something is below', async () => {
    const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}`).join('\n\n');
    await view.show(active([{ kind: 'markdown', id: 'p', content: long }]));
    const jump = view.page.getByRole('button', { name: 'Jump to latest' });
    await view.page.locator('.transcript').evaluate((box) => (box.scrollTop -= 100));
    await jump.waitFor();
    const { width, height } = view.page.viewportSize()!;
    const grow = async (by: number) => {
      await view.page.setViewportSize({ width, height: height + by });
      await view.settle();
    };
    await grow(40);
    await jump.waitFor();
    // The end comes into view without any scrolling.
    await grow(95);
    await jump.waitFor({ state: 'hidden' });
    await grow(0);
    await jump.waitFor();
  });
});

/** Posts 10,000 deltas over five seconds and counts the frames. A string, because tsx would add helpers to a function. */
function streamScript(uri: string): string {
  return `new Promise((resolve) => {
    const uri = ${JSON.stringify(uri)};
    const total = 10000;
    const started = performance.now();
    let sent = 0;
    let frames = 0;
    const frame = () => {
      frames++;
      if (sent < total) requestAnimationFrame(frame);
      else resolve({ frames });
    };
    const tick = () => {
      const due = Math.min(total, Math.floor((performance.now() - started) * 2));
      for (; sent < due; sent++) {
        const content = sent % 40 === 0 ? '\\n\\n' : sent % 9 === 0 ? ' **bold**' : ' word' + sent;
        const action = { type: 'session/delta', session: uri, turnId: 't', partId: 'p', content };
        window.postMessage([{ type: 'actions', uri, actions: [action], now: 1 }], '*');
      }
      if (sent < total) setTimeout(tick, 5);
    };
    requestAnimationFrame(frame);
    tick();
  })`;
}
