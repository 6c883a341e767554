import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { McpSession } from './mcpSession.ts';

/** Serves the client that has started this process. `onEnd` is called when the connection has ended. */
export async function serveStdio(session: McpSession, onEnd: () => void): Promise<void> {
  session.onDidClose(onEnd);
  // The SDK's transport does not notice the end of stdin.
  process.stdin.once('end', onEnd);
  for (const stream of [process.stdin, process.stdout]) {
    stream.once('close', onEnd);
    stream.on('error', onEnd);
  }
  await session.connect(new StdioServerTransport());
}
