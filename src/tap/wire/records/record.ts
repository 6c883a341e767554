/** What the gateway keeps in its file of records, and how it is asked for. See docs/control-plane.md. */
import * as z from 'zod';
import { id, record } from '../fields.ts';

export const recordKinds = ['trace', 'event', 'run', 'decision', 'goal', 'claim', 'review'] as const;
export const recordKind = z.enum(recordKinds);
export type RecordKind = z.output<typeof recordKind>;

export const RecordLimit = {
  /** Characters of the data of one record, as JSON. */
  dataLength: 16_000,
  /** Records of one request. */
  added: 200,
  /** Records of one answer, and how many where nobody says. */
  asked: 200,
  askedByDefault: 50,
  /** Fields that are compared in one question. */
  conditions: 8,
  conditionLength: 1000,
} as const;

/** Milliseconds since the epoch. */
const time = z.number().int().min(0).max(8.64e15);

export const recordInput = z.object({
  kind: recordKind,
  /** The same each time that it is told. Of one kind, what has the same id is kept once. */
  id,
  at: time,
  sessionId: id.optional(),
  /** Of several with the same id the one with the highest rank is kept, and of those the first; of a trace the last, if it is of the same session. Where room is made, the lowest rank goes first. */
  rank: z.number().int().min(-1).max(9).default(0),
  data: record.refine((data) => JSON.stringify(data).length <= RecordLimit.dataLength, `must not be longer than ${RecordLimit.dataLength}`),
});
export type RecordInput = z.output<typeof recordInput>;

/** Fields of the data by name, with what they must be. `a.b` is the field `b` of the object `a`. */
export const recordConditions = z
  .record(
    z.string().regex(/^[A-Za-z_]\w{0,63}(\.[A-Za-z_]\w{0,63}){0,3}$/, 'is no name of a field'),
    z.union([z.string().max(RecordLimit.conditionLength), z.number(), z.boolean()]),
  )
  .refine((where) => Object.keys(where).length <= RecordLimit.conditions, `must not have more than ${RecordLimit.conditions} fields`);

export const recordQuery = z.object({
  kind: recordKind.optional(),
  /** All other kinds. */
  without: recordKind.optional(),
  sessionId: id.optional(),
  since: time.optional(),
  until: time.optional(),
  where: recordConditions.optional(),
  limit: z.number().int().min(1).max(RecordLimit.asked).default(RecordLimit.askedByDefault),
  /** The oldest after the record of this number, oldest first. Without it the newest, newest first. */
  after: z.number().int().min(0).optional(),
});
export type RecordQuery = z.output<typeof recordQuery>;

export interface KeptRecord {
  /** Counts up, in the order in which they were kept. */
  seq: number;
  kind: RecordKind;
  id: string;
  at: number;
  sessionId?: string;
  data: Record<string, unknown>;
}

export interface RecordsStatus {
  /** `off`: none are kept, for the `problem`. */
  state: 'on' | 'off';
  /** Of the file. */
  bytes: number;
  /** Not in the file yet. */
  waiting: number;
  /** Were never kept, because too many came at once or the file could not be written. */
  dropped: number;
  /** Of now, or of the last time that something went wrong. */
  problem?: string;
  /** The file that was damaged. */
  aside?: string;
}
