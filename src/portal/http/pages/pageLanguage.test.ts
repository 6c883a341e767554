import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Hono } from 'hono';
import { languageOf, languageScript, readLanguages } from './pageLanguage.ts';

describe('the language of the portal’s pages', () => {
  const app = new Hono().get('/', (c) => c.text(languageOf(c)));
  const chosen = async (header: string) => (await app.request('/', { headers: { 'Accept-Language': header } })).text();

  it('is the first of the browser that there is', async () => {
    assert.equal(await chosen('de-AT,de;q=0.9,en;q=0.8'), 'de');
    assert.equal(await chosen('fr,en;q=0.5,de;q=0.9'), 'de');
    assert.equal(await chosen('en-GB,de;q=0.9'), 'en');
    assert.equal(await chosen('de;q=0,fr'), 'en');
    assert.equal(await chosen('fr, *'), 'en');
    assert.equal(await chosen('"-?/,;;q=x'), 'en');
    assert.equal(await (await app.request('/')).text(), 'en');
  });

  it('is Simplified Chinese only for who reads it', async () => {
    assert.equal(await chosen('zh-CN,zh;q=0.9'), 'zh-cn');
    assert.equal(await chosen('zh'), 'zh-cn');
    assert.equal(await chosen('zh-Hans-SG'), 'zh-cn');
    assert.equal(await chosen('zh-TW,en;q=0.5'), 'en');
  });

  it('is told by a script, with the texts', () => {
    const languages = readLanguages(join(import.meta.dirname, '../../../../l10n'));
    const page = { document: { documentElement: { lang: 'en' } } } as { document: object; taplineLanguage?: { texts: object } };
    runInNewContext(languageScript(languages.de), page);
    assert.deepEqual(page.document, { documentElement: { lang: 'de' } });
    assert.ok(Object.keys(page.taplineLanguage?.texts ?? {}).length > 1_000);
    runInNewContext(languageScript(languages.en), page);
    assert.equal(page.taplineLanguage?.texts, undefined);
  });
});
