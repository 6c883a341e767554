/** Turns the outcome of a tool call into the result for an MCP client. */
import { randomUUID } from 'node:crypto';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { HookDecision, ToolOutcome } from '../../tap/wire/ownerMessages.ts';

/** Bytes of a result as JSON. The official client closes a stdio connection on a message of more than 10 MiB. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** Base64 is checked for its alphabet here and for its length below: a repeated group overflows the stack on a large image. */
const imageUrl = /^data:(image\/[\w.+-]{1,100});base64,([A-Za-z0-9+/]*={0,2})$/;
const textType = /^(?:text\/|application\/(?:json|xml|[\w.+-]+\+(?:json|xml))(?:;|$))/i;

/** A failed call, for the model to read. */
export function failedResult(code: string, message: string): CallToolResult {
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true };
}

/** `context` is what gates add for the model to read. */
export function toolResult(outcome: ToolOutcome, context: HookDecision['context'] = []): CallToolResult {
  if (!outcome.ok) return failedResult(outcome.errorCode, outcome.error);
  const content = 'file' in outcome ? [fileContent(outcome.file)] : dataContent(outcome.data);
  for (const { provider, content: text } of context)
    content.push({ type: 'text', text: `Context from the provider “${provider}”: ${text}` });
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes <= MAX_RESULT_BYTES) return { content };
  return failedResult(
    'PAYLOAD_TOO_LARGE',
    `The tool has run, but its result of ${bytes} bytes is larger than the limit of ${MAX_RESULT_BYTES} bytes`,
  );
}

function dataContent(data: unknown): ContentBlock[] {
  if (typeof data === 'string') return [{ type: 'text', text: data }];
  if (typeof data === 'object' && data !== null && 'image' in data && typeof data.image === 'string') {
    const { image, ...rest } = data;
    const [, mimeType, base64] = imageUrl.exec(image as string) ?? [];
    // A client rejects the whole result when an image is not base64.
    if (mimeType !== undefined && base64 !== undefined && base64.length % 4 === 0)
      return [{ type: 'image', mimeType, data: base64 }, ...besideImage(rest)];
  }
  return [json(data)];
}

function besideImage(rest: Record<string, unknown>): ContentBlock[] {
  const keys = Object.keys(rest);
  if (!keys.length) return [];
  return [keys.length === 1 && typeof rest.text === 'string' ? { type: 'text', text: rest.text } : json(rest)];
}

/** A result without data counts as null. */
const json = (value: unknown): ContentBlock => ({ type: 'text', text: JSON.stringify(value ?? null) });

function fileContent({ mimeType, base64 }: { mimeType: string; base64: string }): ContentBlock {
  if (/^image\//i.test(mimeType)) return { type: 'image', mimeType, data: base64 };
  if (/^audio\//i.test(mimeType)) return { type: 'audio', mimeType, data: base64 };
  const uri = `tapline:/results/${randomUUID()}`;
  const text = textType.test(mimeType) ? asUtf8(base64) : undefined;
  return { type: 'resource', resource: text === undefined ? { uri, mimeType, blob: base64 } : { uri, mimeType, text } };
}

function asUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (error instanceof TypeError) return undefined; // not UTF-8
    throw error;
  }
}
