// npm run mcp: Tapline's MCP server on stdio, or with `-- --http`. npm run mcp:provider: lends the tools of your own MCP servers to the gateway.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './workbenchTools.mjs';

const program = join(root, 'dist/mcp.cjs');
// MCP clients do not wait long for a server, and start several at once: it is built when it is not there.
if (![program, join(root, 'dist/gateway.cjs')].every(existsSync)) runNode(process.execPath, ['scripts/build.mjs']);
const mcp = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal's Ctrl+C reaches it by itself; it must end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => mcp.kill(signal));
mcp.once('exit', (code) => process.exit(code ?? 1));
