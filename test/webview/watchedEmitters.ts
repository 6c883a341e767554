/** The emitters of a session, in place of the gateway: what was asked, and what it answers. Filters are judged as the gateway does. */
import { CompileBudget } from '../../src/gateway/limits/compileBudget.ts';
import { previewOf } from '../../src/gateway/emitters/filter/previewOf.ts';
import type { EmitterRequest, EmitterStatus, StreamView } from '../../src/views/emitters/emitterRequest.ts';

export function emitterStatus(fields: Partial<EmitterStatus> = {}): EmitterStatus {
  return {
    ...{ name: 'npm-test', stream: 'npm-test', command: 'npm test', runSchedule: 'timed', runInterval: '5m' },
    ...{ eventFilter: [], ownership: 'userOwned', lifespan: 'temporary', startedBy: 'user', state: 'waiting', runs: 3 },
    lines: { drop: 1, keep: 20, surface: 3, inject: 4 },
    injector: { enabled: true, waiting: 0, dropped: 0, isPaused: false },
    ...fields,
  };
}

export class WatchedEmitters {
  all: EmitterStatus[] = [];
  lines: string[] = [];
  streams: StreamView[] = [];
  /** Without what is asked for again and again. */
  readonly done: EmitterRequest[] = [];
  /** What is said to the next deed that changes something. */
  refusal: string | undefined;

  /** Undefined: it does not answer. */
  answer(request: EmitterRequest): { result: unknown } | { error: string } | undefined {
    if (request.deed === 'list') return { result: this.all };
    if (request.deed === 'streams') return { result: this.streams };
    if (request.deed === 'preview') return { result: previewOf(request.eventFilter, this.lines, new CompileBudget(() => 0)) };
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal !== undefined) return { error: refusal };
    this.done.push(request);
    if (request.deed === 'start') {
      const { runInterval, ...emitter } = request.emitter;
      const started = emitterStatus({ ...emitter, ...(runInterval !== undefined && { runInterval }) } as Partial<EmitterStatus>);
      this.all.push(started);
      return { result: started };
    }
    const { name } = request;
    const change = (fields: Partial<EmitterStatus>) =>
      (this.all = this.all.map((one) => (one.name === name ? { ...one, ...fields } : one)));
    if (request.deed === 'stop') change({ state: 'stopped' });
    if (request.deed === 'run') change({ state: 'running' });
    if (request.deed === 'filter') change({ eventFilter: request.eventFilter });
    return { result: null };
  }
}
