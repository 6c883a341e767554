// An MCP server by the official SDK on stdio, whose tools answer with every kind of content.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', mimeType: 'image/png', data: PIXEL };
const content = [
  text('before'),
  { ...image, annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-31T12:00:00Z' } },
  text('between'),
  image,
  { type: 'audio', mimeType: 'audio/wav', data: 'AAEC' },
  { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/pdf', blob: 'AAEC' } },
  { type: 'resource_link', uri: 'file:///c', name: 'c', title: 'C', description: 'The third', mimeType: 'text/plain', size: 3 },
  text('after'),
];
const results = {
  kinds: { content },
  text_and_image: { content: [text('a pixel'), image] },
  structured: { content: [text('{"sum":3}')], structuredContent: { sum: 3 } },
  structured_alone: { content: [], structuredContent: { sum: 3 } },
  misfit: { content: [text('about three'), image], structuredContent: { sum: 'three' } },
  promised_nothing: { content: [text('three')] },
  unusable: { content: [text('{"a":1}')], structuredContent: { a: 1 } },
  failing: { content: [text('no such sum'), image], isError: true },
};
const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
const promising = ['structured', 'misfit', 'promised_nothing', 'failing'];
const annotations = { title: 'Kinds', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const names = [...Object.keys(results), 'future', 'capabilities', 'large', 'large_text'];

const server = new Server({ name: 'rich', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: names.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    ...(promising.includes(name) && { outputSchema }),
    ...(name === 'unusable' && { outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } }),
    ...(name === 'kinds' && { title: 'All kinds', annotations }),
  })),
}));
const transport = new StdioServerTransport();
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: { size } = {} } }, { requestId }) => {
  if (name === 'capabilities') return { content: [text(JSON.stringify(server.getClientCapabilities()))] };
  if (name === 'large')
    return { content: [text('before'), { ...image, data: 'A'.repeat(size) }, text('after')], structuredContent: { size } };
  if (name === 'large_text') return { content: [text('x'.repeat(size))] };
  if (name !== 'future') return results[name];
  // A kind that the SDK does not know, and therefore would not send.
  void transport.send({ jsonrpc: '2.0', id: requestId, result: { content: [text('before'), { type: 'video' }, text('after')] } });
  return new Promise(() => {});
});
process.stdin.on('end', () => process.exit(0));
await server.connect(transport);
