import type { Transport } from '../src/ahp/client/transport.ts';
import type { ResourceState } from '../src/ahp/v1/commands.ts';
import { Emitter } from '../src/base/event.ts';

/** A connection that the benchmark feeds. It answers the handshake, and every subscribe with the given state. */
export class BenchLine implements Transport {
  readonly #message = new Emitter<string>();
  readonly onMessage = this.#message.event;
  readonly onClose = new Emitter<{ code: number; reason: string }>().event;

  readonly #sent = new Emitter<string>();
  readonly onSent = this.#sent.event;

  constructor(private readonly states: ReadonlyMap<string, ResourceState>) {}

  deliver(frame: string): void {
    this.#message.fire(frame);
  }

  send(text: string): void {
    this.#sent.fire(text);
    const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params: { resource?: string } };
    if (id === undefined) return;
    const result = this.#answer(method, params.resource ?? '');
    queueMicrotask(() => this.deliver(JSON.stringify({ jsonrpc: '2.0', id, result })));
  }

  close(): void {}

  #answer(method: string, resource: string): unknown {
    switch (method) {
      case 'initialize':
        return { protocolVersion: 1, serverSeq: 0, snapshots: [] };
      case 'subscribe':
        return { snapshot: { resource, state: this.states.get(resource) ?? { agents: [] }, fromSeq: 0 } };
      case 'listSessions':
        return { items: [] };
      default:
        throw new Error(`the bench's line does not know ${method}`);
    }
  }
}
