// npm run host: runs the agent host in the foreground. It prints its address as one JSON line on stdout, and logs to stderr.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, runNode } from './workbenchTools.mjs';

runNode(process.execPath, ['scripts/build.mjs']);
const host = spawn(process.execPath, [join(root, 'dist/host.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends Ctrl+C to the host too. This process waits until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => host.kill(signal));
host.once('exit', (code) => process.exit(code ?? 1));
