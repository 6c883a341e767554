/** The one question before sessions are deleted. */
import * as l10n from '../../base/l10n.ts';

/** Above it the others are counted. */
const MAX_NAMED = 10;

/** `titles`: of all the sessions that will be deleted, at least one. */
export function deleteQuestion(titles: readonly string[]): { question: string; detail: string } {
  const [first = ''] = titles;
  if (titles.length === 1) {
    return {
      question: l10n.t`Delete the session “${first}”?`,
      detail: l10n.t(
        'The agent host is asked to remove its history and to stop a turn in progress. Files in the working directory stay as they are, but the host may remove a worktree that it made for the session.',
      ),
    };
  }
  const named = titles.slice(0, MAX_NAMED).map((title) => `“${title}”`);
  const others = titles.length - named.length;
  return {
    question: l10n.t`Delete ${l10n.countText(titles.length)} sessions?`,
    detail:
      [
        ...named,
        ...(others > 0
          ? [l10n.plural(others, l10n.t`and ${l10n.countText(others)} other`, l10n.t`and ${l10n.countText(others)} others`)]
          : []),
      ].join('\n') +
      '\n\n' +
      l10n.t(
        'The agent hosts are asked to remove their histories and to stop turns in progress. Files in the working directories stay as they are, but a host may remove a worktree that it made for a session.',
      ),
  };
}
