/** Runs `followJob.mjs`, as a process of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(import.meta.dirname, 'followJob.mjs');
type Response = Record<string, unknown>;

/** Resolves with what it was told, by the path of the queue, once the job is closed. */
export async function followJob(
  { url, token }: { url: string; token: string | null | undefined },
  jobId: string,
  onResponse: (path: string, response: Response) => void,
): Promise<Record<string, Response[]>> {
  const child = spawn(process.execPath, [program, url, String(token), jobId], { stdio: ['ignore', 'pipe', 'inherit'] });
  const heard: Record<string, Response[]> = {};
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [path, response] = JSON.parse(line) as [string, Response];
      (heard[path] ??= []).push(response);
      onResponse(path, response);
    }
    const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number | null]) : [child.exitCode];
    assert.equal(code, 0, 'the program has failed');
    return heard;
  } finally {
    child.kill();
  }
}
