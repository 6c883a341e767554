/** Turns the result of an MCP server into that of a provider. */
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { type ResultBlock, resultBlock, resultData } from '../../tap/wire/resultContent.ts';
import { printable } from '../printable.ts';

/** Wider than the SDK's, which refuses a whole result for one part that it does not know. */
export const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type CallResult = Pick<z.output<typeof callResult>, 'content' | 'structuredContent' | 'isError'>;

/** Throws a {@link ToolError} when the server reports a failed call. */
export function callData({ content: given, structuredContent, isError }: CallResult): unknown {
  const content = given.map(blockOf);
  if (isError) throw new ToolError('INTERNAL', errorText(content, structuredContent));
  if (structuredContent === undefined) return resultData({ content });
  if (isRecord(structuredContent)) return resultData({ content, structuredContent });
  // MCP has objects only.
  return resultData({ content: [...content, { type: 'text', text: JSON.stringify(structuredContent) }] });
}

function blockOf(given: unknown): ResultBlock {
  const block = resultBlock.safeParse(given);
  if (block.success) return block.data;
  const kind = isRecord(given) && typeof given.type === 'string' ? printable(given.type, Limit.nameLength) : 'unknown';
  return { type: 'text', text: `(a part of the kind “${kind}” was left out: it is not one that Tapline can pass on)` };
}

/** An error of a provider is a text. */
function errorText(content: readonly ResultBlock[], structuredContent: unknown): string {
  if (content.length) return content.map(textOf).join('\n\n');
  return structuredContent === undefined ? 'the tool failed and does not say why' : JSON.stringify(structuredContent);
}

function textOf(block: ResultBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource ? resource.text : leftOut(`the resource ${resource.uri}`, resource.mimeType, resource.blob);
    }
    case 'resource_link':
      return `${block.name}: ${block.uri}${block.description === undefined ? '' : ` (${block.description})`}`;
    default:
      return leftOut(block.type === 'image' ? 'an image' : 'a sound', block.mimeType, block.data);
  }
}

const leftOut = (what: string, mimeType: string | undefined, base64: string) =>
  `(${what}${mimeType === undefined ? '' : `, ${mimeType}`}, about ${Math.floor(base64.length * 0.75)} bytes, was left out)`;
