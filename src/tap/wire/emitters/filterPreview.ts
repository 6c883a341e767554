import type { EventFilter } from './emitterSpec.ts';

/** What a filter would do with the newest lines of an emitter. */
export interface FilterPreview {
  /** Oldest first. `rule`: the place of the one that decides; absent where none matches. */
  lines: { text: string; outcome: EventFilter[number]['outcome']; rule?: number }[];
  /** Why it cannot be in force. `rule`: absent where all rules together are too much. */
  problems: { rule?: number; message: string }[];
}
