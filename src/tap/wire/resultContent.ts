/**
 * What the `data` of a result is made of. A string is text, `{image: dataURL}` an image with what stands beside it, and any other JSON is itself.
 * A result that those would take an order or a kind from is `{content: […], structuredContent?: {…}}`, in the words of MCP:
 * https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
 */
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';

/** Of a file result that holds the `data` of a result as JSON, an object, because it is too large for a message. */
export const RESULT_FILE_TYPE = 'application/vnd.tapline.result+json';

/** The alphabet is checked apart from the length: a repeated group overflows the stack on a large image. */
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const base64 = z.string().refine((value) => value.length % 4 === 0 && alphabet.test(value), 'is not base64');
const imageUrl = /^data:(image\/[\w.+-]{1,100});base64,([A-Za-z0-9+/=]+)$/;
const imageType = /^image\/[\w.+-]{1,100}$/;

const annotations = z
  .object({
    // Counted before its members are looked at.
    audience: z
      .array(z.unknown())
      .max(2)
      .pipe(z.array(z.enum(['user', 'assistant'])))
      .optional(),
    /** From 0 to 1. */
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.iso.datetime({ offset: true }).optional(),
  })
  .optional()
  .catch(undefined);
const mimeType = z.string();

/** A part of a result. Untrusted, and valid in a result of MCP. */
export const resultBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), annotations }),
  z.object({ type: z.enum(['image', 'audio']), mimeType, data: base64, annotations }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([
      z.object({ uri: z.string(), mimeType: mimeType.optional(), text: z.string() }),
      z.object({ uri: z.string(), mimeType: mimeType.optional(), blob: base64 }),
    ]),
    annotations,
  }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: mimeType.optional(),
    /** Bytes. */
    size: z.number().optional(),
    annotations,
  }),
]);
export type ResultBlock = z.output<typeof resultBlock>;

export interface ResultContent {
  content: ResultBlock[];
  structuredContent?: Record<string, unknown>;
}

/** `asText` writes a value that is neither a string nor made of parts. */
export function resultContent(data: unknown, asText: (value: unknown) => string): ResultContent {
  const text = (value: string): ResultBlock => ({ type: 'text', text: value });
  if (typeof data === 'string') return { content: [text(data)] };
  const parts = partsOf(data);
  if (parts) return parts;
  const found = imageOf(data);
  // A result without data counts as null.
  if (!found) return { content: [text(asText(data ?? null))] };
  const { image, rest } = found;
  const names = Object.keys(rest);
  const beside = names.length === 1 && typeof rest.text === 'string' ? rest.text : asText(rest);
  return { content: names.length ? [image, text(beside)] : [image] };
}

/** The opposite of {@link resultContent}: the simplest data from which the same content is made again. */
export function resultData({ content, structuredContent }: ResultContent): unknown {
  if (structuredContent) return { content, structuredContent };
  const [first, second, ...more] = content;
  if (!first) return '';
  const isPlain = !more.length && !first.annotations && (!second || (second.type === 'text' && !second.annotations));
  if (isPlain && first.type === 'text' && !second) return first.text;
  if (isPlain && first.type === 'image' && imageType.test(first.mimeType) && first.data !== '')
    return { image: `data:${first.mimeType};base64,${first.data}`, ...(second?.type === 'text' && { text: second.text }) };
  return { content };
}

function partsOf(data: unknown): ResultContent | undefined {
  if (!isRecord(data) || !Array.isArray(data.content)) return undefined;
  const { content: given, structuredContent, ...others } = data;
  if (Object.keys(others).length || !(structuredContent === undefined ? given.length : isRecord(structuredContent))) return undefined;
  const content: ResultBlock[] = [];
  // One by one: the errors of a whole list would cost far more than the list.
  for (const one of given) {
    const block = resultBlock.safeParse(one);
    if (!block.success) return undefined;
    content.push(block.data);
  }
  return { content, ...(isRecord(structuredContent) && { structuredContent }) };
}

function imageOf(data: unknown): { image: ResultBlock; rest: Record<string, unknown> } | undefined {
  if (!isRecord(data)) return undefined;
  const { image, ...rest } = data;
  const [, type, bytes] = (typeof image === 'string' ? imageUrl.exec(image) : undefined) ?? [];
  const block = resultBlock.safeParse({ type: 'image', mimeType: type, data: bytes });
  return block.success ? { image: block.data, rest } : undefined;
}
