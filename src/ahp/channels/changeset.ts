/** Changeset channels: files that were changed, and what can be done with them. The URI is expanded from `Changeset.uriTemplate`. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { change, createReducer, isAbsent, listIn, listOf, placesWhere, putAt, setField } from '../common/reducers/reducer.ts';
import { action, type ActionsOf, type AnyOf, id, listOf as listSchema } from '../common/schemas.ts';
import type { ErrorInfo, FileEdit } from '../common/shapes.ts';
import type { Meta, StringOrMarkdown, UnknownTag } from './shapes/basic.ts';

export interface ChangesetFile {
  id: string;
  edit: FileEdit;
  reviewed?: boolean;
  _meta?: Meta;
}
export type ChangesetOperationStatus = 'idle' | 'running' | 'error' | 'disabled' | UnknownTag;
export interface ChangesetOperation {
  id: string;
  label: string;
  description?: string;
  /** What it can be invoked for. */
  scopes: ('changeset' | 'resource' | 'range' | UnknownTag)[];
  /** What to ask the user first. */
  confirmation?: StringOrMarkdown;
  icon?: string;
  group?: string;
  status: ChangesetOperationStatus;
  error?: ErrorInfo;
  _meta?: Meta;
}
/** `computing`: there is no result yet. `recomputing` (since 1.0.0): the files are those of the last one. */
export type ChangesetStatus = 'computing' | 'recomputing' | 'ready' | 'error' | UnknownTag;
export interface ChangesetState {
  status: ChangesetStatus;
  error?: ErrorInfo;
  files: ChangesetFile[];
  operations?: ChangesetOperation[];
}

/** What clients may dispatch, by type. */
export const changesetClientActions = {
  /** `files`: their ids. */
  'changeset/filesReviewChanged': action('changeset/filesReviewChanged', { files: listSchema(id), reviewed: z.boolean() }),
};

interface ChangesetHostActions {
  'changeset/statusChanged': { status: ChangesetStatus; error?: ErrorInfo };
  'changeset/fileSet': { file: ChangesetFile };
  'changeset/fileRemoved': { fileId: string };
  /** Replaces all files, and the operations when there are any. */
  'changeset/contentChanged': { files: ChangesetFile[]; operations?: ChangesetOperation[] };
  'changeset/operationsChanged': { operations?: ChangesetOperation[] };
  'changeset/operationStatusChanged': { operationId: string; status: ChangesetOperationStatus; error?: ErrorInfo };
  'changeset/cleared': object;
}
export type ChangesetAction = AnyOf<typeof changesetClientActions> | ActionsOf<ChangesetHostActions>;
type ActionOf<T extends ChangesetAction['type']> = Extract<ChangesetAction, { type: T }>;

export const changesetReducer = createReducer<ChangesetState, ChangesetAction>((draft, action) => {
  switch (action.type) {
    case 'changeset/statusChanged':
      if (typeof action.status !== 'string') break;
      setField(draft, 'status', action.status);
      setField(draft, 'error', action.status === 'error' && isRecord(action.error) ? action.error : undefined);
      break;
    case 'changeset/fileSet':
      setFile(draft, action);
      break;
    case 'changeset/fileRemoved': {
      const index = placeOf(draft.files, action.fileId);
      if (index >= 0) draft.files.splice(index, 1);
      break;
    }
    case 'changeset/filesReviewChanged':
      review(draft, action);
      break;
    case 'changeset/contentChanged':
      if (Array.isArray(action.files)) setField(draft, 'files', [...action.files]);
      if (Array.isArray(action.operations)) setField(draft, 'operations', [...action.operations]);
      break;
    case 'changeset/operationsChanged':
      if (isAbsent(action.operations) || Array.isArray(action.operations))
        setField(draft, 'operations', action.operations && [...action.operations]);
      break;
    case 'changeset/operationStatusChanged':
      setOperationStatus(draft, action);
      break;
    case 'changeset/cleared':
      setField(draft, 'files', []);
      break;
    default:
  }
});

function placeOf(list: readonly { id: string }[] | undefined, id: unknown): number {
  return typeof id === 'string' ? listOf(list).findIndex((entry) => entry?.id === id) : -1;
}

function setFile(draft: ChangesetState, { file }: ActionOf<'changeset/fileSet'>): void {
  if (isRecord(file) && typeof file.id === 'string') putAt(listIn(draft, 'files'), placeOf(draft.files, file.id), file);
}

function review(draft: ChangesetState, { files: ids, reviewed }: ActionOf<'changeset/filesReviewChanged'>): void {
  if (typeof reviewed !== 'boolean') return;
  const named = new Set(listOf(ids));
  for (const place of placesWhere(listOf(draft.files), (file) => isRecord(file) && named.has(file.id))) {
    change(draft.files, place, (file) => {
      file.reviewed = reviewed;
    });
  }
}

function setOperationStatus(draft: ChangesetState, action: ActionOf<'changeset/operationStatusChanged'>): void {
  const { operationId, status } = action;
  const index = placeOf(draft.operations, operationId);
  if (!draft.operations || index < 0 || typeof status !== 'string') return;
  change(draft.operations, index, (operation) => {
    operation.status = status;
    setField(operation, 'error', status === 'error' && isRecord(action.error) ? action.error : undefined);
  });
}
