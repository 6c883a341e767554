// A provider in Node: two tools, one of them slow enough to report progress and to be cancelled.
// Start it from a terminal that Tapline has opened, or anywhere on this computer: it finds the gateway by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider, ToolError } from 'tapline/provider';

const provider = createProvider('example', {
  tools: [
    {
      name: 'example_greet',
      description: 'Greet somebody by name',
      parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
    {
      name: 'example_count',
      description: 'Count to a number, one step a tenth of a second',
      parameters: { type: 'object', properties: { to: { type: 'integer', minimum: 1, maximum: 100 } }, required: ['to'] },
    },
  ],
  async onToolCall({ tool, args, signal, progress }) {
    if (tool === 'example_greet') return `Hello, ${args.name}!`;
    if (tool !== 'example_count') throw new ToolError('NOT_FOUND', `there is no ${tool}`);
    for (let at = 1; at <= args.to; at++) {
      await sleep(100, undefined, { signal });
      progress(`${at} of ${args.to}`);
    }
    return { counted: args.to };
  },
});

provider.onDidChangeState((state) => console.log(state.kind));
process.once('SIGTERM', () => provider.close());
process.once('SIGINT', () => provider.close());
