/** Lets providers that are started in a terminal of this window connect by themselves. */
import * as l10n from '../../../base/l10n.ts';
import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { englishOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { providerTokenFile } from '../../../tap/owner/gatewayPaths.ts';

const DESCRIPTION = l10n.t('Lets tool providers that you start here connect to Tapline’s gateway.');

export class TerminalEnvironment {
  #shown = '';

  constructor(
    private readonly collection: vscode.EnvironmentVariableCollection,
    private readonly logger: Logger,
  ) {
    // The token is good for as long as its gateway runs, and must not be written to disk once more.
    collection.persistent = false;
    collection.description = DESCRIPTION;
  }

  /** Of the gateway that this window is connected to; undefined: none. */
  set(url: string | undefined): void {
    const token = url === undefined ? undefined : this.#token();
    const shown = url === undefined || token === undefined ? '' : `${url}\n${token}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.collection.clear();
    if (url === undefined || token === undefined) return;
    this.collection.replace('TAP_GATEWAY_URL', url);
    this.collection.replace('TAP_PROVIDER_TOKEN', token);
  }

  #token(): string | undefined {
    try {
      return readFileSync(providerTokenFile(), 'utf8').trim() || undefined;
    } catch (error) {
      this.logger.warn(`Terminals get no token for tool providers: ${englishOf(error)}`);
      return undefined;
    }
  }
}
