// npm run texts: writes the texts of the sources into l10n/bundle.l10n.json, and drops translations of texts that are gone. It fails while a translation
// is missing, and names the texts. `-- --only FOLDER`, such as src/views, names those of one folder and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sourceTexts } from './sourceTexts.mjs';
import { root } from './workbenchTools.mjs';

const LANGUAGES = ['de', 'zh-cn'];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const texts = sourceTexts(root, values.only ? [values.only.replace(/^src\//, '')] : undefined);
const pathOf = (language) => join(root, `l10n/bundle.l10n${language}.json`);
const write = (language, bundle) => writeFileSync(pathOf(language), `${JSON.stringify(bundle, undefined, 2)}\n`);

if (!values.only) write('', texts);
for (const language of LANGUAGES) {
  const known = JSON.parse(readFileSync(pathOf(`.${language}`), 'utf8'));
  const kept = Object.fromEntries(Object.keys(texts).flatMap((key) => (key in known ? [[key, known[key]]] : [])));
  if (!values.only) write(`.${language}`, kept);
  const missing = Object.keys(texts).filter((key) => !(key in kept));
  if (missing.length === 0) continue;
  console.error(
    `${language}: ${missing.length} texts have no translation:\n${missing.map((key) => `  ${JSON.stringify(key)}`).join('\n')}`,
  );
  process.exitCode = 1;
}
