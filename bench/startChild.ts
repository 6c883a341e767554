/**
 * A process of a measurement, bundled as what users run is: the loader that runs the sources gives each function its name anew whenever it is made,
 * which is a tenth of what the gateway does for a call. It says in its first message where it listens, and ends when it is disconnected. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withTimeout } from '../src/base/errors.ts';

const WAIT_MS = 60_000;
const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
const { dependencies, devDependencies } = JSON.parse(manifest) as Record<'dependencies' | 'devDependencies', object>;

export interface Child<Said> {
  readonly process: ChildProcess;
  readonly said: Said;
  stop(): Promise<void>;
}

export async function startChild<Said>(script: string, ...args: string[]): Promise<Child<Said>> {
  const child = fork(await bundled(script), args, { execArgv: ['--expose-gc'] });
  return {
    process: child,
    said: await nextMessage<Said>(child, `starting ${script}`),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await withTimeout(ended, WAIT_MS, `ending ${script}`);
    },
  };
}

export async function nextMessage<Message>(child: ChildProcess, what: string): Promise<Message> {
  const said = new Promise((resolve) => child.once('message', resolve));
  return (await withTimeout(said, WAIT_MS, what)) as Message;
}

async function bundled(script: string): Promise<string> {
  // In the project, so that packages are found.
  const outfile = join(import.meta.dirname, '..', 'dist-test', 'bench', script.replace(/\.ts$/, '.mjs'));
  const entryPoints = [join(import.meta.dirname, script)];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Immer looks at the environment at each change of a list, where it is not bundled for production.
    external: Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== 'immer'),
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outfile;
}
