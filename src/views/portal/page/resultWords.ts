/** What a run has brought about, in numbers and words. */
import * as l10n from '../../../base/l10n.ts';
import type { ResultOfStep } from '../answers/resultAnswers.ts';

export interface ChangedLines {
  /** Such as `3 files changed`. */
  text: string;
  added: number;
  removed: number;
}

/** Undefined: no file has changed. A file that several steps have changed counts once, and its lines with each of them. */
export function changedLines(steps: readonly ResultOfStep[]): ChangedLines | undefined {
  const files = steps.flatMap(({ host, changes }) => changes.flatMap((of) => of.files.map((file) => ({ host, ...file }))));
  const more = steps.flatMap(({ changes }) => changes).reduce((sum, of) => sum + (of.more ?? 0), 0);
  const count = new Set(files.map(({ host, localPath, id }) => JSON.stringify([host, localPath ?? id]))).size + more;
  if (count === 0) return undefined;
  const sum = (of: 'added' | 'removed') => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const number = l10n.countText(count);
  const text =
    more > 0
      ? l10n.plural(count, l10n.t`At least ${number} file changed`, l10n.t`At least ${number} files changed`)
      : l10n.plural(count, l10n.t`${number} file changed`, l10n.t`${number} files changed`);
  return { text, added: sum('added'), removed: sum('removed') };
}

/** The address with which a browser opens a file in VS Code. `path`: absolute. */
export function vsCodeLink(path: string): string {
  // Only a path of Windows has backslashes between its folders.
  const isWindows = /^(?:[a-z]:)?\\/i.test(path);
  const parts = path.split(isWindows ? '\\' : '/').map(encodeURIComponent);
  return `vscode://file${/^[a-z]:/i.test(path) ? '/' : ''}${parts.join('/')}`;
}
