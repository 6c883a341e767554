import { editFields, errorInfo, label } from './parts/fields.ts';
import { anyObject, exactly, flag, list, may, needs, object, or, text, textOrMarkdown, uniqueBy } from '../shapeChecks.ts';
import { counted } from '../text/counted.ts';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';

const changesetState = object({
  status: or('', text),
  error: may(errorInfo),
  files: or([], uniqueBy('id', list(object({ id: needs(text), edit: needs(object(editFields)), reviewed: may(flag) })))),
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
        _meta: may(anyObject),
      }),
    ),
  ),
});

export function wellFormedChangeset(value: ChangesetState): ChangesetState {
  const state = (changesetState(value) ?? { status: '', files: [] }) as ChangesetState;
  const unread = Array.isArray(value?.files) ? value.files.length - state.files.length : 0;
  if (unread === 0) return state;
  // What is done with all of it would be done with files that nobody has seen, too.
  const message = `The host lists ${counted(unread, 'file')} here that this version cannot read, so nothing of it is shown or offered.`;
  return { ...state, status: 'error', error: { errorType: 'unreadable', message }, files: [], operations: [] };
}
