/** A fake host that lives through what a recorded one did: its first states from the snapshots, and then one step after the other. */
import type { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import type { ClientAction, ResourceModel } from '../../src/ahp/client/model/resourceModel.ts';
import { ROOT_CHANNEL } from '../../src/ahp/channels/root.ts';
import { ROOT_URI } from '../../src/ahp/common/root.ts';
import type { ResourceKind } from '../../src/ahp/dialects/dialect.ts';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import { kindOfResource } from '../../src/ahp/v1/reducers/reduceAll.ts';
import type { ResourceState, Snapshot } from '../../src/ahp/v1/commands.ts';
import { gestureOf } from '../support/gestureOf.ts';
import { kindOfState } from '../support/channelState.ts';
import type { TranscriptFrame } from '../support/transcript.ts';
import { FakeChannelHost } from './fakeChannelHost.ts';
import { FakeHost } from './fakeHost.ts';

export interface RecordedStep {
  readonly by: 'host' | 'client';
  /** The resource of the action, as on the wire. */
  readonly uri: string;
  readonly action: StateAction;
}

/** What turns of both dialects have. */
interface SomeTurn {
  id: string;
  responseParts: unknown[];
}
type WithTurns = ResourceState & { turns: SomeTurn[]; activeTurn?: SomeTurn; status?: number; summary?: object };

export class RecordedHost {
  readonly host: FakeHost;
  /** What the host and its client did, in the order in which it happened. */
  readonly steps: readonly RecordedStep[];
  #runs = 1;

  constructor(frames: readonly TranscriptFrame[]) {
    this.host = frames[0]?.message.params?.['channel'] === undefined ? new FakeHost() : new FakeChannelHost();
    const firstSeq = new Map<string, number>();
    for (const { dir, message } of frames) {
      for (const { resource, state, fromSeq } of dir === 's2c' ? snapshotsIn(message.result) : []) {
        if (firstSeq.has(resource)) continue;
        firstSeq.set(resource, fromSeq);
        this.host.states.set(resource, state);
        if ('summary' in state) this.host.summaries.push(state.summary);
      }
    }
    this.steps = frames.flatMap(({ dir, message }): RecordedStep[] => {
      const { action, channel, serverSeq, origin } = (message.params ?? {}) as unknown as ActionEnvelope & { channel?: string };
      const uri = channel ?? (action && resourceOf(action)) ?? '';
      if (dir === 'c2s' && message.method === 'dispatchAction') return [{ by: 'client', uri, action }];
      if (dir !== 's2c' || message.method !== 'action') return [];
      return serverSeq > (firstSeq.get(uri) ?? Infinity) && !origin ? [{ by: 'host', uri, action }] : [];
    });
  }

  /** The URIs of all that it has. */
  get resources(): string[] {
    return [...this.host.states.keys()];
  }

  /** A reader of a resource, with its state as the host has it. */
  read(client: AgentHostClient, uri: string): ResourceModel<ResourceKind> {
    if (!(this.host instanceof FakeChannelHost)) return client.model(kindOfResource(uri), uri);
    const isRoot = uri === ROOT_CHANNEL || uri === ROOT_URI;
    return isRoot ? client.root() : client.model(kindOfState(this.host.stateOf(uri)), uri);
  }

  /** Does a step of the client. False where it cannot yet, because it does not know the words of the host. */
  perform(client: AgentHostClient, { uri, action }: RecordedStep): boolean {
    client.chat(uri).perform(this.host instanceof FakeChannelHost ? (action as unknown as ClientAction) : gestureOf(action));
    return client.dialect !== undefined;
  }

  readonly toRoot = (action: StateAction): void => {
    this.host.emit(action, undefined, undefined, this.host instanceof FakeChannelHost ? ROOT_CHANNEL : undefined);
  };

  /** Does a step of the host. */
  emit({ uri, action }: RecordedStep): void {
    this.host.emit(action, undefined, undefined, this.host instanceof FakeChannelHost ? uri : undefined);
  }

  /** As real hosts come back: turns under new ids, nothing to replay, no refusal. `numbers`: where the new run's stand. */
  restart(numbers: 'low' | 'passed'): void {
    const run = ++this.#runs;
    this.host.log = [];
    this.host.serverSeq = numbers === 'low' ? 1 : this.host.serverSeq + 1_000;
    for (const [uri, state] of this.host.states) if ('turns' in state) this.host.states.set(uri, restored(state as WithTurns, run));
  }
}

function restored({ activeTurn, ...state }: WithTurns, run: number): ResourceState {
  const broken = activeTurn ? [{ ...activeTurn, state: 'cancelled' }] : [];
  const turns = [...state.turns, ...broken].map((turn) => ({ ...turn, id: `${run}:${turn.id}`, responseParts: [] }));
  return { ...state, turns, ...(state.summary ? { summary: { ...state.summary, status: 1 } } : { status: 1 }) } as unknown as ResourceState;
}

function snapshotsIn(result: Record<string, unknown> | null | undefined): Snapshot[] {
  const { snapshot, snapshots } = (result ?? {}) as { snapshot?: Snapshot; snapshots?: Snapshot[] };
  return [...(snapshots ?? []), ...(snapshot ? [snapshot] : [])];
}
