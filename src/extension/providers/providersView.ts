/** What is shown of providers, its commands, and the questions of providers to the user. */
import * as l10n from '../../base/l10n.ts';
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { subjectOf } from '../../views/providers/node.ts';
import { type ProviderDeeds, providerDeeds } from '../../views/providers/providerDeeds.ts';
import type { Reviews } from '../attention/windowAttention.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';
import { TextDocuments } from '../textDocuments.ts';
import { ConsentMemory } from './consentMemory.ts';
import { ConsentQuestions } from './consentQuestions.ts';
import { letProviderIn } from './letIn.ts';
import { ProviderCommands } from './providerCommands.ts';
import { ProvidersGroup } from './providersGroup.ts';
import { ProvidersWatch } from './providersWatch.ts';
import { ToolRunner } from './toolRunner.ts';

export class ProvidersView implements Disposable {
  /** In the view “Tools & Jobs”. */
  readonly group: ProvidersGroup;
  readonly #store = new DisposableStore();
  readonly #watch: ProvidersWatch;
  readonly #memory: ConsentMemory;
  readonly #consents: ConsentQuestions;
  readonly #commands: ProviderCommands;
  readonly #runner: ToolRunner;

  /** `run` reports what goes wrong to the user. */
  constructor(
    private readonly window: WindowBridge,
    context: Pick<vscode.ExtensionContext, 'globalState' | 'extensionPath'>,
    logger: Logger,
    run: (work: () => Promise<void>) => Promise<unknown>,
  ) {
    const documents = this.#store.add(new TextDocuments('tapline-text', l10n.t('This text is no longer kept. Run the command again.')));
    this.#watch = this.#store.add(new ProvidersWatch(window, logger));
    const waits = (name: string) => {
      const { health } = window;
      return health.kind === 'up' && health.status.providers.some((provider) => provider.name === name && provider.awaitsConsent);
    };
    this.#memory = new ConsentMemory(context.globalState);
    this.#consents = this.#store.add(new ConsentQuestions(window.bridge, this.#memory, waits, logger));
    this.#store.add(window.onDidChange(() => this.#consents.update()));
    this.#commands = new ProviderCommands(window, this.#watch, documents, context.extensionPath);
    this.#runner = new ToolRunner(window.bridge, documents);
    this.group = this.#store.add(new ProvidersGroup(this.#watch, ({ subject }, isOn) => run(() => this.#commands.switch(subject, isOn))));
  }

  /** The questions that wait for the user. */
  get reviews(): Reviews {
    return this.#consents;
  }

  get deeds(): ProviderDeeds {
    return providerDeeds(this.window.health, this.#memory.providers);
  }

  refresh(): void {
    this.#watch.refresh();
  }

  async runTool(argument: unknown): Promise<void> {
    const subject = subjectOf(argument);
    await this.#runner.run(subject?.kind === 'tool' ? subject.tool : undefined);
  }
  async switch(argument: unknown): Promise<void> {
    await this.#commands.toggle(subjectOf(argument));
  }
  async showTool(argument: unknown): Promise<void> {
    await this.#commands.showTool(subjectOf(argument));
  }
  async copyProvider(): Promise<void> {
    await this.#commands.copyProvider();
  }
  async revokePairing(argument: unknown): Promise<void> {
    await this.#commands.revoke(subjectOf(argument));
  }
  async letProviderIn(argument: unknown): Promise<void> {
    const subject = subjectOf(argument);
    await letProviderIn(this.window.bridge.owner, subject?.kind === 'earlierToken' ? subject.token : undefined);
    this.#watch.refresh();
  }
  async answerConsent(argument: unknown): Promise<void> {
    const subject = subjectOf(argument);
    await this.#consents.answer(subject?.kind === 'consent' ? subject.provider : undefined);
  }
  async forgetConsent(argument: unknown): Promise<void> {
    const subject = subjectOf(argument);
    await this.#consents.forget(subject?.kind === 'consent' ? subject.provider : undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
