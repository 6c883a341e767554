/** Parses frames with the schemas of either side. Errors name the field. */
import { isRecord } from '../../../base/isRecord.ts';
import type { ZodMiniType } from 'zod/mini';
import { englishOf } from '../../../base/errors.ts';
import { ErrorCode } from '../errorCodes.ts';
import { Limit } from '../limits.ts';

export interface BadMessage {
  code: ErrorCode;
  problem: string;
  /**
   * The frame could not be read as an object with a type, or was too large to be read, so nobody knows which question it would have
   * answered.
   */
  unreadable: boolean;
  /** As far as they could be read. */
  replyTo?: string;
  requestId?: string;
  id?: string;
}
export type Parsed<M> = { ok: true; message: M } | { ok: false; bad: BadMessage };

export function parseJson(frame: string): Parsed<Record<string, unknown>> {
  if (isDeeperThan(frame, Limit.depth)) return refuse(ErrorCode.InvalidJson, `the message is nested deeper than ${Limit.depth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch (error) {
    return refuse(ErrorCode.InvalidJson, `the message is not JSON: ${englishOf(error).slice(0, 200)}`);
  }
  if (!isRecord(value)) return refuse(ErrorCode.InvalidJson, 'a message is a JSON object');
  return { ok: true, message: value };
}

/** The part of a schema of `zod` or `zod/mini` that is used. */
type MessageSchema = Pick<ZodMiniType, 'safeParse'>;

/** `schemas`: one for each message type. */
export function checkMessage<M>(
  schemas: Readonly<Record<string, MessageSchema>>,
  fields: Record<string, unknown>,
  how?: Parameters<MessageSchema['safeParse']>[1],
): Parsed<M> {
  const { type } = fields;
  const known = identify(fields);
  if (typeof type !== 'string')
    return { ok: false, bad: { code: ErrorCode.InvalidJson, problem: 'type: must be a string', unreadable: true, ...known } };
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (!schema)
    return {
      ok: false,
      bad: {
        code: ErrorCode.UnknownType,
        problem: `there is no message type ${JSON.stringify(type.slice(0, 100))}`,
        unreadable: false,
        ...known,
      },
    };
  const result = schema.safeParse(fields, how);
  if (result.success) return { ok: true, message: result.data as M };
  const tooBig = result.error.issues.find(({ code }) => code === 'too_big');
  const issue = tooBig ?? result.error.issues[0];
  const problem = issue ? `${pathOf(issue.path, fields)}${issue.message}` : 'the message does not fit its schema';
  return { ok: false, bad: { code: tooBig ? ErrorCode.PayloadTooLarge : ErrorCode.InvalidJson, problem, unreadable: false, ...known } };
}

export function refuse(code: ErrorCode, problem: string, known?: Partial<BadMessage>): { ok: false; bad: BadMessage } {
  return { ok: false, bad: { code, problem, unreadable: true, ...known } };
}

export function identify({ type, requestId, id }: Record<string, unknown>): Partial<BadMessage> {
  const short = (value: unknown) => (typeof value === 'string' && value.length <= 200 ? value : undefined);
  return { replyTo: short(type), requestId: short(requestId), id: short(id) };
}

/** The path as text, such as `tools[2] ("my tool").name: `. Elements with a name are shown with it. */
function pathOf(path: readonly PropertyKey[], root: unknown): string {
  let text = '';
  let value = root;
  for (const key of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    if (typeof key === 'number') {
      const called = (value as { name?: unknown } | undefined)?.name;
      text += `[${key}]${typeof called === 'string' ? ` (${JSON.stringify(called.slice(0, 80))})` : ''}`;
    } else {
      text += text ? `.${String(key)}` : String(key);
    }
  }
  return text && `${text}: `;
}

/** Checked before parsing, because later steps may be recursive. */
function isDeeperThan(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === 34) {
      at = endOfString(json, at);
      if (at < 0) return false; // not JSON; parsing reports that
    } else if (char === 91 || char === 123) {
      if (++depth > limit) return true;
    } else if (char === 93 || char === 125) {
      depth--;
    }
  }
  return false;
}

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
