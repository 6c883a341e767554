/** Adds an emitter that runs to the text of a `tap.config.json`. */
import { applyEdits, modify } from 'jsonc-parser';
import { UserError } from '../../../base/errors.ts';
import type { EmitterStatus } from '../../wire/emitters/emitterStatus.ts';
import { parseTapConfig } from './tapConfig.ts';

const KEPT = ['name', 'description', 'command', 'prompt', 'cwd', 'runInterval', 'maxRuns', 'includeStderr', 'ownership'] as const;
const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** The new text; comments in it stay. `text`: undefined where there is no file. Throws a {@link UserError} that names `path` where it cannot be added. */
export function addEmitter(text: string | undefined, path: string, status: EmitterStatus): string {
  const before = text?.trim() ? text : '{}\n';
  const { emitters } = parseTapConfig(before, path);
  if (emitters.some(({ name }) => name === status.name)) throw new UserError(`${path} has an emitter “${status.name}” already.`);
  const edits = modify(before, ['emitters', emitters.length], entryOf(status), { isArrayInsertion: true, formattingOptions: FORMAT });
  const after = applyEdits(before, edits);
  // What is kept is to be what was meant.
  parseTapConfig(after, path);
  return after;
}

function entryOf(status: EmitterStatus): object {
  const { stream, eventFilter, name } = status;
  return {
    ...Object.fromEntries(KEPT.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]]]))),
    ...(stream !== name && { stream }),
    ...(eventFilter.length > 0 && { eventFilter }),
  };
}
