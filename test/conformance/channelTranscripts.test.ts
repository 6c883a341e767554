/** What a real host of AHP 1.0 said: our reducers lead to the states that it shows later. */
import assert from 'node:assert/strict';
import type { ActionEnvelope, StateAction } from '../../src/ahp/channels/actions.ts';
import { channelReducers, type ChannelState } from '../../src/ahp/channels/channelReducers.ts';
import { isStateOf } from '../../src/ahp/channels/reducers/isStateOf.ts';
import type { Snapshot } from '../../src/ahp/channels/commands.ts';
import type { ServerNotifications } from '../../src/ahp/channels/notifications.ts';
import type { SessionState } from '../../src/ahp/channels/session/state.ts';
import type { SessionSummary } from '../../src/ahp/channels/shapes/summaries.ts';
import { reduceAll } from '../../src/ahp/common/reducers/reduceAll.ts';
import type { Reducer } from '../../src/ahp/common/reducers/reducer.ts';
import { kindOfState } from '../support/channelState.ts';
import { describeShared } from '../support/shared.ts';
import { channelTranscripts, replayed, type TranscriptFrame } from '../support/transcript.ts';

const NOW = 9999;

/** What a summary and the state of a session have in common. */
const SUMMARIZED = ['provider', 'title', 'project', 'workingDirectories'] as const;

interface Replica {
  base: ChannelState;
  fromSeq: number;
  actions: StateAction[];
}

interface Compared {
  snapshots: number;
  summaries: number;
}

function built({ base, actions }: Replica): ChannelState {
  const reducer = channelReducers[kindOfState(base)] as unknown as Reducer<ChannelState, StateAction>;
  const oneByOne = actions.reduce((state, action) => reducer(state, action, NOW), base);
  assert.deepEqual(reduceAll(reducer, base, actions, NOW), oneByOne, 'a batch gives what its actions give one by one');
  return oneByOne;
}

/** VS Code 1.139 does not send the times of a session's chats, and sets a chat's own back to that of an earlier turn. */
function comparable(state: ChannelState): unknown {
  return JSON.parse(JSON.stringify(state, (key, field: unknown) => (key === 'modifiedAt' ? undefined : field)));
}

/** Replays all that one connection received and compares wherever the host told what it has. */
class Replay {
  readonly compared: Compared = { snapshots: 0, summaries: 0 };
  readonly #replicas = new Map<string, Replica>();

  receive({ dir, message: { method, params = {}, result } }: TranscriptFrame): void {
    if (dir === 'c2s') return;
    if (method === 'action') this.#apply(params as unknown as ActionEnvelope);
    if (method === 'root/sessionSummaryChanged') {
      const { session, changes } = params as unknown as ServerNotifications['root/sessionSummaryChanged'];
      this.#summarized(session, changes);
    }
    const { snapshots, snapshot, items } = (result ?? {}) as { snapshots?: Snapshot[]; snapshot?: Snapshot; items?: SessionSummary[] };
    for (const known of snapshots ?? (snapshot ? [snapshot] : [])) this.#snapshot(known);
    for (const listed of items ?? []) this.#summarized(listed.resource, listed);
  }

  #apply({ channel, action, serverSeq, rejectionReason }: ActionEnvelope): void {
    const replica = this.#replicas.get(channel);
    if (replica && serverSeq > replica.fromSeq && rejectionReason === undefined) replica.actions.push(action);
  }

  #snapshot({ resource, state, fromSeq }: Snapshot): void {
    assert(isStateOf(kindOfState(state), state), resource);
    const replica = this.#replicas.get(resource);
    // Later snapshots are only compared with, so that one error cannot heal at the next.
    if (!replica) this.#replicas.set(resource, { base: state, fromSeq, actions: [] });
    else {
      assert.deepEqual(comparable(built(replica)), comparable(state), `${resource} as of ${fromSeq}`);
      this.compared.snapshots++;
    }
  }

  #summarized(session: string, summary: Partial<SessionSummary>): void {
    const replica = this.#replicas.get(session);
    if (!replica) return;
    const state = built(replica) as SessionState;
    for (const field of SUMMARIZED) if (field in summary) assert.deepEqual(state[field], summary[field], `${session}: ${field}`);
    // The state's own status says nothing of turns: the host makes that of the summary from the chats.
    const chat = state.chats.find(({ resource }) => resource === state.defaultChat);
    if (summary.status !== undefined) assert.equal(chat?.status, summary.status, `${session}: status`);
    this.compared.summaries++;
  }
}

function replay(dir: string, name: string): Compared[] {
  return replayed(dir, name, () => new Replay()).map(({ compared }) => compared);
}

describeShared('transcripts of a real host of AHP 1.0', (dir) => {
  for (const name of channelTranscripts(dir)) {
    it(`${name}: the state built from actions is the host's`, () => void replay(dir, name));
  }

  it('hold something to compare', () => {
    const all = channelTranscripts(dir).flatMap((name) => replay(dir, name));
    const total = (key: keyof Compared): number => all.reduce((sum, compared) => sum + compared[key], 0);
    for (const [key, atLeast] of Object.entries({ snapshots: 3, summaries: 5 } satisfies Compared)) {
      assert(total(key as keyof Compared) >= atLeast, `${key}: ${total(key as keyof Compared)} of at least ${atLeast}`);
    }
  });
});
