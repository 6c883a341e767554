/** Tells the tap gateway of this user, as far as it runs, of the spans of runs. It is linked only while there are some: a portal keeps no gateway from ending. */
import type { TelemetrySpan } from '../ahp/telemetry/telemetryAttributes.ts';
import type { Clock } from '../base/clock.ts';
import { findDaemon } from '../base/daemon/daemonLock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { gatewayLockFile } from '../tap/owner/gatewayPaths.ts';
import { OwnerClient } from '../tap/owner/ownerClient.ts';
import { type ToldSpanInput, TraceLimit } from '../tap/wire/traces/toldSpan.ts';

const MAX_WAITING = 2_000;
/** How long the link stays without spans, and spans wait for a gateway that does not come. */
const IDLE_MS = 30_000;

export class RunTraces implements Disposable {
  #owner: OwnerClient | undefined;
  #waiting: ToldSpanInput[] = [];
  #idle: Disposable | undefined;
  #lost = 0;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly lockFile = gatewayLockFile(),
  ) {}

  tell(spans: readonly TelemetrySpan[]): void {
    this.#waiting.push(...spans.map(told));
    const excess = Math.max(0, this.#waiting.length - MAX_WAITING);
    this.#waiting.splice(0, excess);
    this.#lost += excess;
    this.#idle?.dispose();
    this.#idle = this.clock.setTimer(() => this.#rest(), IDLE_MS);
    this.#owner ??= this.#link();
    this.#send();
  }

  dispose(): void {
    this.#idle?.dispose();
    this.#idle = undefined;
    this.#send();
    this.#owner?.dispose();
    this.#owner = undefined;
  }

  #link(): OwnerClient {
    const owner = new OwnerClient({
      name: 'portal, to tell of its runs',
      find: async () => {
        const found = await findDaemon(this.lockFile);
        if (!found) throw new Error('no tap gateway runs');
        return { url: found.url, token: found.token };
      },
      logger: this.logger,
    });
    owner.onDidChangeState(({ kind }) => kind === 'connected' && this.#send());
    return owner;
  }

  #send(): void {
    if (this.#owner?.state.kind !== 'connected') return;
    const spans = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < spans.length; at += TraceLimit.told)
      this.#owner.notify('trace/runs', { spans: spans.slice(at, at + TraceLimit.told) });
  }

  /** Nothing has come for a while. */
  #rest(): void {
    const lost = this.#lost + this.#waiting.length;
    if (lost > 0) this.logger.info(`${lost} spans of runs were not kept: no tap gateway has taken them`);
    this.#lost = 0;
    this.#waiting = [];
    this.dispose();
  }
}

function told({ traceId, spanId, parentSpanId, name, start, end, attributes, error }: TelemetrySpan): ToldSpanInput {
  return {
    ...{ traceId, spanId, name: name.slice(0, TraceLimit.nameLength), start, end },
    ...(parentSpanId !== undefined && { parentSpanId }),
    attributes: Object.fromEntries(Object.entries(attributes).slice(0, TraceLimit.attributes)),
    ...(error !== undefined && { error: error.slice(0, TraceLimit.nameLength) }),
  };
}
