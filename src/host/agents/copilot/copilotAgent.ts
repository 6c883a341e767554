/** GitHub Copilot as an agent of this host: its engine, its models, and the accounts that they are used with. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelInfo } from '@github/copilot-sdk';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { ProtectedResourceMetadata, URI } from '../../../ahp/common/shapes.ts';
import type { CommandResult } from '../../../ahp/channels/commands.ts';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import type { AgentInfo, SessionModelInfo } from '../../../ahp/channels/root.ts';
import { noEngineHere } from '../../../models/copilotEngine.ts';
import { englishOf, messageOf, TimeoutError, UserError, withTimeout } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Logger } from '../../../base/log.ts';
import { isReasoningEffort } from '../../../models/endpointChecks.ts';
import { MODEL_ENDPOINTS_RESOURCE, type ModelEndpoint } from '../../../models/modelEndpoints.ts';
import type { Agent, AgentChat, AgentChatHost, ChatName, SessionConfigQuery } from '../agent.ts';
import { configSchema, configValues } from './copilotOptions.ts';
import { CopilotChat } from './copilotChat.ts';
import { type ChosenModel, engineSessionId } from './engine/conversation.ts';
import { checkedEndpoints, effortSchema, endpointModel, endpointProvider, parseEndpoints } from './engine/endpoints.ts';
import { ForkedSessions } from './engine/forkedSessions.ts';
import { Engine } from './engine/engine.ts';
import { phrase, said, type Words } from '../../../base/text/phrase.ts';
import type { OwnModules } from './permissions/runsLater.ts';

export const PROVIDER = 'copilot';
export const GITHUB_RESOURCE = 'https://api.github.com';
const NO_MODULES: OwnModules = { folders: new Set(), files: new Set() };
const MODELS_TIMEOUT_MS = 25_000;
const DELETE_TIMEOUT_MS = 10_000;

export interface CopilotAgentOptions {
  logger: Logger;
  /** `node_modules` folders that may hold the engine (`engineFolders`). */
  engineFolders: readonly string[];
  /** Where the engine keeps its sessions and settings. */
  home: string;
  /** Folders of Tapline itself, and files that it runs by. Changes of them are asked about each time. */
  ownFolders: readonly string[];
  /** Modules that Tapline runs. They are asked about in the same way. */
  ownModules?: OwnModules;
  /** Models of the command line. Lists of clients are added to them, without those of the same id. */
  endpoints?: readonly ModelEndpoint[];
}

export class CopilotAgent implements Agent {
  readonly #engine: Engine;
  readonly #forks: ForkedSessions;
  #endpoints: readonly ModelEndpoint[];
  /** The token of the account, in memory only, and the models that it may use. */
  #account: { token: string; models: ModelInfo[] } | undefined;
  /** Backends by chat, until they are disposed. */
  readonly #chats = new Map<URI, WeakRef<CopilotChat>>();
  readonly #didChangeInfo = new Emitter<AgentInfo>();
  readonly onDidChangeInfo = this.#didChangeInfo.event;
  #info: AgentInfo;
  /** What {@link info} says about the engine. */
  #wasThere = false;

  constructor(private readonly options: CopilotAgentOptions) {
    const { logger, engineFolders: folders, home, endpoints = [] } = options;
    this.#endpoints = endpoints;
    this.#engine = new Engine({ logger, folders, home });
    this.#forks = new ForkedSessions(home);
    this.#info = this.#currentInfo();
  }

  get info(): AgentInfo {
    return this.#info;
  }
  /** The engine's process, if it is running. */
  get enginePid(): number | undefined {
    return this.#engine.pid;
  }

  /** Replaces the models that a client gave. Throws when the list is malformed. */
  setEndpoints(endpoints: readonly ModelEndpoint[]): void {
    const always = this.options.endpoints ?? [];
    const given = checkedEndpoints(endpoints).filter(({ id }) => !always.some((one) => one.id === id));
    this.#endpoints = [...always, ...given];
    this.#publish();
  }

  async resolveSessionConfig({ config }: SessionConfigQuery): Promise<CommandResult<'resolveSessionConfig'>> {
    this.#look();
    return { schema: configSchema, values: configValues(config) };
  }

  async sessionConfigCompletions(): Promise<CommandResult<'sessionConfigCompletions'>['items']> {
    return [];
  }

  async authenticate(resource: string, token: string): Promise<boolean> {
    if (resource !== MODEL_ENDPOINTS_RESOURCE) return await this.#signIn(token);
    try {
      this.setEndpoints(parseEndpoints(token));
    } catch (error) {
      throw new RpcError(ErrorCode.InvalidParams, `token: ${messageOf(error)}`);
    }
    return true;
  }

  /** A turn that runs goes on with it. The next one needs another model or account. */
  forgetToken(resource: string): void {
    if (resource === MODEL_ENDPOINTS_RESOURCE) return this.setEndpoints([]);
    this.#account = undefined;
    this.#publish();
  }

  async createChat(host: AgentChatHost): Promise<AgentChat> {
    this.#look();
    const missing = this.#missing();
    // An existing chat is opened in any case. Its next turn says what is missing.
    if (missing !== undefined && host.chatState.turns.length === 0) throw new UserError(missing);
    const { home, ownFolders, ownModules = NO_MODULES } = this.options;
    const chat: CopilotChat = new CopilotChat(
      host,
      this.#engine,
      (selection) => this.#choose(selection),
      [home, ...ownFolders],
      ownModules,
      this.#forks,
      (source, turnId) => this.#chats.get(source)?.deref()?.forkPoint(turnId),
    );
    this.#chats.set(host.chat, new WeakRef(chat));
    return chat;
  }

  async deleteChat(name: ChatName): Promise<void> {
    const own = engineSessionId(name);
    const id = this.#forks.idOf(own);
    // The engine's last writes for it would create its folder again.
    await this.#chats.get(name.chat)?.deref()?.leave();
    this.#chats.delete(name.chat);
    try {
      if (this.#engine.pid !== undefined) await this.#deleteInEngine(id);
    } finally {
      // Also for sessions that the engine does not list: one without messages, or when the engine is not running.
      await rm(join(this.options.home, 'session-state', id), { recursive: true, force: true });
      this.#forks.forget(own);
    }
  }

  async #deleteInEngine(id: string): Promise<void> {
    const { client } = await this.#engine.start();
    const known = await withTimeout(client.getSessionMetadata(id), DELETE_TIMEOUT_MS, 'looking for the session');
    if (known) await withTimeout(client.deleteSession(id), DELETE_TIMEOUT_MS, 'deleting the session in the engine');
  }

  dispose(): void {
    this.#engine.dispose();
    this.#didChangeInfo.dispose();
  }

  /** True when GitHub lists models for the token. */
  async #signIn(token: string): Promise<boolean> {
    try {
      const { client } = await this.#engine.start();
      const { models } = await withTimeout(
        client.rpc.models.list({ gitHubToken: token }),
        MODELS_TIMEOUT_MS,
        phrase`the list of models of GitHub`,
      );
      this.#account = { token, models: models as ModelInfo[] };
    } catch (error) {
      const why = englishOf(error).replaceAll(token, '…');
      this.options.logger.warn(`The GitHub account could not be used: ${why}`);
      // The token is not the reason, so signing in again would not help.
      if (error instanceof UserError || error instanceof TimeoutError || /network|fetch failed/i.test(why))
        throw new RpcError(ErrorCode.InternalError, l10n.t`GitHub could not be asked: ${messageOf(error).replaceAll(token, '…')}`);
      return false;
    }
    this.#publish();
    return true;
  }

  #missing(): Words | undefined {
    if (!this.#hasEngine) return noEngineHere() ?? phrase`The Copilot engine is not installed on this computer.`;
    if (this.#endpoints.length > 0 || this.#account) return undefined;
    return phrase`Copilot needs a model: sign in to GitHub, or add a model of your own.`;
  }

  /** The engine is only asked for once a model is chosen, so that a list of agents names first what comes first. */
  #notConnected(): string | undefined {
    const isConnected = this.#endpoints.length > 0 || this.#account !== undefined;
    return isConnected || noEngineHere() !== undefined ? undefined : l10n.t('Not connected to a model yet.');
  }

  #choose(selection: ModelSelection | undefined): ChosenModel {
    const missing = this.#missing();
    if (missing !== undefined) throw new UserError(missing);
    const id = selection?.id ?? this.#info.models[0]?.id;
    const asked = selection?.config?.reasoningEffort;
    const endpoint = this.#endpoints.find((one) => one.id === id);
    if (endpoint) {
      const initially = typeof endpoint.reasoningEffort === 'string' ? endpoint.reasoningEffort : undefined;
      const reasoningEffort = !endpoint.reasoningEffort ? undefined : isReasoningEffort(asked) ? asked : initially;
      return {
        name: endpoint.name,
        vision: endpoint.vision === true,
        config: { model: endpoint.model ?? endpoint.id, ...endpointProvider(endpoint), ...(reasoningEffort && { reasoningEffort }) },
      };
    }
    const model = this.#account?.models.find((one) => one.id === id);
    if (model && this.#account)
      return {
        name: model.name,
        vision: model.capabilities?.supports?.vision === true,
        config: { model: model.id, gitHubToken: this.#account.token, ...(isReasoningEffort(asked) && { reasoningEffort: asked }) },
      };
    throw new UserError(
      phrase`The model “${id ?? ''}” is not offered any more. Choose one of: ${this.#info.models.map(({ name }) => name).join(', ')}.`,
    );
  }

  /** A running engine is used even while it is being replaced on disk. */
  get #hasEngine(): boolean {
    return this.#engine.isThere || this.#engine.pid !== undefined;
  }

  /** The engine may have been installed or removed since. Clients read this before they use the agent. */
  #look(): void {
    if (this.#hasEngine !== this.#wasThere) this.#publish();
  }

  #publish(): void {
    this.#info = this.#currentInfo();
    this.#didChangeInfo.fire(this.#info);
  }

  #currentInfo(): AgentInfo {
    const own = this.#endpoints.map((endpoint) => endpointModel(endpoint, PROVIDER));
    const ofAccount = (this.#account?.models ?? []).map(accountModel).filter(({ id }) => !own.some((model) => model.id === id));
    const missing = this.#missing();
    this.#wasThere = this.#hasEngine;
    return {
      provider: PROVIDER,
      displayName: 'GitHub Copilot',
      description:
        this.#notConnected() ??
        (missing === undefined
          ? l10n.t('Works in the folder of the session: reads and edits files, runs commands, and asks before it does.')
          : said(missing)),
      models: [...own, ...ofAccount],
      capabilities: { multipleChats: { fork: true, sideChat: true } },
      protectedResources: resources(this.#wasThere && own.length === 0),
    };
  }
}

/** Without models of the user's own the account is required. The list of own models is never required. */
function resources(needsAccount: boolean): ProtectedResourceMetadata[] {
  return [
    {
      resource: GITHUB_RESOURCE,
      resource_name: 'GitHub',
      authorization_servers: ['https://github.com/login/oauth'],
      scopes_supported: ['read:user'],
      bearer_methods_supported: ['header'],
      required: needsAccount,
    },
    { resource: MODEL_ENDPOINTS_RESOURCE, resource_name: l10n.t('Models of your own'), required: false },
  ];
}

function accountModel({ id, name, capabilities, policy, supportedReasoningEfforts, defaultReasoningEffort }: ModelInfo): SessionModelInfo {
  const efforts = (supportedReasoningEfforts ?? []).filter(isReasoningEffort);
  const window = capabilities?.limits?.max_context_window_tokens;
  return {
    id,
    provider: PROVIDER,
    name,
    ...(window && { maxContextWindow: window }),
    supportsVision: capabilities?.supports?.vision === true,
    ...(policy && { policyState: policy.state }),
    ...(efforts[0] && { configSchema: effortSchema(efforts, defaultReasoningEffort ?? efforts[0]) }),
  };
}
