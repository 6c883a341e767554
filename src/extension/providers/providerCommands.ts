/** The commands of “Providers”. Each takes a row of it, and asks where the palette passes none. */
import * as l10n from '../../base/l10n.ts';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { taplineHome } from '../../base/node/taplineHome.ts';
import type { Subject } from '../../views/providers/node.ts';
import { pairedSubject, providerGroups, toolText } from '../../views/providers/providerNodes.ts';
import { originWords, whoAsks } from '../../views/pairing/originWords.ts';
import { trustWords } from '../../views/pairing/trustWords.ts';
import { toolStateWords } from '../../views/providers/words.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';
import { confirm, showInfo } from '../notifications.ts';
import type { TextDocuments } from '../textDocuments.ts';
import type { ProvidersWatch } from './providersWatch.ts';
import { type Language, readyMade, readyMades } from './readyMade.ts';

export class ProviderCommands {
  constructor(
    private readonly window: WindowBridge,
    private readonly watch: ProvidersWatch,
    private readonly documents: TextDocuments,
    private readonly extensionPath: string,
  ) {}

  async switch(subject: Subject | undefined, isOn: boolean): Promise<void> {
    const { switches } = this.window.bridge;
    if (subject?.kind === 'provider') await switches.setProvider(subject, isOn);
    if (subject?.kind !== 'tool') return;
    const { tool } = subject;
    if (isOn && !(await this.window.consent.allow([tool])).has(tool)) return;
    await switches.setTools([{ tool, on: isOn }]);
  }

  /** Switches off what is on, and on what is off. */
  async toggle(subject: Subject | undefined): Promise<void> {
    const { switches } = this.window.bridge;
    if (subject?.kind === 'tool') return this.switch(subject, switches.of(subject.tool) !== 'on');
    const chosen = subject?.kind === 'provider' ? subject : await this.#pickProvider();
    if (chosen) await this.switch(chosen, !switches.isProviderOn(chosen));
  }

  async showTool(subject: Subject | undefined): Promise<void> {
    if (subject?.kind !== 'tool') return;
    const { tool } = subject;
    const state = toolStateWords[this.window.bridge.switches.of(tool)];
    await this.documents.show(l10n.t`Tool ${tool.name}`, 'txt', toolText(tool, state, Number.MAX_SAFE_INTEGER));
  }

  async revoke(subject: Subject | undefined): Promise<void> {
    const { owner } = this.window.bridge;
    if (owner?.state.kind !== 'connected') throw new UserError(l10n.t('The tap gateway is not connected, so there is nothing to revoke.'));
    const chosen = subject?.kind === 'provider' ? subject : await this.#pickPaired();
    if (!chosen) return;
    const { pairings } = await owner.request('diagnostics', {});
    const meant = pairings.filter(({ id }) => chosen.pairings.includes(id));
    if (meant.length === 0) throw new UserError(l10n.t`${oneLine(chosen.provider)} is not paired any more.`);
    // As the gateway knows them now: the row may be older.
    const names = [...new Set(meant.map((pairing) => l10n.t`“${oneLine(pairedSubject(pairing).provider)}”`))].join(', ');
    const origins = [...new Set(meant.flatMap(({ origin }) => origin ?? []))].map((origin) => `(${originWords(origin)})`);
    const who = [names, ...origins].join(' ');
    const detail = l10n.t`It is disconnected at once, its running calls end, and its token is void. It can come back only with a new code that you give it. Its switches are kept.`;
    if (!(await confirm(l10n.t`Revoke the pairing of ${who}?`, detail, l10n.t('Revoke')))) return;
    for (const { id } of meant) await owner.request('pairing/revoke', { pairing: id });
    this.watch.refresh();
    void showInfo(l10n.t`${names} is not paired any more.`);
  }

  async copyProvider(): Promise<void> {
    const languages: { label: string; detail: string; language: Language }[] = [
      { label: 'Node.js', detail: l10n.t('A program with the SDK'), language: 'node' },
      // eslint-disable-next-line texts/translated -- a name
      { label: 'Python', detail: l10n.t('A program without an SDK: the whole protocol in one file'), language: 'python' },
      { label: l10n.t('Browser'), detail: l10n.t('A page with the SDK in it, paired by a code'), language: 'browser' },
    ];
    const picked = await vscode.window.showQuickPick(languages, {
      title: l10n.t('Copy a Ready-made Provider'),
      placeHolder: l10n.t('What should it run in?'),
    });
    if (!picked) return;
    const { language } = picked;
    const text = await readyMade(language, { dist: join(this.extensionPath, 'dist'), home: taplineHome(), gatewayUrl: this.window.url });
    await vscode.env.clipboard.writeText(text);
    const open = l10n.t('Open as New File');
    const choice = await showInfo(l10n.sentencesText([l10n.t('Copied.'), readyMades[language].steps]), open);
    if (choice !== open) return;
    const languageId = { node: 'javascript', python: 'python', browser: 'html' }[language];
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: languageId, content: text }));
  }

  async #pickProvider(): Promise<Extract<Subject, { kind: 'provider' }> | undefined> {
    const { gateway, isProviderOn } = this.watch.facts;
    const groups = gateway.kind === 'up' ? providerGroups(gateway.status) : [];
    if (groups.length === 0) throw new UserError(l10n.t('No provider is connected.'));
    const items = groups.map((group) => {
      const { name, trust, origin, pairings } = group;
      const subject = { kind: 'provider', provider: name, trust, ...(origin !== undefined && { origin }), pairings } as const;
      const description = withoutMarkup(`${trustWords(group)} · ${isProviderOn(subject) ? l10n.t('on') : l10n.t('off')}`);
      return { label: withoutMarkup(oneLine(name)), description, subject };
    });
    const placeHolder = l10n.t('Which provider’s tools do you want to switch on or off, all at once?');
    return (await vscode.window.showQuickPick(items, { title: l10n.t('Switch a Provider On or Off'), placeHolder }))?.subject;
  }

  async #pickPaired(): Promise<Extract<Subject, { kind: 'provider' }> | undefined> {
    const owner = this.window.bridge.owner;
    const pairings = (await owner?.request('diagnostics', {}))?.pairings ?? [];
    if (pairings.length === 0) throw new UserError(l10n.t('No provider is paired.'));
    const items = pairings.map((pairing) => {
      const subject = pairedSubject(pairing);
      return {
        label: withoutMarkup(oneLine(subject.provider)),
        description: withoutMarkup(`${whoAsks(pairing.origin)} · ${pairing.connected ? l10n.t('connected') : l10n.t('not connected')}`),
        subject,
      };
    });
    return (await vscode.window.showQuickPick(items, { title: l10n.t('Revoke a Paired Provider'), placeHolder: l10n.t('Which one?') }))
      ?.subject;
  }
}
