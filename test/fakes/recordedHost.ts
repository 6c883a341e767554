/** A fake host that lives through what a recorded one did: its first states from the snapshots, and then one step after the other. */
import { type ActionEnvelope, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import type { Snapshot } from '../../src/ahp/v1/commands.ts';
import type { SessionState, Turn } from '../../src/ahp/v1/session.ts';
import type { TranscriptFrame } from '../support/transcript.ts';
import { FakeHost } from './fakeHost.ts';

export interface RecordedStep {
  readonly by: 'host' | 'client';
  readonly action: StateAction;
}

export class RecordedHost extends FakeHost {
  /** What the host and its client did, in the order in which it happened. */
  readonly steps: readonly RecordedStep[];
  #runs = 1;

  constructor(frames: readonly TranscriptFrame[]) {
    super();
    const firstSeq = new Map<string, number>();
    for (const { dir, message } of frames) {
      for (const { resource, state, fromSeq } of dir === 's2c' ? snapshotsIn(message.result) : []) {
        if (firstSeq.has(resource)) continue;
        firstSeq.set(resource, fromSeq);
        this.states.set(resource, state);
        if ('summary' in state) this.summaries.push(state.summary);
      }
    }
    this.steps = frames.flatMap(({ dir, message }): RecordedStep[] => {
      if (dir === 'c2s' && message.method === 'dispatchAction')
        return [{ by: 'client', action: message.params?.['action'] as StateAction }];
      if (dir !== 's2c' || message.method !== 'action') return [];
      const { action, serverSeq, origin } = message.params as unknown as ActionEnvelope;
      const isNew = serverSeq > (firstSeq.get(resourceOf(action) ?? '') ?? Infinity);
      return isNew && !origin ? [{ by: 'host', action }] : [];
    });
  }

  /** The URIs of all that it has. */
  get resources(): string[] {
    return [...this.states.keys()];
  }

  /** As real hosts come back: sessions under new turn ids, nothing to replay, no refusal. `numbers`: where the new run's stand. */
  restart(numbers: 'low' | 'passed'): void {
    const run = ++this.#runs;
    this.log = [];
    this.serverSeq = numbers === 'low' ? 1 : this.serverSeq + 1_000;
    for (const [uri, state] of this.states) if ('turns' in state) this.states.set(uri, restored(state, run));
  }
}

function restored({ activeTurn, ...state }: SessionState, run: number): SessionState {
  const broken = activeTurn && [{ ...activeTurn, state: 'cancelled' as const }];
  const turns = [...state.turns, ...(broken ?? [])].map((turn): Turn => ({ ...turn, id: `${run}:${turn.id}`, responseParts: [] }));
  return { ...state, turns, summary: { ...state.summary, status: 1 } };
}

function snapshotsIn(result: Record<string, unknown> | null | undefined): Snapshot[] {
  const { snapshot, snapshots } = (result ?? {}) as { snapshot?: Snapshot; snapshots?: Snapshot[] };
  return [...(snapshots ?? []), ...(snapshot ? [snapshot] : [])];
}
