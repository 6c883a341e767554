/** Sets the language of this process. It is imported before all that has texts, because tables of them are made while they are loaded. */
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setLanguage } from '../base/l10n.ts';
import { knownLanguage } from '../base/node/languageBundle.ts';

const { values } = parseArgs({ options: { language: { type: 'string' } }, strict: false });
// Beside the folder of `dist/host.cjs`.
const language = knownLanguage(join(dirname(resolve(process.argv[1] ?? '.')), '..', 'l10n'), values.language);
if (language) setLanguage(language);
