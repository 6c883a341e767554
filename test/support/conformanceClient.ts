/** Our client of MCP servers as the command that the conformance suite runs: it calls every tool of the server at the given address once. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { ServerLink } from '../../src/mcp/provider/serverLink.ts';
import { nullLogger } from '../../src/base/log.ts';

/** Arguments that satisfy each of the suite's tools. */
const args = { a: 5, b: 3 };

const url = process.argv.at(-1) ?? '';
const options = { version: '1.0.0', logFile: '', logger: nullLogger };
const onTools = (tools: readonly Tool[]) => {
  void Promise.all(tools.map(({ name }) => link.call(name, args, new AbortController().signal, () => undefined))).then(async () => {
    await link.close();
    process.exit(0);
  });
};
/** The user takes every form as it is. */
const ask = () => Promise.resolve({ action: 'accept' as const, content: {} });
const link = new ServerLink({ name: 'suite', url, headers: {} }, options, onTools, ask);
