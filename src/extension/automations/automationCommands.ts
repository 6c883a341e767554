/** What the user does with automations. What an agent would do is shown before it does it, and nothing else is asked for. */
import * as l10n from '../../base/l10n.ts';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { AUTOMATIONS_CHANNEL, type AutomationDefinition, type AutomationEntry } from '../../ahp/channels/automations.ts';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import { type Dispatched, reasonText, type Settlement } from '../../ahp/client/resources/subscription.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { UserError, withTimeout } from '../../base/errors.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type AutomationsNode, automationQuestion, automationTitle } from '../../views/automations/automationsTree.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { sessionTitle } from '../../views/sessionList/sessionItem.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { confirm, showInfo } from '../notifications.ts';
import type { HostAutomations } from './hostAutomations.ts';

/** How often a run is asked for while the connection is lost on the way. */
const MAX_TRIES = 3;
const RECONNECT_MS = 30_000;
const ANSWER_MS = 30_000;

export class AutomationCommands {
  constructor(
    private readonly automations: HostAutomations,
    private readonly openSession: (session: SessionRef) => Promise<unknown>,
  ) {}

  async setEnabled(node: AutomationsNode, enabled: boolean): Promise<void> {
    const { host, entry } = this.#find(node);
    const { definition, resource } = entry;
    const title = automationTitle(definition);
    if (enabled) {
      const detail = [...questionAbout(definition, 'on'), l10n.t('From then on it runs without you, as often as this says.')].join('\n');
      if (!(await confirm(l10n.t`Let “${title}” run by itself at ${host.label}?`, detail, l10n.t('Turn On')))) return;
      this.#mustBeSame(node, entry);
    }
    const model = this.automations.model(node.hostId);
    if (!model) throw new UserError(l10n.t('“Automations” was closed in “Tools & Jobs” meanwhile. Nothing was changed.'));
    const settlement = await answerOf(model.perform({ type: 'automation/updateRequested', resource, changes: { enabled } }));
    if (settlement.kind === 'unknown')
      throw new UserError(
        enabled
          ? l10n.t`It is not known whether “${title}” was turned on: ${reasonText(settlement)}`
          : l10n.t`It is not known whether “${title}” was turned off: ${reasonText(settlement)}`,
      );
    if (settlement.kind === 'rejected')
      throw new UserError(
        enabled
          ? l10n.t`“${title}” was not turned on: ${reasonText(settlement)}`
          : l10n.t`“${title}” was not turned off: ${reasonText(settlement)}`,
      );
  }

  async runNow(node: AutomationsNode): Promise<void> {
    const { host, entry } = this.#find(node);
    const title = automationTitle(entry.definition);
    if (!(await confirm(l10n.t`Run “${title}” at ${host.label} now?`, questionAbout(entry.definition).join('\n'), l10n.t('Run')))) return;
    this.#mustBeSame(node, entry);
    await vscode.window.withProgress({ location: { viewId: 'tapline.tools' }, title: withoutMarkup(title) }, () =>
      runOnce(host, entry.resource),
    );
    void showInfo(l10n.t`“${title}” runs at ${host.label}.`);
  }

  async stop({ hostId, run }: AutomationsNode): Promise<void> {
    const host = this.#host(hostId);
    if (!run) return;
    const model = host.client.model('automationRun', run.resource);
    try {
      await whenLive<object>(model);
      const settlement = await answerOf(model.perform({ type: 'automationRun/cancelRequested' }));
      if (settlement.kind === 'unknown')
        throw new UserError(l10n.t`It is not known whether the run was stopped: ${reasonText(settlement)}`);
      if (settlement.kind === 'rejected') throw new UserError(l10n.t`The run was not stopped: ${reasonText(settlement)}`);
    } finally {
      model.dispose();
    }
  }

  async loadOlder({ hostId, automation }: AutomationsNode): Promise<void> {
    const cursor = automation?.runsNextCursor;
    if (!automation || cursor === undefined) return;
    const params = { channel: AUTOMATIONS_CHANNEL, automation: automation.resource, cursor };
    await this.#host(hostId).client.command('fetchAutomationRuns', params);
  }

  /** The session of a run. Where it has several, the user chooses. */
  async open({ hostId, run }: AutomationsNode): Promise<void> {
    if (!run) return;
    const { client } = this.#host(hostId);
    const uri = run.primarySession ?? (await this.#chooseSession(hostId, run.resource));
    if (uri === undefined) return;
    if (!client.sessions.summary(uri)) await client.sessions.refresh();
    await this.openSession({ hostId, uri });
  }

  async #chooseSession(hostId: string, run: string): Promise<string | undefined> {
    const { client } = this.#host(hostId);
    const model = client.model('automationRun', run);
    try {
      const { sessions } = await whenLive(model);
      if (sessions.length === 0) throw new UserError(l10n.t('This run has no session.'));
      const items = sessions.map((uri) => {
        const summary = client.sessions.summary(uri);
        return { label: withoutMarkup(summary ? sessionTitle(summary) : oneLine(uri)), uri };
      });
      return items.length === 1
        ? items[0]?.uri
        : (await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Which session?') }))?.uri;
    } finally {
      model.dispose();
    }
  }

  #find({ hostId, automation }: AutomationsNode): { host: RegisteredHost; entry: AutomationEntry } {
    const entry = this.#now(hostId, automation?.resource);
    if (!entry) throw new UserError(l10n.t('The host does not have this automation any more.'));
    return { host: this.#host(hostId), entry };
  }

  #now(hostId: string, resource: string | undefined): AutomationEntry | undefined {
    const input = this.automations.inputs.find((one) => one.hostId === hostId);
    return input?.state?.entries.find((entry) => entry.resource === resource);
  }

  /** The user has agreed to what was shown, and to nothing else. */
  #mustBeSame({ hostId }: AutomationsNode, before: AutomationEntry): void {
    if (!sameJson(this.#now(hostId, before.resource)?.definition, before.definition))
      throw new UserError(l10n.t('The automation was changed while you were asked. Nothing was done. Look at it again.'));
  }

  #host(hostId: string): RegisteredHost {
    const host = this.automations.able.find(({ id }) => id === hostId);
    if (!host) throw new UserError(l10n.t('The agent host of this automation is not connected.'));
    return host;
  }
}

/** Rejects when the host does not say in time what has become of it. */
function answerOf({ settled }: Dispatched): Promise<Settlement> {
  return withTimeout(settled, ANSWER_MS, l10n.t('The answer of the host'));
}

/** Nobody agrees to what they cannot see. */
function questionAbout(definition: AutomationDefinition, turned?: 'on'): string[] {
  const facts = automationQuestion(definition, turned);
  if (facts) return facts;
  throw new UserError(l10n.t`What “${automationTitle(definition)}” does is longer than a question can show, so Tapline does not start it.`);
}

/** The host knows a request by its id: one that is sent again, because its answer was lost, begins no second run. */
async function runOnce({ client }: RegisteredHost, automation: string): Promise<void> {
  const params = { channel: AUTOMATIONS_CHANNEL, automation, requestId: randomUUID() };
  for (let tries = 1; ; tries++) {
    try {
      await client.command('runAutomation', params);
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError) || tries === MAX_TRIES) throw error;
      await whenConnected(client);
    }
  }
}

function whenConnected(client: RegisteredHost['client']): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(new UserError(l10n.t('The host did not come back in time. Look at the runs to see whether this one has begun.'))),
        ),
      RECONNECT_MS,
    );
    const settle = (how: () => void) => {
      clearTimeout(timer);
      listening.dispose();
      how();
    };
    const look = () => client.state.kind === 'connected' && settle(resolve);
    const listening = client.onDidChangeState(look);
    look();
  });
}
