import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of Tapline's own files: `TAPLINE_HOME`, else `~/.tapline`. */
export function taplineHome(): string {
  return process.env.TAPLINE_HOME || join(homedir(), '.tapline');
}
