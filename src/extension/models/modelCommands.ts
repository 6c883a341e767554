/** Commands that connect Copilot: the engine, a model of the user's own, or a GitHub account. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { AgentInfo, SessionModelInfo } from '../../ahp/channels/root.ts';
import { TimeoutError, UserError, withTimeout } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { confirm, showInfo } from '../notifications.ts';
import { ENGINE_LICENSE, ENGINE_PACKAGE } from '../../models/copilotEngine.ts';
import { type ModelSetting, settings } from '../settings.ts';
import { lacksModels, modelSources } from '../../views/hosts/agentModels.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry } from '../hosts/hostRegistry.ts';
import { askForModel } from './addModel.ts';
import { askForChange } from './editModel.ts';
import { checkPlatform, installEngine, isEngineInstalled } from './engine/engineInstaller.ts';
import type { GitHubAccount } from './gitHubAccount.ts';
import type { OwnModels } from './ownModels.ts';

const ARRIVAL_TIMEOUT_MS = 15_000;

export class ModelCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly models: OwnModels,
    private readonly account: GitHubAccount,
    private readonly extensionPath: string,
    private readonly logger: Logger,
  ) {}

  /** Asks for what the agent still needs before a session can work. True when it has an engine and a model. */
  async prepare(host: RegisteredHost, agent: AgentInfo): Promise<boolean> {
    if (!lacksModels(agent)) return host.kind !== 'embedded' || !takesOwnModels(agent) || this.ensureEngine();
    if (!(await this.#connect(host, agent))) return false;
    const remedy = l10n.t('Check that your GitHub account has Copilot, or add a model of your own.');
    await untilModel(host, agent, () => true, l10n.sentencesText([l10n.t`${oneLine(agent.displayName)} lists no models.`, remedy]));
    return true;
  }

  /** The same for a session with a model of the user's own, which is added when there is none. Its id; undefined when the user cancelled. */
  async prepareOwn(host: RegisteredHost, agent: AgentInfo): Promise<string | undefined> {
    if (!(await this.ensureEngine())) return undefined;
    const model = settings.models()[0] ?? (await this.#add());
    if (!model) return undefined;
    await untilModel(
      host,
      agent,
      ({ id }) => id === model.id,
      l10n.t`“${model.name}” is not among the models of ${host.label}. The log says why.`,
    );
    return model.id;
  }

  /** The command: for the agent of the built-in host. */
  async connect(): Promise<void> {
    const host = this.hosts.get(EMBEDDED_HOST_ID);
    const agent = host && agentsOf(host).find(takesOwnModels);
    if (!host || !agent)
      throw new UserError(l10n.t('The built-in agent host is not connected. Check that the setting tapline.embeddedHost.enabled is on.'));
    await this.#connect(host, agent);
  }

  /** False when the user cancelled. */
  async #connect(host: RegisteredHost, agent: AgentInfo): Promise<boolean> {
    const isOwn = host.kind === 'embedded';
    const sources = modelSources(agent).filter((source) => isOwn || source === 'gitHub');
    if (sources.length === 0)
      throw new UserError(l10n.t`${oneLine(agent.displayName)} on ${host.label} has no model. Connect one on that host.`);
    const items = [
      {
        source: 'ownModels' as const,
        label: `$(server) ${l10n.t('Add a model of your own…')}`,
        detail: l10n.t('Ollama, LM Studio, or any server with an API like that of OpenAI, Azure or Anthropic'),
        run: () => this.add(),
      },
      {
        source: 'gitHub' as const,
        label: `$(github) ${l10n.t('Sign in to GitHub')}`,
        detail: isOwn
          ? l10n.t('Use the models of your Copilot subscription')
          : withoutMarkup(l10n.t`Sends a token of your account to ${host.label}`),
        run: () => this.account.signIn(host.id),
      },
    ].filter(({ source }) => sources.includes(source));
    const title = withoutMarkup(l10n.t`Connect ${oneLine(agent.displayName)}`);
    const picked =
      items.length === 1
        ? items[0]
        : await vscode.window.showQuickPick(items, { title, placeHolder: l10n.t('Which models should the agent use?') });
    if (!picked || (isOwn && !(await this.ensureEngine()))) return false;
    return picked.run();
  }

  /** True when the engine is installed, now or before. */
  async ensureEngine(): Promise<boolean> {
    if (isEngineInstalled(this.extensionPath)) return true;
    checkPlatform();
    const detail = l10n.sentencesText([
      l10n.t(
        'It is the program that works with the model: it reads and edits files and runs commands. With a model of your own it needs no account.',
      ),
      l10n.t`It is the package ${ENGINE_PACKAGE} from the npm registry, under the ${ENGINE_LICENSE} license, about 50 MB to download and 130 MB on disk. It goes into Tapline’s own folder.`,
    ]);
    if (!(await confirm(l10n.t('Install the Copilot engine?'), detail, l10n.t('Install')))) return false;
    if (!(await installEngine(this.extensionPath, this.logger))) return false;
    await this.models.giveAgain();
    this.account.giveAgain();
    return true;
  }

  /** True when a model was added that the host can use. */
  async add(): Promise<boolean> {
    return (await this.#add()) !== undefined;
  }

  async #add(): Promise<ModelSetting | undefined> {
    const added = await askForModel(settings.models(), this.logger);
    if (!added || !(await this.models.save(added.setting, added.apiKey))) return undefined;
    void this.#tellAdded(added.setting.name);
    return added.setting;
  }

  /** The user is asked, because servers do not say what their models can do. */
  async #tellAdded(name: string): Promise<void> {
    const open = l10n.t('Open Settings');
    const text = l10n.t`“${name}” answered, and sessions can use it now. Its context window, and whether it sees images, can be set in the settings.`;
    if ((await showInfo(text, open)) === open) await settings.openModels();
  }

  async edit(): Promise<void> {
    const all = settings.models();
    if (all.length === 0) throw new UserError(l10n.t('You have added no models.'));
    const changed = await askForChange(all, this.logger);
    if (changed?.key) await this.models.save(changed.setting, changed.key.apiKey);
    else if (changed) await this.models.saveWithKey(changed.setting);
  }

  async remove(): Promise<void> {
    const all = settings.models();
    if (all.length === 0) {
      void showInfo(l10n.t('You have added no models.'));
      return;
    }
    const items = all.map((model) => ({ label: withoutMarkup(model.name), description: model.baseUrl, model }));
    const picked = await vscode.window.showQuickPick(items, { title: l10n.t('Remove a Model'), placeHolder: l10n.t('Which one?') });
    if (picked) await this.models.remove(picked.model.id);
  }
}

/** The agent can work with a model of the user's own. */
export const takesOwnModels = (agent: AgentInfo) => modelSources(agent).includes('ownModels');

/** Waits until the agent has such a model, after the host got an account or a list. Throws a {@link UserError} with the text when none comes. */
async function untilModel(
  host: RegisteredHost,
  { provider, displayName }: AgentInfo,
  isIt: (model: SessionModelInfo) => boolean,
  missing: string,
): Promise<void> {
  const hasArrived = () => agentsOf(host).some((agent) => agent.provider === provider && agent.models.some(isIt));
  const listening = new DisposableStore();
  const arrived = new Promise<void>((resolve) => {
    const look = () => hasArrived() && resolve();
    listening.add(host.onDidChange(look));
    look();
  });
  try {
    await withTimeout(arrived, ARRIVAL_TIMEOUT_MS, l10n.t`the list of models of ${displayName}`);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new UserError(missing);
  } finally {
    listening.dispose();
  }
}
