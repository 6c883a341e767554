/** The automations of all hosts that have them, read only while somebody looks. */
import { problemText } from '../../ahp/client/connection/hostError.ts';
import { AUTOMATIONS_CHANNEL } from '../../ahp/channels/automations.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { AutomationsInput } from '../../views/automations/automationsTree.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';

export class HostAutomations implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #models = new Map<RegisteredHost, ResourceModel<'automations'>>();
  #isVisible = false;

  constructor(private readonly hosts: HostRegistry) {
    this.#store.add(hosts.onDidChange(() => this.#changed()));
  }

  /** Those that announce automations. A host that is away keeps its rows. */
  get able(): readonly RegisteredHost[] {
    return this.hosts.all.filter(({ client, readOnly }) => client.automations !== undefined && readOnly === undefined);
  }

  get inputs(): AutomationsInput[] {
    return this.able.map((host) => {
      const model = this.#models.get(host);
      const status = model?.status;
      const problem = status?.kind === 'failed' ? problemText(status.error) : undefined;
      return {
        ...{ hostId: host.id, hostLabel: host.label, canStop: host.client.automations?.canStop === true },
        state: model?.state,
        ...(problem !== undefined && { problem }),
      };
    });
  }

  model(hostId: string): ResourceModel<'automations'> | undefined {
    return [...this.#models].find(([{ id }]) => id === hostId)?.[1];
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#changed();
  }

  dispose(): void {
    for (const model of this.#models.values()) model.dispose();
    this.#store.dispose();
  }

  #changed(): void {
    const wanted = this.#isVisible ? this.able : [];
    for (const [host, model] of this.#models) {
      if (wanted.includes(host)) continue;
      this.#models.delete(host);
      model.dispose();
    }
    for (const host of wanted) {
      if (this.#models.has(host)) continue;
      const model = host.client.model('automations', AUTOMATIONS_CHANNEL);
      model.onDidChange(() => this.#onDidChange.fire());
      this.#models.set(host, model);
    }
    this.#onDidChange.fire();
  }
}
