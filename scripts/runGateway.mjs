// npm run gateway: the gateway in the foreground (one JSON line on stdout says where it is; logs go to stderr), or `-- status` of the running one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './workbenchTools.mjs';

const program = join(root, 'dist/gateway.cjs');
const options = process.argv.slice(2);
// A build takes long and replaces files that are in use: not for a look at the running one.
if (options[0] !== 'status' || !existsSync(program)) runNode(process.execPath, ['scripts/build.mjs']);
const gateway = spawn(process.execPath, [program, ...options], { stdio: 'inherit' });
// The terminal's Ctrl+C reaches the gateway by itself; it must end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => gateway.kill(signal));
gateway.once('exit', (code) => process.exit(code ?? 1));
