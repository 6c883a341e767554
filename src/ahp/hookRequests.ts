/**
 * A vendor extension between our host and a client that lends tools to its sessions: the host asks the session's active client before it runs
 * a call, and for what providers add to the system message. Both sides announce it in `_meta` of `initialize`; without it nothing is asked.
 */
import { isRecord } from '../base/isRecord.ts';
import { count, exactly, needs, object, text, whole } from './wellFormed/parts/shapeChecks.ts';

/** Key in `_meta` of the parameters of `initialize` and of its result. The value is the version of this extension. */
const HOOKS = 'tapline.hooks';
const VERSION = 1;

/** For `_meta` of `initialize`, from either side. */
export const hooksMeta: Readonly<Record<string, unknown>> = { [HOOKS]: VERSION };

export function hasHooks(meta: unknown): boolean {
  return isRecord(meta) && meta[HOOKS] === VERSION;
}

/** What was added to the system message in some turns, for the user. In a session's `_meta`, newest last. */
export const SECTIONS = 'tapline.sections';
export interface SectionPart {
  kind: 'context' | 'startup' | 'section';
  /** Untrusted, like the content. */
  provider: string;
  /** Of the section, and what was done to it: `append`, `prepend`, `replace` or `callback`. */
  name?: string | undefined;
  action?: string | undefined;
  /** Its beginning, where `length` is greater. */
  content: string;
  length: number;
}
export interface SectionsRecord {
  turns: string[];
  parts: SectionPart[];
}
const PART_KINDS: readonly unknown[] = ['context', 'startup', 'section'] satisfies SectionPart['kind'][];
const part = object({
  kind: needs((value) => (PART_KINDS.includes(value) ? value : undefined)),
  provider: needs(text),
  name: exactly(text),
  action: exactly(text),
  content: needs(text),
  length: needs(count),
});
const records = whole(object({ turns: needs(whole(text)), parts: needs(whole(part)) }));

/** Of a state from any host. */
export function sectionRecords(meta: unknown): SectionsRecord[] {
  return (isRecord(meta) && (records(meta[SECTIONS]) as SectionsRecord[] | undefined)) || [];
}

/** What was added, by turn. */
export function sectionsByTurn(meta: unknown): ReadonlyMap<string, readonly SectionPart[]> {
  return new Map(sectionRecords(meta).flatMap(({ turns, parts }) => turns.map((turn) => [turn, parts] as const)));
}
