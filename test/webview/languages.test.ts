/** The session page in other languages. The texts themselves are checked in test/conformance/languages.test.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DisplayLanguage } from '../../src/base/l10n.ts';
import { BEGIN, END, pseudoLanguage } from '../support/pseudoTexts.ts';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { active, richSession, root, toolCall, waitingCall } from './sessions.ts';

const bundle = (language: string): DisplayLanguage => ({
  language,
  texts: JSON.parse(readFileSync(join(import.meta.dirname, `../../l10n/bundle.l10n.${language}.json`), 'utf8')) as Record<string, string>,
});
const waiting = () =>
  active([toolCall(waitingCall('c', { editable: true }))], { queuedMessages: [{ id: 'q', userMessage: { text: 'Next' } }] });

/** The session and its files are what they are in every language. */
const named = new Set(['Fix the login redirect', 'auth.ts', 'afterLogin.test.ts']);

describe('The session page in another language', function () {
  this.timeout(60_000);
  useSessionPage();

  for (const [language, approve, deny] of [
    ['de', 'Genehmigen', 'Ablehnen'],
    ['zh-cn', '批准', '拒绝'],
  ] as const)
    it(`is whole in ${language}, with the same keys and the same answers`, async () => {
      for (const width of [300, 640]) {
        await view.close();
        await open({ width, language: bundle(language) });
        await view.show(waiting(), { root });
        const { page } = view;
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        await page.getByRole('button', { name: deny, exact: true }).waitFor();
        await view.screenshot(`waiting-${language}-${width}`);
        assert.deepEqual(await violations(), []);
        assert.deepEqual(await view.page.evaluate(cutTexts), []);
      }
      await view.page.getByRole('button', { name: approve, exact: true }).click();
      assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, true);
    });

  for (const [name, state] of Object.entries({ waiting: waiting(), rich: richSession() }))
    it(`has nothing in English and nothing cut where texts are longer: ${name}`, async () => {
      for (const width of [320, 900]) {
        await view.close();
        await open({ width, language: pseudoLanguage() });
        await view.show(state, { root });
        await view.settle();
        await view.screenshot(`pseudo-${name}-${width}`);
        assert.deepEqual(await view.page.evaluate(cutTexts), []);
        const names = (await view.page.evaluate(ownNames)) as string[];
        assert.ok(names.length > 4, names.join());
        const plain = names.filter((text) => !text.includes(BEGIN) || !text.includes(END));
        assert.deepEqual(
          plain.filter((text) => !named.has(text)),
          [],
        );
      }
    });
});

// Strings, because tsx would add helpers to functions that the page does not have.
/** Buttons and labels whose text is wider than they are, and whatever makes the page scroll sideways. */
const cutTexts = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
  ...Array.from(document.querySelectorAll('button, vscode-button, label, h1, h2, h3'))
    .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.outerHTML.slice(0, 200)),
]`;
/** The accessible names that the page gives by itself. */
const ownNames = `Array.from(document.querySelectorAll('button, vscode-button, [role=region], [role=group], [role=toolbar]'))
  .map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim())
  .filter((text) => /[A-Za-z]{3}/.test(text))`;
