// Runs the command in its arguments for as long as its starter lives: stdin ends when the starter does, however it ends.
// The starter puts it into a process group of its own. `--remove FOLDER` comes first and names what goes with it.
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
// It goes to the whole group: this process ends with the command, and as it did.
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.once('close', () => {
  // It must not write while the folder goes.
  child.kill('SIGKILL');
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } finally {
    process.kill(-process.pid, 'SIGKILL');
  }
});
