/** Writes an emitter into the text of a `tap.config.json`. Comments, the order and other fields of the file stay. */
import { applyEdits, findNodeAtLocation, getNodeValue, type JSONPath, modify, parseTree } from 'jsonc-parser';
import { isRecord } from '../../../base/isRecord.ts';
import type { EmitterStatus } from '../../wire/emitters/emitterStatus.ts';
import { normalName } from '../../wire/emitters/emitterWords.ts';

/** What of an emitter as it is now stands in the file. */
export type KeptInConfig = Pick<
  EmitterStatus,
  | 'name'
  | 'stream'
  | 'command'
  | 'prompt'
  | 'cwd'
  | 'description'
  | 'runInterval'
  | 'maxRuns'
  | 'includeStderr'
  | 'eventFilter'
  | 'ownership'
>;

/** `text`: that of a file that can be read; undefined where there is none. An entry of the same name is replaced. */
export function withEmitter(text: string | undefined, emitter: KeptInConfig): string {
  const before = text?.trim() ? text : '{}\n';
  const list = listOf(before, ['emitters']);
  const at = list.findIndex((one) => isRecord(one) && typeof one.name === 'string' && normalName(one.name) === emitter.name);
  const path = ['emitters', at < 0 ? list.length : at];
  return applyEdits(before, modify(before, path, entryOf(emitter), { formattingOptions: formattingOf(before) }));
}

function listOf(text: string, path: JSONPath): unknown[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, path);
  const value: unknown = node && getNodeValue(node);
  return Array.isArray(value) ? value : [];
}

function entryOf({ name, stream, command, prompt, eventFilter, includeStderr, ownership, ...rest }: KeptInConfig): object {
  const { cwd, runInterval, maxRuns, description } = rest;
  const entry = {
    ...{ name, description, command, prompt, cwd, runInterval, maxRuns },
    includeStderr: includeStderr || undefined,
    stream: stream === name ? undefined : stream,
    eventFilter: eventFilter.length > 0 ? eventFilter : undefined,
    ownership: ownership === 'userOwned' ? undefined : ownership,
  };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** As the file is indented already. */
function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: Math.min(indent.length, 8), eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
