import assert from 'node:assert/strict';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import type { FetchTurnsParams, FetchTurnsResult, ResourceState, Snapshot } from '../../src/ahp/v1/commands.ts';
import type { URI } from '../../src/ahp/v1/common.ts';
import { reduceAll, reducerFor } from '../../src/ahp/v1/reducers/reduceAll.ts';
import type { ProtocolNotification, ServerNotifications } from '../../src/ahp/v1/notifications.ts';
import type { SessionState, SessionSummary } from '../../src/ahp/v1/session.ts';
import { describeShared } from '../support/shared.ts';
import { replayed, type TranscriptFrame, v1Transcripts } from '../support/transcript.ts';

const NOW = 9999;

/**
 * Fields of a real host's session summary that its actions do not carry, by their number in reference/real-hosts.md:
 * `modifiedAt` is each side's own clock; `isRead` and `isDone` are booleans of the older host, where today's types have bits (4).
 */
const NOT_FROM_ACTIONS = ['modifiedAt', 'isRead', 'isDone'];
/** What an entry of `listSessions` has in common with the state: the store keeps its own times, and no diffs. */
const LISTED = ['resource', 'provider', 'title', 'status', 'project', 'workingDirectory'] as const;

/** A resource as one connection saw it. */
interface Replica {
  base: ResourceState;
  fromSeq: number;
  actions: StateAction[];
}

/** What a transcript let us compare. */
interface Compared {
  snapshots: number;
  turns: number;
  summaries: number;
}

function built({ base, actions }: Replica, resource: URI): ResourceState {
  const reducer = reducerFor(resource);
  const oneByOne = actions.reduce((state, action) => reducer(state, action, NOW), base);
  assert.deepEqual(reduceAll(reducer, base, actions, NOW), oneByOne, 'a batch gives what its actions give one by one');
  return oneByOne;
}

function comparable(state: ResourceState): unknown {
  if (!('summary' in state)) return state;
  return { ...state, summary: withoutUnactionable(state.summary) };
}

function withoutUnactionable(summary: Partial<SessionSummary>): Partial<SessionSummary> {
  return Object.fromEntries(Object.entries(summary).filter(([field]) => !NOT_FROM_ACTIONS.includes(field)));
}

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Partial<T> {
  return Object.fromEntries(keys.filter((key) => key in value).map((key) => [key, value[key]])) as unknown as Partial<T>;
}

/** Replays all that one connection received and compares wherever the host told what it has. */
class Replay {
  readonly compared: Compared = { snapshots: 0, turns: 0, summaries: 0 };
  readonly #replicas = new Map<URI, Replica>();
  readonly #requests = new Map<unknown, { method: string; params: Record<string, unknown> }>();

  receive({ dir, message }: TranscriptFrame): void {
    const { id, method, params = {}, result } = message;
    if (dir === 'c2s') {
      if (method !== undefined && id !== undefined) this.#requests.set(id, { method, params });
      // A disposed session comes back from the store with other turn ids, without reasoning and usage (14, 23).
      if (method === 'disposeSession') this.#replicas.delete(params.session as URI);
    } else if (method === 'action') {
      this.#apply(params as unknown as ActionEnvelope);
    } else if (method === 'notification') {
      this.#notified((params as unknown as ServerNotifications['notification']).notification);
    } else if (method === undefined && result) {
      const request = this.#requests.get(id);
      assert(request, `an answer to request ${String(id)}`);
      this.#answer(request.method, request.params, result);
    }
  }

  #apply({ action, serverSeq }: ActionEnvelope): void {
    const resource = resourceOf(action);
    const replica = resource === undefined ? undefined : this.#replicas.get(resource);
    if (replica && serverSeq > replica.fromSeq) replica.actions.push(action);
  }

  #notified(notification: ProtocolNotification): void {
    if (notification.type !== 'notify/sessionSummaryChanged') return;
    const replica = this.#replicas.get(notification.session);
    if (!replica) return;
    const changes = withoutUnactionable(notification.changes);
    const { summary } = built(replica, notification.session) as SessionState;
    assert.deepEqual(pick(summary, Object.keys(changes) as (keyof SessionSummary)[]), changes);
    this.compared.summaries++;
  }

  #answer(method: string, params: Record<string, unknown>, result: Record<string, unknown>): void {
    if (method === 'initialize') for (const snapshot of result.snapshots as Snapshot[]) this.#snapshot(snapshot);
    if (method === 'subscribe') this.#snapshot(result.snapshot as Snapshot);
    if (method === 'fetchTurns') this.#turns(params as unknown as FetchTurnsParams, result as unknown as FetchTurnsResult);
    if (method === 'listSessions') (result.items as SessionSummary[]).forEach((listed) => this.#listed(listed));
  }

  #snapshot({ resource, state, fromSeq }: Snapshot): void {
    const replica = this.#replicas.get(resource);
    if (replica) {
      assert.deepEqual(comparable(built(replica, resource)), comparable(state), `${resource} as of ${fromSeq}`);
      this.compared.snapshots++;
    }
    // Later snapshots are only compared with, so that one error cannot heal at the next.
    else this.#replicas.set(resource, { base: state, fromSeq, actions: [] });
  }

  #turns({ session, before, limit }: FetchTurnsParams, { turns }: FetchTurnsResult): void {
    const replica = this.#replicas.get(session);
    if (!replica) return;
    const all = (built(replica, session) as SessionState).turns;
    const end = all.findIndex((turn) => turn.id === before);
    // An unknown `before` gives the newest (14).
    const upTo = end < 0 ? all.length : end;
    assert.deepEqual(all.slice(limit === undefined ? 0 : Math.max(0, upTo - limit), upTo), turns);
    this.compared.turns += turns.length;
  }

  #listed(listed: SessionSummary): void {
    const replica = this.#replicas.get(listed.resource);
    if (!replica) return;
    const { summary } = built(replica, listed.resource) as SessionState;
    assert.deepEqual(pick(summary, LISTED), pick(listed, LISTED));
    this.compared.summaries++;
  }
}

function replay(dir: string, name: string): Compared[] {
  return replayed(dir, name, () => new Replay()).map(({ compared }) => compared);
}

describeShared('transcripts of a real v1 host', (dir) => {
  for (const name of v1Transcripts(dir)) {
    it(`${name}: the state built from actions is the host's`, () => void replay(dir, name));
  }

  it('hold something to compare', () => {
    const all = v1Transcripts(dir).flatMap((name) => replay(dir, name));
    const total = (key: keyof Compared): number => all.reduce((sum, compared) => sum + compared[key], 0);
    for (const [key, atLeast] of Object.entries({ snapshots: 7, turns: 4, summaries: 46 } satisfies Compared)) {
      assert(total(key as keyof Compared) >= atLeast, `${key}: ${total(key as keyof Compared)} of at least ${atLeast}`);
    }
  });
});
