/** Installs the Copilot engine into Tapline's folder, with the user's npm. The user sees the progress and can cancel. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ENGINE_PACKAGE, ENGINE_VERSION, engineFolders, engineHome, findEngine, noEngineHere } from '../../models/copilotEngine.ts';
import { UserError, withTimeout } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';

const INSTALL_TIMEOUT_MS = 10 * 60_000;

export function isEngineInstalled(extensionPath: string): boolean {
  return findEngine(engineFolders(extensionPath)) !== undefined;
}

/** Throws a {@link UserError} on a platform without an engine. */
export function checkPlatform(): void {
  const problem = noEngineHere();
  if (problem !== undefined) throw new UserError(`${problem} Everything else works: the demo agent and other agent hosts.`);
}

/** False when the user cancelled. Throws a {@link UserError} when npm is missing or fails, or has no engine for this platform. */
export async function installEngine(extensionPath: string, logger: Logger): Promise<boolean> {
  const folder = engineHome();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tapline-engine', private: true }));
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Installing the Copilot engine (about 50 MB)',
    cancellable: true,
  };
  return vscode.window.withProgress(progress, async (_report, token) => {
    const npm = spawn(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `${ENGINE_PACKAGE}@${ENGINE_VERSION}`],
      {
        cwd: folder,
        shell: process.platform === 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    const read = (chunk: unknown) => (output = (output + String(chunk)).slice(-4000));
    npm.stdout.on('data', read);
    npm.stderr.on('data', read);
    const cancelled = token.onCancellationRequested(() => npm.kill());
    try {
      const ended = new Promise<number | null>((resolve, reject) => {
        npm.once('exit', resolve);
        npm.once('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ENOENT' ? new UserError('npm was not found. Install Node.js (which brings npm), then try again.') : error),
        );
      });
      const code = await withTimeout(ended, INSTALL_TIMEOUT_MS, 'installing the Copilot engine');
      if (token.isCancellationRequested) return false;
      if (code !== 0) {
        logger.error(`npm ended with ${code}:\n${output}`);
        throw new UserError(`npm could not install the Copilot engine. ${lastLine(output)} The log has the rest.`);
      }
      if (isEngineInstalled(extensionPath)) return true;
      logger.error(`npm installed ${ENGINE_PACKAGE} without the part for ${process.platform}-${process.arch}:\n${output}`);
      throw new UserError(
        `npm installed the Copilot engine without its part for ${process.platform}-${process.arch}. Perhaps the registry that npm uses does not have it.`,
      );
    } finally {
      cancelled.dispose();
      npm.kill();
    }
  });
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
