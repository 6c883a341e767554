/** “Providers” in the view “Tools & Jobs”: the view model of `views/providers/providersTree` as rows. */
import * as l10n from '../../base/l10n.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { GatewayHealth } from '../../views/providers/facts.ts';
import type { ProvidersNode } from '../../views/providers/node.ts';
import { providersSummary, providersTree } from '../../views/providers/providersTree.ts';
import type { OwnRow } from '../nodeTree/nodeTree.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { beginning, type GroupSummary, type ToolsGroup } from '../tools/toolsGroup.ts';
import type { ProvidersWatch } from './providersWatch.ts';

/** A burst of changes is drawn once. */
const REDRAW_MS = 100;

export class ProvidersGroup implements Disposable, ToolsGroup<ProvidersNode> {
  readonly id = 'providers';
  readonly label = l10n.t('Providers');
  readonly icon = 'plug';
  readonly about = l10n.t('Programs and pages that lend their tools to your agent sessions, through the tap gateway on this computer.');
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  readonly onDidChange = this.#redraw.onDidDraw;
  #summary: GroupSummary = { text: '', needsYou: 0 };
  #rows: readonly ProvidersNode[] = [];

  /** `switched`: the user has ticked a row, or taken the tick away. */
  constructor(
    private readonly watch: ProvidersWatch,
    private readonly switched: (node: ProvidersNode, isOn: boolean) => Promise<unknown>,
  ) {
    this.#store.add(watch.onDidChange(() => this.#redraw.soon()));
    this.#redraw.now();
  }

  get isShown(): boolean {
    return this.watch.areProvidersShown;
  }
  get summary(): GroupSummary {
    return this.#summary;
  }
  get rows(): readonly ProvidersNode[] {
    return this.#rows;
  }
  get beginning(): readonly OwnRow[] {
    const { gateway } = this.watch.facts;
    const what = beginning(l10n.t('A provider lends you tools'), 'info', undefined, this.about);
    return gateway.kind === 'off' ? [what, ...waysToBegin[gateway.why]] : [];
  }

  setVisible(isVisible: boolean): void {
    this.watch.setVisible(isVisible);
  }

  setChecked(node: ProvidersNode, isOn: boolean): Promise<unknown> {
    return this.switched(node, isOn);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): void {
    const { facts } = this.watch;
    this.#rows = providersTree(facts);
    this.#summary = providersSummary(facts);
  }
}

const waysToBegin: Readonly<Record<Extract<GatewayHealth, { kind: 'off' }>['why'], readonly OwnRow[]>> = {
  unused: [
    beginning(l10n.t('Start a session'), 'add', 'newSession', l10n.t('Start a session: the gateway starts with the first one.')),
    beginning(l10n.t('Copy a ready-made provider…'), 'new-file', 'copyProvider'),
  ],
  user: [beginning(l10n.t('Start the gateway'), 'play', 'startGateway', l10n.t('You have stopped the gateway in this window. Start it.'))],
  setting: [
    beginning(
      l10n.t('Open the setting'),
      'gear',
      { command: 'workbench.action.openSettings', argument: 'tapline.gateway.enabled' },
      l10n.t('The gateway is switched off in the settings. Open the setting.'),
    ),
  ],
};
