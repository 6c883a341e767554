/** The agent host, bundled from the sources as they are, with a version of the test's choice. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

export interface HostBundle {
  readonly script: string;
  remove(): void;
}

export async function bundleHost(version: string): Promise<HostBundle> {
  // Inside the repository, so that the native module is found.
  mkdirSync(join(root, 'dist-test'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist-test/host-'));
  const script = join(folder, 'host.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/host/main.ts'],
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['@lydell/node-pty', 'bufferutil', 'utf-8-validate'],
    define: { TAPLINE_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
