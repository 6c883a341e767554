/** Installs what a lock file names, with the user's npm. */
import * as l10n from '../../../base/l10n.ts';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError, withTimeout } from '../../../base/errors.ts';

const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** Characters of what npm prints. */
const OUTPUT_KEPT = 4_000;
const OPTIONS = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

export interface Installation {
  /** Of npm; undefined where it was cancelled. 0: everything is there, with the content that the lock file says. */
  code: number | undefined;
  /** The end of what npm printed. */
  output: string;
}

/**
 * `lockFolder` has the `package.json` and `package-lock.json` of what is installed into `folder`. No script of a package runs. Rejects with
 * a {@link UserError} where there is no npm, and after ten minutes.
 */
export async function npmCi(folder: string, lockFolder: string, signal: AbortSignal): Promise<Installation> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(lockFolder, name), join(folder, name));
  const npm = spawn('npm', ['ci', ...OPTIONS], {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output = (output + String(chunk)).slice(-OUTPUT_KEPT)));
  const cancel = () => npm.kill();
  signal.addEventListener('abort', cancel);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      npm.once('close', resolve);
      npm.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ENOENT' ? new UserError(l10n.t('npm was not found. Install Node.js (which brings npm), then try again.')) : error,
        ),
      );
    });
    const code = await withTimeout(ended, INSTALL_TIMEOUT_MS, l10n.t('installing the Copilot engine'));
    return { code: signal.aborted ? undefined : (code ?? 1), output };
  } finally {
    signal.removeEventListener('abort', cancel);
    npm.kill();
  }
}
