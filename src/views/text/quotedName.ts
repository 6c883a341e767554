/** A stranger's name in a sentence, in the quotes of the language. It cannot end them. */
import * as l10n from '@vscode/l10n';
import { named } from '../../base/text/quoted.ts';

export function quotedName(name: string): string {
  return l10n.t`“${named(name).slice(1, -1)}”`;
}
