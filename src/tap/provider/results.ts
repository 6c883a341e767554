/** What a call may be answered with beside JSON: texts, images and files, alone or several in their order. */
import { isRecord } from '../../base/isRecord.ts';
import type { ResultBlock } from '../wire/resultContent.ts';

export type ResultAnnotations = NonNullable<ResultBlock['annotations']>;

/** Made by {@link text}, {@link image}, {@link json} and {@link file}. */
export class ResultPart {
  constructor(
    readonly block: ResultBlock,
    /** Of {@link json}. */
    readonly value?: unknown,
  ) {}
}

/** `annotations`: for whom it is, and how much it matters. */
export function text(value: string, annotations?: ResultAnnotations): ResultPart {
  return new ResultPart({ type: 'text', text: value, annotations });
}

/** `data`: bytes, base64 or a data URL, whose type then counts. */
export function image(data: Uint8Array | string, mimeType = 'image/png', annotations?: ResultAnnotations): ResultPart {
  const [, type = mimeType, base64 = data] = (typeof data === 'string' ? /^data:([^;,]+);base64,(.*)$/s.exec(data) : undefined) ?? [];
  return new ResultPart({ type: 'image', mimeType: type, data: typeof base64 === 'string' ? base64 : toBase64(base64), annotations });
}

/** Alone it is the result as it is. Beside other parts it is text, and the only object among them is also the structured content. */
export function json(value: unknown): ResultPart {
  return new ResultPart({ type: 'text', text: JSON.stringify(value ?? null, undefined, 2) }, value ?? null);
}

/**
 * A file whose content goes along; a string is text. The whole result may have 5 MB, for which bytes count four thirds. A larger file of
 * a program is a `FileResult`.
 */
export function file(
  content: Uint8Array | string,
  { name, mimeType, annotations }: { name: string; mimeType?: string; annotations?: ResultAnnotations },
): ResultPart {
  const about = { uri: `file:///${encodeURIComponent(name)}`, mimeType };
  const resource = typeof content === 'string' ? { ...about, text: content } : { ...about, blob: toBase64(content) };
  return new ResultPart({ type: 'resource', resource, annotations });
}

/** The JSON of a result. In a list with at least one part, a string is text and anything else is {@link json}. */
export function resultOf(answer: unknown): unknown {
  const list = Array.isArray(answer) ? answer : [answer];
  if (!list.some((one) => one instanceof ResultPart)) return answer ?? null;
  const parts = list.map((one) => (one instanceof ResultPart ? one : typeof one === 'string' ? text(one) : json(one)));
  const [first, ...more] = parts as [ResultPart, ...ResultPart[]];
  if (!more.length && first.value !== undefined && !hasMeaning(first.value)) return first.value;
  if (!more.length && first.value === undefined && first.block.type === 'text' && !first.block.annotations) return first.block.text;
  const [structured, ...others] = parts.map(({ value }) => value).filter(isRecord);
  return { content: parts.map(({ block }) => block), ...(structured && !others.length && { structuredContent: structured }) };
}

/** The gateway would take it for an image or for parts. */
function hasMeaning(value: unknown): boolean {
  return isRecord(value) && ('image' in value || 'content' in value);
}

/** In pieces, because each byte is an argument of a call. */
function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(pieces.join(''));
}
