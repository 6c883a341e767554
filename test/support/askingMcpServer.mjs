// An MCP server by the official SDK on stdio, whose tools ask the client for something, or log.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'asking', version: '1.0.0' }, { capabilities: { tools: {}, logging: {} } });
let waiting = () => {};
let hanging = () => {};
server.setNotificationHandler(RootsListChangedNotificationSchema, () => waiting());
const request = (method, params) =>
  server.request({ method, params }, { parse: (value) => value, safeParse: (data) => ({ success: true, data }) });

const tools = {
  roots: async () => (await server.listRoots()).roots,
  /** Once they are others than these. */
  other_roots: async ({ than }) => {
    for (;;) {
      const changed = new Promise((resolve) => (waiting = resolve));
      const { roots } = await server.listRoots();
      if (JSON.stringify(roots) !== JSON.stringify(than)) return roots;
      await changed;
    }
  },
  log: async ({ count = 1, level = 'warning', data }) => {
    for (let at = 0; at < count; at++) await server.sendLoggingMessage({ level, logger: 'the\nlogger', data });
    return 'logged';
  },
  sample: async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }];
    return request('sampling/createMessage', { messages, maxTokens: 10 });
  },
  ask: async () => {
    const properties = { name: { type: 'string' }, age: { type: 'integer', default: 30 } };
    return request('elicitation/create', { message: 'Who?', requestedSchema: { type: 'object', properties, required: ['name'] } });
  },
  open: async ({ url }) => request('elicitation/create', { mode: 'url', message: 'Sign in', url, elicitationId: 'e' }),
  /** Runs until the next `roots` is asked for. */
  hang: () => new Promise((resolve) => (hanging = resolve)),
  release: () => (hanging(), 'released'),
  /** Asks once `release_late` is called, which returns the answer. */
  late: () =>
    new Promise((resolve) => {
      hanging = () => {
        const answer = tools.ask();
        resolve(answer);
        return answer;
      };
    }),
  release_late: () => hanging(),
  capabilities: () => server.getClientCapabilities(),
};

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await tools[name](args ?? {})) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
});
process.stdin.on('end', () => process.exit(0));
await server.connect(new StdioServerTransport());
