/** Turns the result of an MCP server into that of a provider: text, JSON, or `{image: dataURL}` with its text. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../../tap/provider/providerErrors.ts';

/** Throws a {@link ToolError} when the server reports a failed call. */
export function callData({ content, structuredContent, isError }: CallToolResult): unknown {
  const images = content.filter((block) => block.type === 'image');
  const [image] = images;
  // A result has room for one image. The text mentions the others, so that the model knows of them.
  const text = content.flatMap((block) => (block === image ? [] : [textOf(block)])).join('\n\n');
  if (isError) throw new ToolError('INTERNAL', text || 'the tool failed and does not say why');
  if (image) return { image: `data:${image.mimeType};base64,${image.data}`, ...(text && { text }) };
  return content.length || structuredContent === undefined ? text : structuredContent;
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource ? resource.text : leftOut(`the resource ${resource.uri}`, resource.mimeType, resource.blob);
    }
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
    default:
      return leftOut(block.type === 'image' ? 'another image' : 'a sound', block.mimeType, block.data);
  }
}

const leftOut = (what: string, mimeType: string | undefined, base64: string) =>
  `(${what}${mimeType === undefined ? '' : `, ${mimeType}`}, about ${Math.floor(base64.length * 0.75)} bytes, was left out)`;
