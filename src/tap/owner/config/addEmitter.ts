/** Adds an emitter that runs to the text of a `tap.config.json`. */
import { applyEdits, modify } from 'jsonc-parser';
import { UserError } from '../../../base/errors.ts';
import type { EmitterStatus } from '../../wire/emitters/emitterStatus.ts';
import { phrase } from '../../../base/text/phrase.ts';
import { parseTapConfig } from './tapConfig.ts';

const KEPT = ['name', 'description', 'command', 'prompt', 'cwd', 'runInterval', 'maxRuns', 'includeStderr', 'ownership'] as const;
const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** The new text; comments in it stay. `text`: undefined where there is no file. Throws a {@link UserError} that names `path` where it cannot be added. */
export function addEmitter(text: string | undefined, path: string, status: EmitterStatus): string {
  const before = text?.trim() ? text : '{}\n';
  const { emitters } = parseTapConfig(before, path);
  if (emitters.some(({ name }) => name === status.name)) throw new UserError(phrase`${path} has an emitter “${status.name}” already.`);
  const { stream, injector } = status;
  const other = emitters.find(({ name, stream = name }) => stream === status.stream);
  if (other && (other.injector ?? true) !== injector.enabled) {
    const [given, held] = injector.enabled ? [status.name, other.name] : [other.name, status.name];
    throw new UserError(
      phrase`The agent gets the lines of “${given}”, while those of “${held}” are held back. Both fill the stream “${stream}”, for all of which ${path} says the same. Have one of them fill another stream.`,
    );
  }
  const withEmitter = append(before, 'emitters', entryOf(status));
  const after = other || injector.enabled ? withEmitter : append(withEmitter, 'streams', { name: stream, sessionInjector: false });
  // What is kept is to be what was meant.
  parseTapConfig(after, path);
  return after;
}

function append(text: string, list: 'emitters' | 'streams', entry: object): string {
  return applyEdits(text, modify(text, [list, -1], entry, { isArrayInsertion: true, formattingOptions: FORMAT }));
}

function entryOf(status: EmitterStatus): object {
  const { stream, eventFilter, name } = status;
  return {
    ...Object.fromEntries(KEPT.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]]]))),
    ...(stream !== name && { stream }),
    ...(eventFilter.length > 0 && { eventFilter }),
  };
}
