/** Runs a program that may use the network, and that nobody can answer: without a terminal, prompts and dialogs, and within a time. */
import type { Readable } from 'node:stream';
import { systemClock } from '../../clock.ts';
import { ChildGroup } from '../../process/childGroup.ts';
import { gitEnvironment } from './git.ts';

/** Characters of each output that are kept. */
const MAX_OUTPUT = 64 * 1024;

export interface UnattendedRun {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Besides those of this process. */
  env?: NodeJS.ProcessEnv;
  /** All of its standard input. */
  input?: string;
  timeoutMs: number;
  /** Ends it. */
  signal?: AbortSignal;
}

/** `late` and `stopped` were ended by us, so it is not known what they have done. */
export type UnattendedEnd =
  { kind: 'ended'; succeeded: boolean; stdout: string; stderr: string } | { kind: 'missing' | 'late' | 'stopped'; stderr: string };

/** No program asks at a terminal or in a window. Each of these is another one that would. */
const nobody = { GIT_ASKPASS: '', SSH_ASKPASS: 'false', SSH_ASKPASS_REQUIRE: 'force', GCM_INTERACTIVE: 'never', NO_COLOR: '1' };

export async function runUnattended({ command, args, cwd, env, input = '', timeoutMs, signal }: UnattendedRun): Promise<UnattendedEnd> {
  if (signal?.aborted) return { kind: 'stopped', stderr: '' };
  const group = new ChildGroup({ command, args, cwd, env: { ...gitEnvironment(), ...nobody, ...env }, input, clock: systemClock });
  const [stdout, stderr] = [textOf(group.stdout), textOf(group.stderr)];
  let why: 'late' | 'stopped' | undefined;
  const endAs = (reason: 'late' | 'stopped') => () => {
    why ??= reason;
    group.stop();
  };
  const late = systemClock.setTimer(endAs('late'), timeoutMs);
  const stop = endAs('stopped');
  signal?.addEventListener('abort', stop);
  try {
    const end = await group.ended;
    if (end.kind === 'notStarted') return { kind: 'missing', stderr: end.problem };
    if (why !== undefined) return { kind: why, stderr: await stderr };
    return { kind: 'ended', succeeded: end.code === 0, stdout: await stdout, stderr: await stderr };
  } finally {
    late.dispose();
    signal?.removeEventListener('abort', stop);
  }
}

/** Until the stream ends or is closed. What is too long is read, and not kept. */
function textOf(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      if (size < MAX_OUTPUT) chunks.push(chunk);
      size += chunk.length;
    });
    stream.on('error', () => undefined); // `close` follows
    stream.on('close', () => resolve(Buffer.concat(chunks).toString().slice(0, MAX_OUTPUT)));
  });
}
