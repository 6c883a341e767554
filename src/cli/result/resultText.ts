/** Lines about what a run has brought about, for a terminal. */
import type { ChangedFile, CommitPlan, FileTexts, RunResult } from '../../views/portal/answers/resultAnswers.ts';
import type { PullRequestPlan } from '../../views/portal/answers/pullRequestAnswers.ts';
import { changedLines } from '../../views/portal/page/resultWords.ts';
import {
  COMMITS_UNKNOWN,
  COMMITTED_SO,
  FOLDER_HOOKS,
  folderStays,
  LEFT_OUT,
  PAGE_AFTER,
  PUSHED_SO,
  withoutGh,
} from '../../views/portal/result/resultSentences.ts';
import { type DiffSection, editDiff } from '../../views/session/toolCall/editDiff.ts';
import { counted } from '../../views/text/counted.ts';
import { visiblePlain } from '../../views/text/visibleText.ts';
import { onOneLine } from '../visible.ts';

/** `diffOf`: what follows the line of a file. */
export function resultLines({ steps }: RunResult, diffOf?: (sessionId: string, file: ChangedFile) => readonly string[]): string[] {
  const changed = changedLines(steps);
  return [
    ...steps.flatMap(({ taskName, host, redone, changes, documents, problems }) => [
      onOneLine(`${taskName}${host === undefined ? '' : `, at ${host}`}${redone ? ', ran again since' : ''}`),
      ...changes.flatMap(({ sessionId, files, more }) => [
        ...files.flatMap((file) => [onOneLine(`  ${fileText(file)}`), ...(diffOf?.(sessionId, file) ?? [])]),
        ...(more === undefined ? [] : [`  ${counted(more, 'more file')} not listed`]),
      ]),
      ...documents.map((path) => onOneLine(`  document  ${path}`)),
      ...problems.map((problem) => onOneLine(`  ${problem}`)),
    ]),
    changed ? `${changed.text}, ${linesText(changed)}` : 'No file has changed.',
  ];
}

function fileText({ change, path, from, added, removed }: ChangedFile): string {
  const lines = added === undefined && removed === undefined ? '' : `  ${linesText({ added, removed })}`;
  return `${change.padEnd(8)}  ${path}${from === undefined ? '' : ` from ${from}`}${lines}`;
}

function linesText({ added = 0, removed = 0 }: { added?: number | undefined; removed?: number | undefined }): string {
  return `+${added} −${removed}`;
}

/** Each line begins with a character of ours. */
export function diffLines({ before, after }: FileTexts): string[] {
  const diff = editDiff(before, after);
  if (!diff) return ['    The change is too large to be shown here.'];
  const hunks = diff.sections.filter(({ isHunk }) => isHunk);
  return hunks.flatMap((section) => [
    hunkHead(section),
    ...section.lines.flatMap(({ kind, parts, unended }) => [
      `${signs[kind]}${visiblePlain(parts.map(({ text }) => text).join(''))}`,
      ...(unended && kind !== 'same' ? [String.raw`\ No newline at end of file`] : []),
    ]),
  ]);
}

const signs = { same: ' ', added: '+', removed: '-' } as const;

function hunkHead({ beforeLine, afterLine, lines }: DiffSection): string {
  const side = (line: number, other: 'added' | 'removed') => {
    const length = lines.filter(({ kind }) => kind !== other).length;
    return `${length === 0 ? line - 1 : line},${length}`;
  };
  return `@@ -${side(beforeLine, 'added')} +${side(afterLine, 'removed')} @@`;
}

export function commitLines(plan: CommitPlan, { branch, message }: { branch: string; message: string }): string[] {
  const { folder, head, worktree, files, leftOut } = plan;
  const where =
    worktree === undefined
      ? `on the new branch ${branch}, after ${head}. ${folderStays(plan)}`
      : `on ${branch}, the branch of this work tree, after ${head}.`;
  return [
    `Commits ${counted(files.length, 'file')} of ${folder}`,
    where,
    COMMITTED_SO,
    ...files.map(({ path, change }) => `  ${change.padEnd(8)}  ${path}`),
    ...(leftOut.length === 0 ? [] : [LEFT_OUT, ...leftOut.map((path) => `  ${path}`)]),
    `Message: ${message}`,
  ].map(onOneLine);
}

/** `open`: what gh would open. Absent: the branch is only pushed. */
export function pushLines(plan: PullRequestPlan, open: { base: string; title: string; body: string } | undefined): string[] {
  const { commit, branch, address, isFolder, commits, hasMore, repository = '', gh } = plan;
  return [
    `Pushes ${commit} to the branch ${branch} of ${address}, ${PUSHED_SO}`,
    ...(isFolder ? [FOLDER_HOOKS] : []),
    ...(commits ? commits.map((one) => `  ${one}`) : [COMMITS_UNKNOWN]),
    ...(hasMore ? ['  and more'] : []),
    ...(open
      ? [`Opens a pull request in ${repository} with gh, into ${open.base}: ${open.title}`]
      : [`Opens no pull request${gh === 'ready' ? '.' : `: ${withoutGh[gh]}`} ${PAGE_AFTER}`]),
  ]
    .map(onOneLine)
    .concat(open ? open.body.split('\n').map((line) => `  │ ${visiblePlain(line)}`) : []);
}
