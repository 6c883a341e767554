// Runs the command in its arguments and ends it when the process that started it ends, which closes stdin.
// It has to run in a process group of its own. `--remove FOLDER`, before the command, names a folder to delete at the end.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [option, folder, command, ...args] = process.argv.slice(2);
if (option !== '--remove' || !command) throw new Error('usage: guard.mjs --remove FOLDER COMMAND [ARGUMENT …]');

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
// The signal goes to the whole group. This process ends with the command, in the same way.
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.once('close', () => {
  // The command must not write while the folder is deleted.
  child.kill('SIGKILL');
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } finally {
    process.kill(-process.pid, 'SIGKILL');
  }
});
