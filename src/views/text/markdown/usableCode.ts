/** What of a block of code an agent wrote may go into a document or a terminal: only what its reader could see. */
import * as l10n from '../../../base/l10n.ts';
import { visibleText } from '../visibleText.ts';

/** In characters. */
export const MAX_USED = 1_000_000;
const SHELLS = new Set(['bash', 'sh', 'zsh', 'shell', 'fish', 'console', 'powershell', 'pwsh', 'ps1', 'bat', 'cmd']);

/** By the language that a block names. */
export function isShell(language: string): boolean {
  return SHELLS.has(language.toLowerCase());
}

/** Why it cannot be inserted, for the user. Undefined: it can. */
export function insertProblem(code: string): string | undefined {
  if (code.length > MAX_USED) return l10n.t('The code is too long.');
  const hidden = visibleText(code).find(({ text, unseen }) => unseen && !text.startsWith('U+0020'));
  return hidden && l10n.t`The code holds a character that cannot be seen (${hidden.text}).`;
}

/** `type`: it may be typed into a terminal, without Enter. `copy`: a terminal would run its first lines, so only the user may paste it. */
export function terminalUse(code: string): { kind: 'type' | 'copy'; text: string } | { kind: 'refuse'; why: string } {
  const text = code.replace(/\n$/, '');
  const why =
    insertProblem(text) ?? (text.includes('\t') ? l10n.t('The code holds a tab, which a terminal would take as a key.') : undefined);
  if (why !== undefined) return { kind: 'refuse', why };
  return { kind: text.includes('\n') ? 'copy' : 'type', text };
}
