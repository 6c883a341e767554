import { editFields, errorInfo, label } from './parts/fields.ts';
import { exactly, flag, list, may, needs, object, or, text, textOrMarkdown } from '../shapeChecks.ts';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';

const changesetState = object({
  status: or('', text),
  error: may(errorInfo),
  files: or([], list(object({ id: needs(text), edit: needs(object(editFields)), reviewed: may(flag) }))),
  operations: may(
    list(
      object({
        id: needs(text),
        label,
        description: may(text),
        scopes: or([], list(text)),
        confirmation: exactly(textOrMarkdown),
        status: or('', text),
        error: may(errorInfo),
      }),
    ),
  ),
});

export function wellFormedChangeset(value: ChangesetState): ChangesetState {
  return (changesetState(value) ?? { status: '', files: [] }) as ChangesetState;
}
