/** The user's word about the agent hosts of VS Code on this computer. Nothing connects to one without it. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { NamedHost, VsCodeHosts } from '../../hosts/discovery/vsCodeHosts.ts';
import { showInfo } from '../../notifications.ts';
import { hostIdFromArgument } from '../sessions/sessionArgument.ts';

export class VsCodeHostCommands {
  constructor(private readonly hosts: VsCodeHosts) {}

  /** From a row of the Sessions view, or from the palette: also for those that were declined. */
  async connect(argument: unknown): Promise<void> {
    await this.hosts.look(true);
    const host = await this.#choose(hostIdFromArgument(argument));
    if (host) await this.hosts.answer(host, 'connect');
  }

  async decline(argument: unknown): Promise<void> {
    const id = hostIdFromArgument(argument);
    const host = this.hosts.offered.find((one) => one.id === id);
    if (host) await this.hosts.answer(host, 'notNow');
  }

  async #choose(id: string | undefined): Promise<NamedHost | undefined> {
    const accepted = new Set(this.hosts.accepted.map((host) => host.id));
    const all = this.hosts.found.filter((host) => (id === undefined ? !accepted.has(host.id) : host.id === id));
    if (all.length === 0) {
      const isListed = this.hosts.found.length > 0;
      void showInfo(
        isListed
          ? l10n.t('The agent host of VS Code that runs on this computer is in the Sessions view already.')
          : l10n.t(
              'No agent host of VS Code is running on this computer that Tapline can use. Start a session with an agent in VS Code, and try again. The log says what was left out, and why.',
            ),
      );
      return undefined;
    }
    if (id !== undefined) return all[0];
    const items = all.map((host) => ({ label: withoutMarkup(host.label), description: l10n.t('agent host on this computer'), host }));
    return (
      await vscode.window.showQuickPick(items, {
        title: l10n.t('Connect to VS Code’s Agent Host'),
        placeHolder: l10n.t('Choose the host to connect to'),
      })
    )?.host;
  }
}
