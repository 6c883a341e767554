// npm run gateway: runs the gateway in the foreground. It prints its address as one JSON line on stdout, and logs to stderr. `-- status`
// shows the state of the running one, and `-- records` what it has kept.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './ensureBuilt.mjs';
import { root } from './workbenchTools.mjs';

const program = join(root, 'dist/gateway.cjs');
const options = process.argv.slice(2);
// A build takes long and replaces files that are in use, so who only asks builds only when there is nothing to run.
if (!['status', 'records'].includes(options[0]) || !existsSync(program)) ensureBuilt();
const gateway = spawn(process.execPath, [program, ...options], { stdio: 'inherit' });
// The terminal sends Ctrl+C to the gateway too. This process waits until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => gateway.kill(signal));
gateway.once('exit', (code) => process.exit(code ?? 1));
