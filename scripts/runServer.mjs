// npm run host, npm run openctx: builds where something has changed, and runs dist/NAME.cjs in the foreground. It prints its address as one
// JSON line on stdout, and logs to stderr.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './ensureBuilt.mjs';
import { root } from './workbenchTools.mjs';

const [name, ...options] = process.argv.slice(2);
ensureBuilt();
const server = spawn(process.execPath, [join(root, `dist/${name}.cjs`), ...options], { stdio: 'inherit' });
// The terminal sends Ctrl+C to the server too. This process waits until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.once('exit', (code) => process.exit(code ?? 1));
