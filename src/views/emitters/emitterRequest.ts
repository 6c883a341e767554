/** What a page asks about the emitters of a session, and what it is answered. The session is named beside it. */
import * as z from 'zod/mini';
import { Limit } from '../../tap/wire/limits.ts';
import type { EventFilter } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { FilterPreview } from '../../tap/wire/emitters/filterPreview.ts';

export type { EmitterStatus, EventFilter, FilterPreview };
export type Outcome = EventFilter[number]['outcome'];

// The gateway checks all of it again.
const name = z.string().check(z.minLength(1), z.maxLength(Limit.nameLength));
const text = z.string().check(z.maxLength(Limit.emitterText), z.regex(/\S/));
const interval = z.string().check(z.maxLength(Limit.intervalLength));
export const outcomes = ['drop', 'keep', 'surface', 'inject'] as const;
const eventFilter = z
  .array(z.object({ match: z.string().check(z.minLength(1), z.maxLength(Limit.patternLength)), outcome: z.enum(outcomes) }))
  .check(z.maxLength(Limit.filterRules));
export const newEmitter = z.object({
  command: z.optional(text),
  prompt: z.optional(text),
  runInterval: z.optional(z.union([interval, z.array(interval).check(z.minLength(1), z.maxLength(Limit.emitterIntervals))])),
  eventFilter: z.optional(eventFilter),
  includeStderr: z.optional(z.boolean()),
  description: z.optional(z.string().check(z.maxLength(Limit.emitterDescription))),
});
/** What is to be watched, without its name, which is made for it. */
export interface NewEmitter extends z.infer<typeof newEmitter> {}

export const emitterRequest = z.discriminatedUnion('deed', [
  z.object({ deed: z.literal('list') }),
  z.object({ deed: z.literal('streams') }),
  z.object({ deed: z.literal('start'), emitter: newEmitter }),
  z.object({ deed: z.literal('stop'), name }),
  /** Without waiting for its interval; from the beginning where it is over. */
  z.object({ deed: z.literal('run'), name }),
  z.object({ deed: z.literal('filter'), name, eventFilter }),
  z.object({ deed: z.literal('preview'), name, eventFilter }),
  /** Whether its lines are given to the agent. Otherwise they wait. */
  z.object({ deed: z.literal('injector'), name, enabled: z.boolean() }),
  /** Shown in the `tap.config.json` of its folder, for the user to save. */
  z.object({ deed: z.literal('keep'), name }),
]);
export type EmitterRequest = z.infer<typeof emitterRequest>;
export type EmitterDeed = EmitterRequest['deed'];

/** Newest first. */
export interface StreamView {
  provider: string;
  name: string;
  events: readonly { at: string; level: string; text: string }[];
}

export interface EmitterResults {
  list: readonly EmitterStatus[];
  streams: readonly StreamView[];
  start: EmitterStatus;
  stop: null;
  run: null;
  filter: null;
  preview: FilterPreview;
  injector: null;
  keep: null;
}

/** Rejects with a text for the user. */
export type AskEmitters = <D extends EmitterDeed>(request: Extract<EmitterRequest, { deed: D }>) => Promise<EmitterResults[D]>;
