/** The rows of the Changes view: the changesets of the session that is shown, and their files. */
import * as l10n from '../../base/l10n.ts';
import type { ChangesetFile, ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import { DISCARD, KEEP } from '../../ahp/changesetOperations.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import { type FileEditView, fileEditView } from '../session/toolCall/fileEditView.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import type { TreeIcon, TreeRow } from '../tree/treeRow.ts';
import type { ListedChangeset } from './listedChangesets.ts';

export interface ChangesetInput {
  readonly listed: ListedChangeset;
  /** Undefined until it is known, or when nobody has asked for it. */
  readonly state: ChangesetState | undefined;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** The host takes reviews now. */
  readonly canReview: boolean;
}

export interface ChangesNode extends TreeRow<'openChange'> {
  readonly kind: 'changeset' | 'file' | 'note';
  readonly changeset: URI;
  /** For questions: files of different folders may have the same name. */
  readonly fullName: string;
  readonly icon: TreeIcon;
  /** `changeset`, `changedFile` or `note`, with `operations` where there are any, `discard` and `keep` where they are among them, and `others` where others are. */
  readonly context: string;
  /** The tick: it is reviewed. `files`: their ids. */
  readonly checkbox?: { readonly isOn: boolean; readonly files: readonly string[]; readonly says: string };
  readonly edit?: FileEdit;
  /** Of a changeset, which has them only when it is open. */
  readonly children?: readonly ChangesNode[];
}

export type OperationScope = 'changeset' | 'resource' | 'range';

/** In characters. */
const MAX_PATH = 1_000;

const ICONS: Record<FileEditView['change'], TreeIcon> = {
  created: { id: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  changed: { id: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  deleted: { id: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' },
  moved: { id: 'diff-renamed', color: 'gitDecoration.renamedResourceForeground' },
};

export function changesTree(inputs: readonly ChangesetInput[], folder: URI | undefined): ChangesNode[] {
  return inputs.map((input) => changesetNode(input, folder));
}

/** The row is a file, or has an operation: what a command is for. */
export function isFor(what: 'file' | 'operations' | 'discard' | 'keep', { kind, context }: ChangesNode): boolean {
  return what === 'file' ? kind === 'file' : context.split(' ').includes(what);
}

/** Those that can be invoked for all of it, for a file, or for a part of one. */
export function operationsOf(state: ChangesetState | undefined, scope: OperationScope): ChangesetOperation[] {
  return (state?.operations ?? []).filter(({ scopes, status }) => scopes.includes(scope) && status !== 'disabled');
}

/** The side of an edit that an operation is for, and the file. */
export function targetOf({ before, after }: FileEdit): { kind: 'resource'; resource: URI; side: 'before' | 'after' } | undefined {
  if (after) return { kind: 'resource', resource: after.uri, side: 'after' };
  return before && { kind: 'resource', resource: before.uri, side: 'before' };
}

function changesetNode({ listed, state, problem, canReview }: ChangesetInput, folder: URI | undefined): ChangesNode {
  const { uri, label } = listed;
  const files = state?.files ?? [];
  const reviewed = files.filter((file) => file.reviewed);
  const failed = (state?.operations ?? []).filter(({ status }) => status === 'error');
  const running = (state?.operations ?? []).filter(({ status }) => status === 'running');
  const facts = [
    ...(files.length > 0
      ? [
          l10n.plural(files.length, l10n.t`${l10n.countText(files.length)} file`, l10n.t`${l10n.countText(files.length)} files`),
          ...lines(files),
        ]
      : []),
    ...(state?.status === 'computing' || state?.status === 'recomputing' ? [l10n.t('being computed')] : []),
    ...(canReview && files.length > 0 ? [l10n.t`${reviewed.length} of ${files.length} reviewed`] : []),
    ...running.map((one) => l10n.t({ message: '{0} runs', args: [oneLine(one.label)], comment: 'an operation' })),
    ...failed.map((one) => l10n.t({ message: '{0} failed', args: [oneLine(one.label)], comment: 'an operation' })),
  ];
  const problems = [problem, ...failed.map(({ error }) => error && oneLine(error.message))].filter(Boolean);
  const description = facts.join(' · ');
  const notes = noteOf(uri, state, problem);
  return {
    id: uri,
    kind: 'changeset',
    changeset: uri,
    label,
    fullName: label,
    ...(description !== '' && { description }),
    tooltip: [label, listed.description, description, ...problems].filter(Boolean).join('\n'),
    icon: { id: problem || failed.length > 0 ? 'warning' : running.length > 0 ? 'loading~spin' : 'git-compare' },
    context: contextOf('changeset', operationsOf(state, 'changeset')),
    spoken: [label, description].filter(Boolean).join(', '),
    ...(canReview &&
      files.length > 0 && {
        checkbox: {
          isOn: reviewed.length === files.length,
          files: files.map(({ id }) => id),
          says: reviewed.length === files.length ? l10n.t('All files are reviewed') : l10n.t('Mark all files as reviewed'),
        },
      }),
    children: notes ?? files.map((file) => fileNode(uri, file, state, canReview, folder)),
  };
}

function contextOf(kind: string, operations: readonly ChangesetOperation[]): string {
  const ids = new Set(operations.map(({ id }) => id));
  const own = [DISCARD, KEEP].filter((id) => ids.has(id));
  return [kind, ...(ids.size > 0 ? ['operations'] : []), ...own, ...(ids.size > own.length ? ['others'] : [])].join(' ');
}

/** In place of files. */
function noteOf(uri: URI, state: ChangesetState | undefined, problem: string | undefined): ChangesNode[] | undefined {
  const note = (label: string, icon: string): ChangesNode[] => [
    { id: `${uri}\nnote`, kind: 'note', changeset: uri, label, fullName: label, icon: { id: icon }, context: 'note', spoken: label },
  ];
  if (problem !== undefined) return note(problem, 'warning');
  if (!state) return note(l10n.t('Loading…'), 'loading~spin');
  if (state.status === 'error')
    return note(oneLine(state.error?.message) || l10n.t('The host could not find out what has changed.'), 'warning');
  if (state.files.length > 0) return undefined;
  return state.status === 'computing' || state.status === 'recomputing'
    ? note(l10n.t('Being computed…'), 'loading~spin')
    : note(l10n.t('No changes.'), 'info');
}

function fileNode(
  uri: URI,
  file: ChangesetFile,
  state: ChangesetState | undefined,
  canReview: boolean,
  folder: URI | undefined,
): ChangesNode {
  const { id, edit, reviewed = false } = file;
  const view = fileEditView(edit, folder);
  const name = oneLine(view.name) || l10n.t('A file without a name');
  const counts = [...(view.added ? [`+${view.added}`] : []), ...(view.removed ? [`−${view.removed}`] : [])].join(' ');
  const target = targetOf(edit);
  const place = oneLine(view.folder);
  const from = view.from === undefined ? '' : l10n.t`from ${oneLine(view.from)}`;
  const description = [place, from, counts].filter(Boolean).join(' · ');
  const spokenCounts = [
    ...(view.added
      ? [l10n.plural(view.added, l10n.t`${l10n.countText(view.added)} line added`, l10n.t`${l10n.countText(view.added)} lines added`)]
      : []),
    ...(view.removed
      ? [
          l10n.plural(
            view.removed,
            l10n.t`${l10n.countText(view.removed)} line removed`,
            l10n.t`${l10n.countText(view.removed)} lines removed`,
          ),
        ]
      : []),
  ];
  return {
    id: `${uri}\n${id}`,
    kind: 'file',
    changeset: uri,
    label: name,
    fullName: target ? oneLine(displayPath(target.resource, folder), MAX_PATH) : name,
    ...(description !== '' && { description }),
    tooltip: [name, view.change, description].filter(Boolean).join('\n'),
    icon: ICONS[view.change],
    context: contextOf('changedFile', target ? operationsOf(state, 'resource') : []),
    spoken: [name, view.change, place, from, ...spokenCounts].filter(Boolean).join(', '),
    ...(canReview && { checkbox: { isOn: reviewed, files: [id], says: reviewed ? l10n.t('Reviewed') : l10n.t('Mark as reviewed') } }),
    edit,
    action: 'openChange',
  };
}

function lines(files: readonly ChangesetFile[]): string[] {
  const sum = (side: 'added' | 'removed') => files.reduce((total, { edit }) => total + (edit.diff?.[side] ?? 0), 0);
  const [added, removed] = [sum('added'), sum('removed')];
  return added + removed === 0 ? [] : [`+${added} −${removed}`];
}
