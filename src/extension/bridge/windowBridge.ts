/** The bridge in a VS Code window: follows its sessions, hosts and settings, and does what its commands ask. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { HookServer } from '../../ahp/client/hookServer.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sha256 } from '../../base/node/sha256.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { type GatewayHealth, hasUsersProviders } from '../../views/providers/facts.ts';
import { type SessionPrograms, sessionPrograms } from '../../views/providers/served.ts';
import { isTracing, type TracesConfig } from '../../tap/wire/traces/tracesConfig.ts';
import { trustWords } from '../../views/pairing/trustWords.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { OpenReview, Reviews } from '../attention/windowAttention.ts';
import type { LendingInfo } from '../../webviews/session/protocol.ts';
import { commandName } from '../commandTable.ts';
import { hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';
import { askToTryAgain, showError, showInfo } from '../notifications.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { FailureNotice } from '../window/failureNotice.ts';
import { ToolQuestions } from '../questions/toolQuestions.ts';
import { settings } from '../settings.ts';
import { Bridge, type BridgedHost } from './bridge.ts';
import { GatewayDaemon } from './gateway/bundledGateway.ts';
import { GatewayHealthWatch, OFF_BY_SETTING } from './gateway/gatewayHealth.ts';
import { GatewayItem } from './gateway/gatewayItem.ts';
import { GatewayTraces } from './gateway/gatewayTraces.ts';
import { ProvidersShown } from './gateway/providersShown.ts';
import { TerminalEnvironment } from './gateway/terminalEnvironment.ts';
import { ModelHostSession } from './hosted/modelHostSession.ts';
import { lendingInfo, lendingLine, lentHere, windowName } from './session/lending.ts';
import type { SessionBridge } from './session/sessionBridge.ts';
import type { TraceChoice } from './session/turnTraces.ts';
import type { ToolsOfOne } from './tools/byProvider.ts';
import { NewTools } from './tools/newTools.ts';
import { ToolConsent } from './tools/toolConsent.ts';
import { reviewTools } from './tools/toolReview.ts';
import { fingerprintOf } from './tools/toolSwitches.ts';
import { namedText } from '../../views/text/decisionLines.ts';

/** The hosts of the window. */
export interface WindowHosts {
  /** `readOnly`: why nothing can be sent to it. */
  get(id: string):
    | (Pick<RegisteredHost, 'kind'> & {
        readonly client: AgentHostClient;
        readonly hooks: HookServer;
        readonly readOnly: string | undefined;
      })
    | undefined;
  readonly onDidChange: Event<void>;
}

/** The sessions that the window shows. */
export interface WindowViews {
  readonly activeRef: SessionRef | undefined;
  isVisible(ref: SessionRef): boolean;
  readonly onDidChange: Event<void>;
}

// eslint-disable-next-line texts/translated -- for the model
const SWITCHED_OFF = 'The user has switched the tap gateway off in this window, so the tool was cancelled.';
// eslint-disable-next-line texts/translated -- for the model
const STOPPED = 'The user has stopped the tap gateway, so the tool was cancelled.';

export class WindowBridge implements Disposable {
  readonly bridge: Bridge;
  readonly consent: ToolConsent;
  /** What the tools that run for this window ask. */
  readonly questions = new ToolQuestions();
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** The gateway, its health, a session, or a switch changed. */
  readonly onDidChange = this.#didChange.event;
  readonly #daemon: GatewayDaemon;
  readonly #health = this.#store.add(new GatewayHealthWatch(systemClock));
  readonly #item = this.#store.add(new GatewayItem(commandName('showProviders')));
  readonly #shown: ProvidersShown;
  readonly #terminals: TerminalEnvironment;
  readonly #traces: GatewayTraces;
  readonly #adapters = new WeakMap<AgentHostClient, BridgedHost>();
  #tracesConfig: TracesConfig = { enabled: false, content: false };
  #traceChoice: TraceChoice = { isOn: false, hasContent: false };
  /** The user has stopped the gateway. It is not started until they start it. */
  #isStopped = false;
  readonly #newTools: NewTools;
  /** The new and changed tools of each provider. */
  readonly toolReviews: Reviews;

  constructor(
    context: vscode.ExtensionContext,
    private readonly hosts: WindowHosts,
    private readonly views: WindowViews,
    ownerKey: string,
    /** A rule of a provider is about to deny a call. */
    private readonly onDeny: (session: SessionRef, call: { chat: string | undefined; turnId: string; callId: string }) => void,
    logger: Logger,
  ) {
    this.#daemon = new GatewayDaemon(context.extensionPath, logger);
    this.#shown = new ProvidersShown(context.globalState, logger);
    this.#terminals = new TerminalEnvironment(context.environmentVariableCollection, logger);
    this.#traces = new GatewayTraces(logger);
    const failures = this.#store.add(new FailureNotice(l10n.t('The tools of providers cannot be used in this window'), askToTryAgain));
    this.bridge = this.#store.add(
      new Bridge({
        host: (id) => this.#host(id),
        findGateway: () => this.#daemon.find(),
        ask: (...asked) => this.questions.ask(...asked),
        traces: () => this.#traceChoice,
        ownerKey,
        isTrusted: () => vscode.workspace.isTrusted,
        storage: context.workspaceState,
        logger,
        onLoadFailure: failures.report,
      }),
    );
    this.consent = this.#store.add(new ToolConsent(this.bridge.switches));
    this.#newTools = new NewTools({
      clock: systemClock,
      switches: this.bridge.switches,
      offered: () => this.#offered(),
      announce: (tools) => this.#announce(tools),
      ask: (tools, code) => void this.consent.askAbout(tools, code),
    });
    const toolReviewOf = (tools: ToolsOfOne) => this.#toolReviewOf(tools);
    const newTools = this.#newTools;
    this.toolReviews = {
      get open() {
        return newTools.waiting.map(toolReviewOf);
      },
      onDidChange: this.onDidChange,
    };
    this.#store.add(this.bridge.onOwnerEvent((event) => this.#newTools.heard(event)));
    this.#store.add(hosts.onDidChange(() => this.bridge.hostsChanged()));
    this.#store.add(views.onDidChange(() => this.#followViews()));
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#followViews()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsGateway(event) && this.#switch(SWITCHED_OFF)));
    this.#readTraces((problem) => logger.warn(problem));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!settings.affectsTraces(event)) return;
        this.#readTraces((problem) => void showError(problem));
        this.#update();
        this.askHealth();
      }),
    );
    this.#store.add(this.bridge.onDidChange(() => this.#update()));
    this.#store.add(this.#health.onDidChange(() => this.#update()));
    this.#switch(SWITCHED_OFF);
    this.#followViews();
  }

  /** The user's message, with what the providers of the session add in front of it; undefined where there is nothing to ask. */
  preparePrompt(session: SessionRef, text: string): Promise<string> | undefined {
    return this.bridge.get(session)?.preparePrompt(text);
  }

  async start(): Promise<void> {
    if (!settings.gateway()) throw new UserError(OFF_BY_SETTING);
    this.#isStopped = false;
    await this.#daemon.find();
    this.#switch(STOPPED);
  }

  /** Waits until it has ended, and rejects with a `UserError` when it does not. False when none runs. */
  endGateway(): Promise<boolean> {
    return this.#daemon.stop();
  }

  /** Stops it for this window. Other windows that use it start it again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#switch(STOPPED);
    const hasStopped = await this.#daemon.stop();
    void showInfo(
      hasStopped
        ? l10n.t('The tap gateway has stopped. Other windows that use it start it again. It stays off in this window until you start it.')
        : l10n.t('The tap gateway was not running. It stays off in this window until you start it.'),
    );
  }

  async restart(): Promise<void> {
    await this.#daemon.stop();
    await this.start();
  }

  /** It stays when the gateway ends, and is not there before it was first started. */
  get logFile(): string {
    return this.#daemon.logFile;
  }

  async showLog(): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.file(this.logFile));
  }

  async review(): Promise<void> {
    const tools = this.#offered();
    if (tools.length === 0)
      throw new UserError(l10n.t('No provider offers tools to the sessions of this window. Start one, then try again.'));
    await reviewTools(tools, this.bridge.switches, this.consent);
  }

  /** Resolves with what has come of it, for the user. Throws a {@link UserError} where they are not lent. */
  async lendHere(session: SessionRef): Promise<string> {
    if (!this.#isOn) throw new UserError(l10n.t('The tap gateway is off. Start it first.'));
    const bridged = this.bridge.get(session);
    if (!bridged)
      throw new UserError(l10n.t('This session has no connection to the tap gateway. Open it first. Tools cannot be lent to a recording.'));
    // Do not take the place of another client when there is nothing to lend.
    if (this.bridge.owner?.state.kind !== 'connected')
      throw new UserError(l10n.t('The tap gateway cannot be reached, so there are no tools to lend.'));
    return lentHere(await bridged.lendHere());
  }

  /** The settings of this window want traces. The gateway may make them for somebody else, too. */
  get areTracesWanted(): boolean {
    return this.#traceChoice.isOn;
  }
  get health(): GatewayHealth {
    const why = !settings.gateway() ? 'setting' : this.#isStopped ? 'user' : 'unused';
    return this.#health.health ?? { kind: 'off', why };
  }
  /** The user has a provider of their own, has had one, or has asked for them. */
  get areProvidersShown(): boolean {
    return this.#shown.isShown;
  }
  /** They have one now, or one that may come back. */
  get hasProviders(): boolean {
    return hasUsersProviders(this.health);
  }
  /** The user has asked for the providers. */
  showProviders(): void {
    this.#shown.show();
    this.#update();
  }
  /** Of the gateway that was found last. */
  get url(): string | undefined {
    const state = this.bridge.owner?.state;
    return state?.kind === 'connected' ? state.url : undefined;
  }

  /** What the user is told of the tools in a session; undefined where that is nothing to them. */
  lendingOf({ lending }: Pick<SessionBridge, 'lending'>): LendingInfo | undefined {
    return this.areProvidersShown ? lendingInfo(lending, this.hasProviders) : undefined;
  }

  /** Those that serve a session, as far as the gateway has said. */
  programsOf({ sessionId }: Pick<SessionBridge, 'sessionId'>): SessionPrograms | undefined {
    const { health } = this;
    return health.kind === 'up' ? sessionPrograms(health.status, sessionId) : undefined;
  }

  /** Asks the gateway for its status. `onDidChange` fires when it has answered. */
  askHealth(): void {
    this.#health.ask();
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #isOn(): boolean {
    return settings.gateway() && !this.#isStopped;
  }

  #switch(reason: string): void {
    this.bridge.setOn(this.#isOn, reason);
    this.#update();
  }

  #readTraces(say: (problem: string) => void): void {
    const { config, problems } = settings.traces();
    this.#tracesConfig = config;
    this.#traceChoice = { isOn: isTracing(config), hasContent: config.content };
    for (const problem of problems) say(problem);
  }

  #host(id: string): BridgedHost | undefined {
    const host = this.hosts.get(id);
    if (!host || host.readOnly !== undefined) return undefined;
    const { client, hooks } = host;
    const adapter = this.#adapters.get(client) ?? {
      openSession: (uri) => {
        const onDeny = (call: Parameters<typeof this.onDeny>[1]) => this.onDeny({ hostId: id, uri }, call);
        return new ModelHostSession(client, uri, hooks, onDeny, hasOurFiles(host), windowName(vscode.workspace.name));
      },
      isRunning: (uri) => Boolean((client.sessions.summary(uri)?.status ?? 0) & SessionStatus.InProgress),
    };
    this.#adapters.set(client, adapter);
    return adapter;
  }

  /** A session stays in the foreground while the user looks at another program, such as the page that is to connect. */
  #followViews(): void {
    const { activeRef } = this.views;
    const shown = activeRef && this.views.isVisible(activeRef) ? activeRef : undefined;
    if (shown) this.bridge.open(shown);
    if (vscode.window.state.focused && (shown || !activeRef)) this.bridge.setForeground(shown);
    this.#update();
  }

  #update(): void {
    const { owner } = this.bridge;
    this.#health.follow(owner);
    this.#traces.tell(owner, this.#tracesConfig);
    this.#terminals.set(owner?.state.kind === 'connected' ? owner.state.url : undefined);
    this.#shown.look(this.health);
    this.#item.show(this.health, this.#sessionLine(), this.areProvidersShown);
    this.#newTools.update();
    this.#didChange.fire();
  }

  #sessionLine(): string | undefined {
    const { activeRef } = this.views;
    const session = activeRef && this.bridge.get(activeRef);
    return session && lendingLine(session.lending);
  }

  /** Each tool of a provider once, whichever sessions it is offered to. */
  #offered(): OfferedTool[] {
    const tools = new Map<string, OfferedTool>();
    for (const { bridge } of this.bridge.sessions) {
      for (const tool of bridge.offered) tools.set(JSON.stringify([tool.trust, tool.provider, tool.origin, tool.name]), tool);
    }
    return [...tools.values()];
  }

  #toolReviewOf(tools: ToolsOfOne): OpenReview {
    const [first] = tools;
    const id = sha256(JSON.stringify([first.provider, first.trust, first.origin, tools.map(fingerprintOf)]));
    const title = `${oneLine(first.provider)} (${trustWords(first)})`;
    const count = l10n.countText(tools.length);
    const what = l10n.plural(
      tools.length,
      l10n.t`${count} new tool, off until you allow it`,
      l10n.t`${count} new tools, off until you allow them`,
    );
    return { id: `tools ${id}`, title, what, review: () => this.consent.askAbout(tools) };
  }

  /** The question comes when the user wants it, about what waits by then. */
  #announce(tools: ToolsOfOne): void {
    const [first] = tools;
    const names = tools.map(({ name }) => name).join(', ');
    const text = l10n.t`${namedText(oneLine(first.provider))} (${trustWords(first)}) offers tools that are off until you allow them: ${names}.`;
    void showInfo(text, l10n.t('Review…')).then((choice) => {
      const waiting = choice && this.#newTools.waitingOf(first);
      if (waiting) void this.consent.askAbout(waiting);
    });
  }
}
