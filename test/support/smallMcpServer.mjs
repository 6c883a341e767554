// An MCP server by the official SDK, on stdio or (`http PORT`) on a port of 127.0.0.1 for who sends `X-Key: right`; it prints where.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const [mode = 'stdio', port = '0'] = process.argv.slice(2);

function newServer() {
  const server = new Server({ name: 'small', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  const object = { type: 'object' };
  const tools = [
    {
      name: 'echo',
      description: 'Says it again',
      inputSchema: { ...object, properties: { text: { type: 'string' } }, required: ['text'] },
    },
    { name: 'wait', inputSchema: object },
    { name: 'fail', inputSchema: object },
    { name: 'image', inputSchema: object },
    { name: 'environment', inputSchema: object },
    { name: 'add', inputSchema: object },
    { name: 'crash', inputSchema: object },
    { name: 'files.read/all', inputSchema: object },
    { name: 'no_schema', inputSchema: { ...object, $async: true } },
  ];
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    // Two pages.
    const rest = params?.cursor ? tools.slice(5) : tools.slice(0, 5);
    return { tools: rest, ...(!params?.cursor && { nextCursor: 'rest' }) };
  });
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }, { signal, sendNotification, _meta }) => {
    switch (name) {
      case 'echo':
        return text(args.text);
      case 'wait':
        if (_meta?.progressToken !== undefined)
          await sendNotification({
            method: 'notifications/progress',
            params: { progressToken: _meta.progressToken, progress: 1, total: 2, message: 'half way' },
          });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        console.error(`cancelled: ${signal.reason}`);
        return text('too late');
      case 'fail':
        return { ...text('there is no such file'), isError: true };
      case 'image':
        return {
          content: [
            { type: 'text', text: 'a pixel' },
            { type: 'image', mimeType: 'image/png', data: PIXEL },
          ],
        };
      case 'environment':
        return text(JSON.stringify({ ...process.env, traceparent: _meta?.traceparent }));
      case 'add':
        tools.push({ name: 'added', inputSchema: object });
        await server.sendToolListChanged();
        return text('added');
      case 'crash':
        process.exit(3);
        break;
      case 'files.read/all':
        return text('all files');
    }
    throw new Error(`no tool ${name}`);
  });
  return server;
}

if (mode === 'stdio') {
  console.error('the small server starts');
  process.stdin.on('end', () => process.exit(0));
  await newServer().connect(new StdioServerTransport());
} else {
  const transports = new Map();
  const http = createServer(async (request, response) => {
    if (request.headers['x-key'] !== 'right') return response.writeHead(401).end();
    const id = request.headers['mcp-session-id'];
    let transport = transports.get(id);
    if (id !== undefined && !transport) return response.writeHead(404).end();
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (own) => transports.set(own, transport),
      });
      await newServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(Number(port), '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${http.address().port}/` })));
}
