import { editFields, errorInfo, label } from './parts/fields.ts';
import { anyObject, exactly, flag, list, may, needs, object, or, text, textOrMarkdown, uniqueBy } from './parts/shapeChecks.ts';
import type { ChangesetState } from '../channels/changeset.ts';

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

const unreadable = { status: '', files: [] };
/** Of states with files that cannot be read. */
const withheld = new WeakMap<ChangesetState, ChangesetState>();

export function wellFormedChangeset(value: ChangesetState): ChangesetState {
  const state = (changesetState(value) ?? unreadable) as ChangesetState;
  const unread = Array.isArray(value?.files) ? value.files.length - state.files.length : 0;
  if (unread === 0) return state;
  const known = withheld.get(value);
  if (known) return known;
  // What is done with all of it would be done with files that nobody has seen, too.
  const message = `The host lists ${unread === 1 ? '1 file' : `${unread} files`} here that this version cannot read, so nothing of it is shown or offered.`;
  const shown: ChangesetState = { ...state, status: 'error', error: { errorType: 'unreadable', message }, files: [], operations: [] };
  withheld.set(value, shown);
  return shown;
}
