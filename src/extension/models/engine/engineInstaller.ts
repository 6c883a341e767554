/** Installs the Copilot engine into Tapline's folder, with the user's npm. The user sees the progress and can cancel. */
import * as l10n from '../../../base/l10n.ts';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ENGINE_PACKAGE, engineFolders, engineHome, findEngine, noEngineHere } from '../../../models/copilotEngine.ts';
import { UserError } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { said } from '../../../base/text/phrase.ts';
import { npmCi } from './npmCi.ts';

export function isEngineInstalled(extensionPath: string): boolean {
  return findEngine(engineFolders(extensionPath)) !== undefined;
}

/** Throws a {@link UserError} on a platform without an engine. */
export function checkPlatform(): void {
  const problem = noEngineHere();
  if (problem !== undefined)
    throw new UserError(l10n.sentencesText([said(problem), l10n.t('Everything else works: the demo agent and other agent hosts.')]));
}

/** False when the user cancelled. Throws a {@link UserError} when npm is missing or fails, or has no engine for this platform. */
export async function installEngine(extensionPath: string, logger: Logger): Promise<boolean> {
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Installing the Copilot engine (about 50 MB)'),
    cancellable: true,
  };
  return vscode.window.withProgress(progress, async (_report, token) => {
    const stop = new AbortController();
    const cancelled = token.onCancellationRequested(() => stop.abort());
    try {
      const { code, output } = await npmCi(engineHome(), join(extensionPath, 'dist', 'engine'), stop.signal);
      if (code === undefined) return false;
      if (code !== 0) {
        logger.error(`npm ended with ${code}:\n${output}`);
        throw new UserError(l10n.t`npm could not install the Copilot engine. ${lastLine(output)} The log has the rest.`);
      }
      if (isEngineInstalled(extensionPath)) return true;
      logger.error(`npm installed ${ENGINE_PACKAGE} without the part for ${process.platform}-${process.arch}:\n${output}`);
      throw new UserError(
        l10n.t`npm installed the Copilot engine without its part for ${process.platform}-${process.arch}. Perhaps the registry that npm uses does not have it.`,
      );
    } finally {
      cancelled.dispose();
    }
  });
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
