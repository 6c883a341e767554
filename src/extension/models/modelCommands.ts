/** Commands that connect Copilot: the engine, a model of the user's own, or a GitHub account. */
import * as vscode from 'vscode';
import type { AgentInfo } from '../../ahp/channels/root.ts';
import { TimeoutError, UserError, withTimeout } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { confirm, showInfo } from '../notifications.ts';
import { settings } from '../settings.ts';
import { lacksModels, modelSources } from '../../views/hosts/agentModels.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry } from '../hosts/hostRegistry.ts';
import { askForModel } from './addModel.ts';
import { checkPlatform, installEngine, isEngineInstalled } from './engineInstaller.ts';
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
    await modelsArrived(host, agent);
    return true;
  }

  /** The command: for the agent of the built-in host. */
  async connect(): Promise<void> {
    const host = this.hosts.get(EMBEDDED_HOST_ID);
    const agent = host && agentsOf(host).find(takesOwnModels);
    if (!host || !agent)
      throw new UserError('The built-in agent host is not connected. Check that the setting tapline.embeddedHost.enabled is on.');
    await this.#connect(host, agent);
  }

  /** False when the user cancelled. */
  async #connect(host: RegisteredHost, agent: AgentInfo): Promise<boolean> {
    const isOwn = host.kind === 'embedded';
    const sources = modelSources(agent).filter((source) => isOwn || source === 'gitHub');
    if (sources.length === 0) throw new UserError(`${agent.displayName} on ${host.label} has no model. Connect one on that host.`);
    const items = [
      {
        source: 'ownModels' as const,
        label: '$(server) Add a model of your own…',
        detail: 'Ollama, LM Studio, or any server with an API like that of OpenAI, Azure or Anthropic',
        run: () => this.add(),
      },
      {
        source: 'gitHub' as const,
        label: '$(github) Sign in to GitHub',
        detail: isOwn ? 'Use the models of your Copilot subscription' : withoutMarkup(`Sends a token of your account to ${host.label}`),
        run: () => this.account.signIn(host.id),
      },
    ].filter(({ source }) => sources.includes(source));
    const title = withoutMarkup(`Connect ${oneLine(agent.displayName)}`);
    const picked =
      items.length === 1
        ? items[0]
        : await vscode.window.showQuickPick(items, { title, placeHolder: 'Which models should the agent use?' });
    if (!picked || (isOwn && !(await this.ensureEngine()))) return false;
    return picked.run();
  }

  /** True when the engine is installed, now or before. */
  async ensureEngine(): Promise<boolean> {
    if (isEngineInstalled(this.extensionPath)) return true;
    checkPlatform();
    const detail =
      'It is the package @github/copilot-sdk from the npm registry, about 50 MB to download and 130 MB on disk. It goes into Tapline’s own folder.';
    if (!(await confirm('Install the Copilot engine?', detail, 'Install'))) return false;
    if (!(await installEngine(this.extensionPath, this.logger))) return false;
    await this.models.giveAgain();
    this.account.giveAgain();
    return true;
  }

  /** True when a model was added that the host can use. */
  async add(): Promise<boolean> {
    const added = await askForModel(settings.models(), this.logger);
    if (!added || !(await this.models.save(added.setting, added.apiKey))) return false;
    void this.#tellAdded(added.setting.name);
    return true;
  }

  /** The user is asked, because servers do not say what their models can do. */
  async #tellAdded(name: string): Promise<void> {
    const open = 'Open Settings';
    const text = `“${name}” answered and is one of Copilot’s models now. Its context window, and whether it sees images, can be set in the settings.`;
    if ((await showInfo(text, open)) === open) await settings.openModels();
  }

  async remove(): Promise<void> {
    const all = settings.models();
    if (all.length === 0) {
      void showInfo('You have added no models.');
      return;
    }
    const items = all.map((model) => ({ label: withoutMarkup(model.name), description: model.baseUrl, model }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Remove a Model', placeHolder: 'Which one?' });
    if (picked) await this.models.remove(picked.model.id);
  }
}

const takesOwnModels = (agent: AgentInfo) => modelSources(agent).includes('ownModels');

/** Waits until the agent has models, after the host got an account or a list. */
async function modelsArrived(host: RegisteredHost, { provider, displayName }: AgentInfo): Promise<void> {
  const haveArrived = () => agentsOf(host).some((agent) => agent.provider === provider && agent.models.length > 0);
  const listening = new DisposableStore();
  const arrived = new Promise<void>((resolve) => {
    const look = () => haveArrived() && resolve();
    listening.add(host.onDidChange(look));
    look();
  });
  try {
    await withTimeout(arrived, ARRIVAL_TIMEOUT_MS, `the list of models of ${displayName}`);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new UserError(`${displayName} lists no models. Check that your GitHub account has Copilot, or add a model of your own.`);
  } finally {
    listening.dispose();
  }
}
