// npm run host: the agent host in the foreground. One JSON line on stdout says where it is; logs go to stderr.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, runNode } from './workbenchTools.mjs';

runNode(process.execPath, ['scripts/build.mjs']);
const host = spawn(process.execPath, [join(root, 'dist/host.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal's Ctrl+C reaches the host by itself; it must end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => host.kill(signal));
host.once('exit', (code) => process.exit(code ?? 1));
