// A provider for Node.js. It greets, counts slowly enough to report progress and to be cancelled, and offers one more tool after a count was stopped.
// How to run it: README.md beside this file.
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider, ToolError } from 'tapline/provider';

const tools = [
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
];
const lastStop = { name: 'example_last_stop', description: 'How far the count came that was stopped last', parameters: {} };
let stoppedAt = 0;

const provider = createProvider('example', {
  tools,
  // It lends them to every session, also to those that begin later.
  session: 'all',
  onNewSession: ({ label }) => console.log(`lends its tools to “${label}” too`),
  onToolCall({ tool, args, sessionId, signal, progress }) {
    if (tool === 'example_greet') return `Hello, ${args.name}!`;
    if (tool === 'example_count') return count(args.to, sessionId, signal, progress);
    if (tool === 'example_last_stop') return stoppedAt;
    throw new ToolError('NOT_FOUND', `there is no ${tool}`);
  },
});

async function count(to, sessionId, signal, progress) {
  for (let at = 1; at <= to; at++) {
    try {
      await sleep(100, undefined, { signal });
    } catch (stopped) {
      stoppedAt = at - 1;
      provider.push({ sessionId, level: 'surface', event: `stopped at ${stoppedAt} of ${to}` });
      await provider.updateTools([...tools, lastStop]);
      throw stopped;
    }
    progress(`${at} of ${to}`);
  }
  return { counted: to };
}

const hints = {
  bound: `: lends ${tools.map(({ name }) => name).join(', ')} to all sessions`,
  'waiting for a session': ": open one in VS Code with Tapline, or run Tapline's examples/owners/node.mjs",
};
provider.onDidChangeState(({ kind }) => console.log(kind + (hints[kind] ?? '')));
process.once('SIGTERM', () => provider.close());
process.once('SIGINT', () => provider.close());
