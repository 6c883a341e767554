/**
 * Asks for the user's consent to hooks and context of a provider. Closing a question is no answer. It stays open in Needs You and
 * among the providers, and hooks and context stay off.
 */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { englishOf, messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import { CONSENT_MEANS, consentQuestion } from '../../views/providers/consentWords.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { OpenReview, Reviews } from '../attention/windowAttention.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { confirm, showError, showInfo } from '../notifications.ts';
import type { ConsentMemory } from './consentMemory.ts';

interface Question {
  readonly id: string;
  readonly text: string;
}

const ALLOW = l10n.t('Allow');
const DENY = l10n.t('Deny');

export class ConsentQuestions implements Reviews, Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  /** The newest question of each provider that waits for an answer. An older one, which VS Code may still show, decides nothing. */
  readonly #waiting = new Map<string, Question>();

  constructor(
    private readonly bridge: Bridge,
    private readonly memory: ConsentMemory,
    /** A program of this name is connected and waits, as far as the gateway has said. */
    private readonly isConnected: (provider: string) => boolean,
    private readonly logger: Logger,
  ) {
    this.#store.add(
      bridge.onOwnerEvent(({ event, params }) => {
        if (event === 'consent/asked') this.#asked(params);
        if (event === 'consent/decided') this.#decided(params);
      }),
    );
    // A gateway that ends asks again when it is back.
    this.#store.add(
      bridge.onDidChange(() => {
        if (bridge.owner?.state.kind !== 'connected') this.#waiting.clear();
      }),
    );
  }

  /** What waits for the user, whether or not VS Code still shows the question. */
  get open(): OpenReview[] {
    return [...this.#waiting]
      .filter(([provider]) => this.isConnected(provider))
      .map(([provider, { id, text }]) => ({ id, title: oneLine(provider), what: text, review: () => this.answer(provider) }));
  }

  /** Which programs are connected may have changed. */
  update(): void {
    this.#didChange.fire();
  }

  /** The user answers now, or changes their answer. Without `provider` it is the one that waits, or one that they pick. */
  async answer(provider: string | undefined): Promise<void> {
    const asked = await this.#consents();
    const waiting = asked.filter(({ decision }) => decision === 'asked').map((consent) => consent.provider);
    if (provider === undefined && waiting.length === 0) throw new UserError(l10n.t('No provider waits for your consent.'));
    const only = waiting.length === 1 ? waiting[0] : undefined;
    const chosen = provider ?? only ?? (await pick(waiting, l10n.t('Which provider do you want to answer?')));
    if (chosen === undefined) return;
    const wants = asked.find((consent) => consent.provider === chosen)?.wants ?? [];
    const decision = await this.#ask(chosen, wants);
    if (decision !== undefined) await this.#decide(chosen, decision);
  }

  async forget(provider: string | undefined): Promise<void> {
    const decided = (await this.#consents()).filter(({ decision }) => decision !== 'asked').map((consent) => consent.provider);
    const known = [...new Set([...decided, ...this.memory.providers])];
    if (provider === undefined && known.length === 0) throw new UserError(l10n.t('You have not decided about any provider.'));
    const chosen = provider ?? (await pick(known, l10n.t('Which decision do you want to forget?')));
    if (chosen === undefined) return;
    const name = oneLine(chosen);
    const detail = l10n.t`Its hooks and context stop at once, in all sessions on this computer. Its tools stay. Tapline asks you again when ${name} wants hooks or context. If it is connected, that is at once.`;
    if (!(await confirm(l10n.t`Forget what you decided about “${name}”?`, detail, l10n.t('Forget')))) return;
    await this.memory.set(chosen, undefined);
    await this.#request('consent/forget', { provider: chosen });
  }

  dispose(): void {
    this.#waiting.clear();
    this.#store.dispose();
  }

  #asked({ provider, sessionIds, wants }: OwnerEvents['consent/asked']): void {
    const remembered = this.memory.get(provider);
    if (remembered !== undefined) {
      this.#request('consent/answer', { provider, allow: remembered, remembered: true }).catch((error: unknown) => {
        this.logger.warn(`Telling the gateway what was decided about ${provider}: ${englishOf(error)}`);
      });
      return;
    }
    const titles = this.bridge.sessions.filter(({ bridge }) => sessionIds.includes(bridge.sessionId)).map(({ bridge }) => bridge.title);
    // The windows of the sessions ask. A provider whose window was loaded again has none at the moment.
    if (titles.length === 0 && sessionIds.length > 0) return;
    const question = { id: `consent ${JSON.stringify([provider, wants])}`, text: consentQuestion(provider, wants, titles) };
    this.#waiting.set(provider, question);
    this.#didChange.fire();
    void this.#notify(provider, question);
  }

  #decided({ provider, allow }: OwnerEvents['consent/decided']): void {
    this.#waiting.delete(provider);
    this.#didChange.fire();
    this.memory
      .follow(provider, allow)
      .catch((error: unknown) => this.logger.error(`Keeping what was decided about ${oneLine(provider)}: ${englishOf(error)}`));
  }

  /** VS Code cannot take back a question with buttons. One that is not the newest says so when it is answered. */
  async #notify(provider: string, question: Question): Promise<void> {
    const choice = await showInfo(l10n.sentencesText([question.text, CONSENT_MEANS]), ALLOW, DENY);
    const name = l10n.t`“${oneLine(provider)}”`;
    if (this.#waiting.get(provider) !== question) {
      if (choice)
        void showInfo(
          l10n.t`This question was not open any more, so nothing has changed. “Providers” in “Tools & Jobs” says how it stands with ${name}.`,
        );
      return;
    }
    if (!choice) {
      void showInfo(
        l10n.t`You have not answered ${name}, so its hooks and context are off. You can answer in Needs You or in “Tools & Jobs”.`,
      );
      return;
    }
    try {
      await this.#decide(provider, choice === ALLOW);
    } catch (error) {
      void showError(messageOf(error));
    }
  }

  async #ask(provider: string, wants: readonly string[]): Promise<boolean | undefined> {
    const options = { modal: true, detail: withoutMarkup(CONSENT_MEANS) };
    const choice = await vscode.window.showInformationMessage(withoutMarkup(consentQuestion(provider, wants, [])), options, DENY, ALLOW);
    return choice === undefined ? undefined : choice === ALLOW;
  }

  async #decide(provider: string, allow: boolean): Promise<void> {
    await this.#request('consent/answer', { provider, allow });
    await this.memory.set(provider, allow);
  }

  async #consents() {
    return (await this.#request('diagnostics', {})).consents;
  }

  #request: NonNullable<Bridge['owner']>['request'] = async (method, params) => {
    const { owner } = this.bridge;
    if (owner?.state.kind !== 'connected')
      throw new UserError(l10n.t('The tap gateway is not connected. Start it and open a session, then try again.'));
    return owner.request(method, params);
  };
}

async function pick(providers: readonly string[], placeHolder: string): Promise<string | undefined> {
  const items = providers.map((provider) => ({ label: withoutMarkup(oneLine(provider)), provider }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.provider;
}
