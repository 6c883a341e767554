/** An agent host of this window: its client, its root state, and how it is shown. */
import * as l10n from '../../base/l10n.ts';
import { AgentHostClient, type AgentHostClientOptions } from '../../ahp/client/agentHostClient.ts';
import { isAddressHere } from '../../ahp/client/connection/hostUrl.ts';
import { HookServer } from '../../ahp/client/hookServer.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import { chatNamesMeta } from '../../ahp/chatNames.ts';
import { grantsMeta } from '../../ahp/grants.ts';
import { hooksMeta } from '../../ahp/hookRequests.ts';
import { lentFilesMeta } from '../../ahp/lentFiles.ts';
import type { AgentInfo, RootState } from '../../ahp/channels/root.ts';
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { HostConnectionView } from '../../views/hosts/hostConnectionView.ts';
import type { HostKind, HostProblem } from '../../views/hosts/hostProblem.ts';
import { hostInput, needsSignIn } from '../../views/sessionList/hostInput.ts';
import { LentFiles } from '../lending/lentFiles.ts';
import { runningBySession } from '../../views/session/terminals/sessionWork.ts';
import type { HostInput } from '../../views/sessionList/sessionTree.ts';
import { ShownConnection } from './shownConnection.ts';

export interface HostDefinition {
  /** `embedded`, `portal`, the URL of a host that the user added, or the id of a recording or of a host of VS Code. */
  id: string;
  label: string;
  kind: HostKind;
}

export class RegisteredHost implements Disposable {
  readonly id: string;
  readonly label: string;
  readonly kind: HostDefinition['kind'];
  readonly client: AgentHostClient;
  /** Answers what the host asks about its sessions. */
  readonly hooks = new HookServer();
  /** What of this computer it may read. */
  readonly lent: LentFiles;
  readonly root: ResourceModel<'root'>;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** The connection, the list of sessions or the root state changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #connection: ShownConnection;

  /** `before`: the problem of the connection that this one replaces. */
  constructor(definition: HostDefinition, options: AgentHostClientOptions, before?: HostProblem) {
    this.id = definition.id;
    this.label = definition.label;
    this.kind = definition.kind;
    this.client = this.#store.add(
      AgentHostClient.create({
        ...options,
        meta: { ...hooksMeta, ...grantsMeta, ...lentFilesMeta, ...chatNamesMeta },
        onHostRequest: (method, params) =>
          this.lent.serves(method) ? this.lent.answer(method, params) : this.hooks.answer(method, params),
      }),
    );
    this.lent = new LentFiles(this.client.clientId);
    this.#store.add(this.lent.onDidChange(() => this.#onDidChange.fire()));
    this.#connection = this.#store.add(new ShownConnection(this.client, this.kind, systemClock, before));
    this.root = this.#store.add(this.client.root());
    this.#store.add(this.client.onDidChangeState(() => this.#onDidChange.fire()));
    this.#store.add(this.client.sessions.onDidChange(() => this.#sessionsChanged()));
    this.#store.add(this.root.onDidChange(() => this.#onDidChange.fire()));
  }

  /** Why nothing can be sent to the host; undefined when it can. */
  get readOnly(): string | undefined {
    return this.kind === 'replay' ? l10n.t('This is a recording. Nothing can be sent to it.') : undefined;
  }

  get needsSignIn(): boolean {
    return needsSignIn(this.client.sessions);
  }

  get connection(): HostConnectionView {
    return this.#connection.view;
  }

  /** Only the seconds in `connection` changed. */
  get onDidCountDown() {
    return this.#connection.onDidCountDown;
  }

  input(): HostInput {
    const root = rootOf(this);
    const hasSettings = root?.config !== undefined;
    return { ...hostInput(this.id, this.label, this.connection, this.client), running: runningBySession(root), hasSettings };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #sessionsChanged(): void {
    const { sessions } = this.client;
    if (sessions.state === 'ready' && !sessions.isCut) this.lent.keepOnly((uri) => sessions.summary(uri) !== undefined);
    this.#onDidChange.fire();
  }
}

/** Undefined until the host has sent it. */
export function rootOf({ root: { confirmed } }: Pick<RegisteredHost, 'root'>): RootState | undefined {
  return confirmed;
}

/** Empty until the host has sent its root state. */
export function agentsOf(host: RegisteredHost): AgentInfo[] {
  return rootOf(host)?.agents ?? [];
}

/** The hosts that run on this computer, as the user, have its files. */
export function hasOurFiles({ kind }: Pick<RegisteredHost, 'kind'>): boolean {
  return kind === 'embedded' || kind === 'vscode';
}

/** True where the host has an address of this computer. What is behind a tunnel looks like that as well. */
export function isHere({ kind, id }: Pick<RegisteredHost, 'kind' | 'id'>): boolean {
  return kind !== 'configured' || isAddressHere(id);
}
