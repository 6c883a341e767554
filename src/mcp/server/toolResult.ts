/** Turns the outcome of a tool call into the result for an MCP client. */
import { randomUUID } from 'node:crypto';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../base/isRecord.ts';
import type { HookDecision, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { type ResultContent, resultContent } from '../../tap/wire/resultContent.ts';
import type { OutputCheck } from './outputSchemas.ts';

/** Bytes of a result as JSON. The official client closes a stdio connection on a message of more than 10 MiB. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

const textType = /^(?:text\/|application\/(?:json|xml|[\w.+-]+\+(?:json|xml))(?:;|$))/i;

/** A failed call, for the model to read. */
export function failedResult(code: string, message: string): CallToolResult {
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true };
}

/** `context` is what gates add for the model to read. `check`: for a tool whose `outputSchema` the client knows. */
export function toolResult(outcome: ToolOutcome, context: HookDecision['context'] = [], check?: OutputCheck): CallToolResult {
  if (!outcome.ok) return failedResult(outcome.errorCode, outcome.error);
  const content = 'file' in outcome ? { content: [fileContent(outcome.file)] } : { ...resultContent(outcome.data, JSON.stringify) };
  const result: CallToolResult = check ? asPromised(content, 'file' in outcome ? undefined : outcome.data, check) : content;
  for (const { provider, content: text } of context)
    result.content.push({ type: 'text', text: `Context from the provider “${provider}”: ${text}` });
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= MAX_RESULT_BYTES) return result;
  return failedResult(
    'PAYLOAD_TOO_LARGE',
    `The tool has run, but its result of ${bytes} bytes is larger than the limit of ${MAX_RESULT_BYTES} bytes`,
  );
}

/** Plain JSON of a provider is its structured content too. A client refuses a result that breaks the promise, unless it is an error. */
function asPromised({ content, structuredContent }: ResultContent, data: unknown, check: OutputCheck): CallToolResult {
  const isPlain = isRecord(data) && !Array.isArray(data.content) && content.length === 1 && content[0]?.type === 'text';
  const structured = structuredContent ?? (isPlain ? data : undefined);
  const problem = structured === undefined ? 'there is none' : check(structured);
  if (problem === undefined) return { content, structuredContent: structured };
  const text = `The tool has run, and this is its result without the structured content, which its outputSchema promises: ${problem}`;
  return { content: [...content, { type: 'text', text }], isError: true };
}

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
