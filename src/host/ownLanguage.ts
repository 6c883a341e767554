/** Sets the language of this process. It is imported before all that has texts, because tables of them are made while they are loaded. */
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setLanguage } from '../base/l10n.ts';
import { knownLanguage } from '../base/node/languageBundle.ts';

const { values } = parseArgs({ options: { language: { type: 'string' } }, strict: false });
/** Why it is English, for a log. Absent where that was asked for. */
export let trouble: string | undefined;
// Beside the folder of `dist/host.cjs`.
const language = knownLanguage(join(dirname(resolve(process.argv[1] ?? '.')), '..', 'l10n'), values.language, (why) => (trouble = why));
if (language) setLanguage(language);
/** Undefined: English. */
export const spoken = language?.language;
