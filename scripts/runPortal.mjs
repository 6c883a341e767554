// npm run portal: runs the portal in the foreground. It prints its address as one JSON line on stdout, and logs to stderr.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './ensureBuilt.mjs';
import { root } from './workbenchTools.mjs';

ensureBuilt();
// tsx reads entries that are written in TypeScript.
const portal = spawn(process.execPath, ['--import=tsx', join(root, 'dist/portal.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends Ctrl+C to the portal too. This process waits until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => portal.kill(signal));
portal.once('exit', (code) => process.exit(code ?? 1));
