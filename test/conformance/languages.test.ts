/** The texts of the sources in other languages. Those of the manifest are tested beside its tables. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { sourceTexts } from '../../scripts/sourceTexts.mjs';
import { connectNodeTransport } from '../../src/ahp/client/nodeTransport.ts';
import { probeHost } from '../../src/ahp/client/probe.ts';
import { type DisplayLanguage, setLanguage } from '../../src/base/l10n.ts';
import { languages } from '../../src/extension/manifest/manifestParts.ts';
import { resultError } from '../../src/portal/result/runResult.ts';
import { listedJob } from '../../src/views/portal/answers/jobAnswers.ts';
import { offeredFolders } from '../../src/views/portal/page/worktreeWords.ts';
import { writesAtOnce } from '../../src/portal/entry/folders/writesAtOnce.ts';
import { errorText } from '../../src/views/portal/errorText.ts';
import { english, phrase, said } from '../../src/base/text/phrase.ts';
import { entryMarks } from '../../src/extension/portal/entryMarks.ts';
import { validateEntry } from '../../src/portal/entry/validateEntry.ts';
import { budgetReason } from '../../src/portal/limits/taskLimits.ts';
import { limitsOf } from '../../src/portal/trial/trialWords.ts';
import { runReasonText } from '../../src/views/portal/records/runReasonText.ts';
import { hostProblem } from '../../src/views/hosts/hostProblem.ts';

type Bundle = Record<string, string | { message: string; comment: string[] }>;
const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Bundle;
const messageOf = (text: Bundle[string] = '') => (typeof text === 'string' ? text : text.message);
/** What stands for something else, and what is no language. */
const fixedParts = (text: string) => (text.match(/\{\d+\}|\btapline\.[\w.]+|`[^`]+`|https?:\/\/|command:[\w.]+/g) ?? []).sort();

describe('the texts of pages and messages', () => {
  const english = sourceTexts(root) as Bundle;

  it('are those of the sources', () => assert.deepEqual(read('l10n/bundle.l10n.json'), english, 'Run “npm run texts”.'));

  it('are whole: none begins or ends within a sentence', () => {
    const parts = Object.keys(english).filter((key) => /^[\s,;)]|[\s(]$/.test(key));
    assert.deepEqual(parts, []);
  });

  for (const language of languages)
    describe(`in ${language}`, () => {
      const texts = read(`l10n/bundle.l10n.${language}.json`);

      it('are all there, and no others', () => assert.deepEqual(Object.keys(texts), Object.keys(english), 'Run “npm run texts”.'));

      it('have the parts of the English ones', () => {
        for (const [key, text] of Object.entries(english)) {
          const parts = new Set(fixedParts(messageOf(text)));
          assert.deepEqual(new Set(fixedParts(messageOf(texts[key]))), parts, key);
        }
      });

      it('are no longer English', () => {
        const same = Object.entries(english).filter(([key, text]) => messageOf(texts[key]) === messageOf(text));
        const words = (text: string) => text.match(/\p{L}{2,}/gu)?.length ?? 0;
        assert.deepEqual(
          same.map(([key]) => key).filter((key) => words(key) > 2),
          [],
        );
      });
    });
});

it('names the keys of a German keyboard in German', () => {
  const german = Object.values({ ...read('l10n/bundle.l10n.de.json'), ...read('package.nls.de.json') }).map(messageOf);
  assert.deepEqual(
    german.filter((text) => /\b(Ctrl|Shift|Backspace)\+|\+(Enter|Backspace|Shift)\b/.test(text)),
    [],
  );
});

describe('in a German window', () => {
  before(() => setLanguage({ language: 'de', texts: read('l10n/bundle.l10n.de.json') as DisplayLanguage['texts'] & object }));
  after(() => setLanguage({ language: 'en' }));

  it('says why a host is not reached, and tells programs in English', async () => {
    const path = join(tmpdir(), 'no-host-is-here.sock');
    const result = await probeHost(
      { url: `ws+unix:${path}`, name: 'box', transport: connectNodeTransport() },
      new AbortController().signal,
    );
    assert.ok(result.kind === 'failed');
    const { brief, message } = hostProblem(result.failure, 'configured');
    assert.equal(brief, 'Socket nicht vorhanden');
    assert.match(message, /^box \(.*\) ist nicht erreichbar: es gibt diesen Socket nicht\. Starten Sie dort den Agent-Host/);
    assert.equal(result.failure.brief, 'no such socket');
    assert.match(result.failure.message, /cannot be reached: there is no such socket\./);
  });

  it('says what the portal says before a start, of however many tasks', () => {
    const names = Array.from({ length: 12 }, (_, at) => `task${at}`);
    const work = { kind: 'Par', works: names.map((taskId) => ({ kind: 'Ref', taskId })) } as const;
    const tasks = Object.fromEntries(names.map((name) => [name, { approve: ['edits' as const] }]));
    const words = writesAtOnce({ work } as unknown as Parameters<typeof writesAtOnce>[0], tasks);
    const listed = listedJob.parse(
      JSON.parse(JSON.stringify({ requireUserInput: false, revision: 'r', warnings: words.map(english), words })),
    );
    assert.match(
      offeredFolders(listed).join(),
      /^Diese Aufgaben ändern gleichzeitig Dateien in einem Ordner, ohne zu fragen: task0, task1, .*, task11\. "worktree": "step" gibt jeder/,
    );
    // What is no text in all languages is said in English.
    assert.deepEqual(offeredFolders(listedJob.parse({ ...listed, warnings: ['a'], words: [{ text: 1 }] })), ['a']);
  });

  it('marks what is wrong in a job file, and names its members as they are', () => {
    const entry = {
      models: { driving: 'fast' },
      promptVariables: {},
      tasks: {},
      jobs: {},
      limits: { perModel: { gone: 1 } },
      grid: [{ keyword: 'a', jobs: [{ name: 'b', jobName: 'c' }] }],
    };
    assert.deepEqual(
      entryMarks(JSON.stringify(entry), true).map(({ message }) => message),
      ['ist keine ID eines Modells, das die Job-Datei nennt', 'es gibt keinen Job "c"'],
    );
    assert.throws(() => validateEntry(entry), /^UserError: entry\.limits\.perModel\.gone: is no id of a model that the entry names$/);
  });

  it('says what the portal has written for programs', () => {
    const used = { modelCalls: 0, toolCalls: 0, inputTokens: 1_000_000, outputTokens: 500, ms: 0 };
    assert.equal(
      runReasonText(budgetReason({ tokens: 1_000_000 }, used) ?? ''),
      'sein Budget von 1.000.000 Token ist aufgebraucht, nach 1.000.500; wird er fortgesetzt, hat er noch einmal so viel',
    );
    assert.equal(
      runReasonText(budgetReason({ minutes: 1 }, { ...used, ms: 61_000 }) ?? ''),
      'sein Budget von 1 Minute ist aufgebraucht, nach 1; wird er fortgesetzt, hat er noch einmal so viel',
    );
    const refused = JSON.parse(JSON.stringify(resultError('CommitRefused', phrase`The run has not ended yet.`))) as Record<string, unknown>;
    assert.equal(errorText(refused), 'Der Lauf ist noch nicht beendet.');
    const limits = limitsOf({ limits: { minutes: 1 } } as Parameters<typeof limitsOf>[0]);
    assert.equal(
      said(limits),
      'ein Durchgang höchstens 500 Tool-Aufrufe, 500 Modellaufrufe, 1 Minute, 50.000.000 Token; gilt nach 15 Minuten ohne Ereignis als stockend',
    );
    assert.match(english(limits), /^a round at most 500 tool calls, 500 model calls, 1 minute, 50,000,000 tokens;/);
  });
});
