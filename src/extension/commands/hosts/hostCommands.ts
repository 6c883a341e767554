/** Adding, editing, removing and reconnecting agent hosts. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type HostRemedy, ownWords } from '../../../views/hosts/hostProblem.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { HostConfigPanels } from '../../hostConfig/hostConfigPanels.ts';
import type { VsCodeHosts } from '../../hosts/discovery/vsCodeHosts.ts';
import { type RegisteredHost, rootOf } from '../../hosts/registeredHost.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import type { HostTokens } from '../../hosts/hostTokens.ts';
import { browseHost } from '../../hostFiles/browseHost.ts';
import { confirm, showInfo } from '../../notifications.ts';
import { type HostSetting, settings } from '../../settings.ts';
import { askToken, type EnteredHost, enterHost } from './enteredHost.ts';
import { saveHost } from './saveHost.ts';
import { hostIdFromArgument, sessionFromArgument } from '../sessions/sessionArgument.ts';

export class HostCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly tokens: HostTokens,
    private readonly vsCodeHosts: VsCodeHosts,
    private readonly configPanels: HostConfigPanels,
  ) {}

  async add(): Promise<void> {
    await this.#save(await enterHost(l10n.t('Add Agent Host'), { name: '', url: '' }, undefined), undefined);
  }

  async edit(argument: unknown): Promise<void> {
    const old = await this.#pickSetting(argument, l10n.t('Which agent host do you want to edit?'));
    if (!old) return;
    await this.#save(await enterHost(l10n.t('Edit Agent Host'), old, await this.tokens.get(old.url)), old);
  }

  async #save(entered: EnteredHost | undefined, old: HostSetting | undefined): Promise<void> {
    if (!entered) return;
    await saveHost(entered, old, { tokens: this.tokens, settings });
    const { setting, found } = entered;
    if (found !== undefined) void showInfo(l10n.t`${oneLine(setting.name)} answered: ${found}. It is saved.`);
  }

  /** For a host that refused its token. Everything else stays as it is. */
  async enterToken(argument: unknown): Promise<void> {
    const setting = await this.#pickSetting(argument, l10n.t('For which agent host do you want to enter a token?'));
    if (!setting) return;
    const token = await askToken(l10n.t`Enter the Token of ${withoutMarkup(setting.name)}`, '');
    if (token === undefined) return;
    await this.tokens.set(setting.url, token || undefined);
  }

  /** Of hosts that have settings of their own. */
  async editSettings(argument: unknown): Promise<void> {
    const having = this.hosts.all.filter((host) => rootOf(host)?.config);
    const id = hostIdFromArgument(argument);
    const host = id ? this.hosts.get(id) : await this.#pickHost(l10n.t('Which agent host’s settings do you want to edit?'), having);
    if (host) this.configPanels.show(host.id);
    else if (having.length === 0)
      void showInfo(l10n.t('No agent host has settings that can be changed here. Hosts name them when they are connected.'));
  }

  /** `argument`: the row of a host or of one of its sessions. */
  async browse(argument: unknown): Promise<void> {
    const id = hostIdFromArgument(argument);
    const host = id ? this.hosts.get(id) : await this.#pickHost(l10n.t('Of which agent host do you want to browse files?'));
    if (host) await browseHost(host, sessionFromArgument(argument)?.uri);
  }

  async remove(argument: unknown): Promise<void> {
    const listed = this.hosts.get(hostIdFromArgument(argument) ?? '');
    if (listed?.kind === 'replay') return this.hosts.removeReplay(listed.id);
    if (listed?.kind === 'vscode') return this.#removeFound(listed);
    const setting = await this.#pickSetting(argument, l10n.t('Which agent host do you want to remove?'));
    if (!setting) return;
    const detail = l10n.t`Its sessions stay on the host, but are no longer listed here. The stored token for ${setting.url} is deleted.`;
    if (!(await confirm(l10n.t`Remove the agent host “${setting.name}”?`, detail, l10n.t('Remove')))) return;
    await settings.setHosts(settings.hosts().filter(({ url }) => url !== setting.url));
    await this.tokens.set(setting.url, undefined);
  }

  async #removeFound(host: RegisteredHost): Promise<void> {
    const detail = l10n.t(
      'Its sessions stay there, but are no longer listed here. “Tapline: Connect to VS Code’s Agent Host…” connects to it again.',
    );
    if (await confirm(l10n.t`Remove the agent host “${host.label}”?`, detail, l10n.t('Remove')))
      await this.vsCodeHosts.answer(host, 'notNow');
  }

  async reconnect(argument: unknown): Promise<void> {
    const id = hostIdFromArgument(argument);
    const host = id ? this.hosts.get(id) : await this.#pickHost(l10n.t('Which agent host do you want to reconnect to?'));
    if (host) await this.hosts.reconnect(host.id);
  }

  async showConnections(): Promise<void> {
    const items: (vscode.QuickPickItem & { run: () => unknown })[] = this.hosts.all.map((host) => {
      const { connected, text, problem } = host.connection;
      const [remedy] = problem?.remedies ?? [];
      return {
        label: `$(${connected ? 'vm-active' : 'vm-outline'}) ${withoutMarkup(host.label)}`,
        description: withoutMarkup(problem ? `${problem.brief} · ${text}` : text),
        detail: withoutMarkup(problem?.message ?? ownWords[host.kind] ?? host.id),
        run: () => this.#repair(remedy, { hostId: host.id }),
      };
    });
    items.push({ label: `$(plug) ${l10n.t('Add agent host…')}`, alwaysShow: true, run: () => this.add() });
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Agent hosts'),
      placeHolder: l10n.t('Choose a host to repair its connection or to reconnect to it, or add one'),
      matchOnDescription: true,
    });
    await picked?.run();
  }

  /** Runs the remedy for a host's problem. Without one it reconnects. */
  #repair(remedy: HostRemedy | undefined, host: { hostId: string }): Promise<void> {
    if (remedy === 'enterHostToken') return this.enterToken(host);
    return remedy === 'editHost' ? this.edit(host) : this.reconnect(host);
  }

  async #pickHost(placeHolder: string, all: readonly RegisteredHost[] = this.hosts.all): Promise<RegisteredHost | undefined> {
    if (all.length <= 1) return all[0];
    const items = all.map((host) => ({ label: withoutMarkup(host.label), description: withoutMarkup(host.connection.text), host }));
    return (await vscode.window.showQuickPick(items, { placeHolder }))?.host;
  }

  async #pickSetting(argument: unknown, placeHolder: string): Promise<HostSetting | undefined> {
    const all = settings.hosts();
    const url = hostIdFromArgument(argument);
    if (url) return all.find((host) => host.url === url);
    if (all.length === 0) {
      void showInfo(l10n.t('No agent host has been added yet. Add one with “Tapline: Add Agent Host…”.'));
      return undefined;
    }
    const items = all.map((host) => ({ label: withoutMarkup(host.name), description: host.url, host }));
    return (await vscode.window.showQuickPick(items, { placeHolder }))?.host;
  }
}
