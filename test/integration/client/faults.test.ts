/**
 * The client when the connection is lost at every frame of recorded turns, with every way in which hosts come back. In memory, so that each
 * loss is at exactly that frame. faultsEmbedded.test.ts does the same over sockets.
 */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';
import { RecordedHost } from '../../fakes/recordedHost.ts';
import { describeShared } from '../../support/shared.ts';
import { type TranscriptFrame, transcriptFrames } from '../../support/transcript.ts';
import { assertSameAsFresh, promptOf, promptsIn, type Reader } from './faultHarness.ts';

/** Steps that the host does while the client is away. */
const AWAY = 3;

/** What a host does with a client that reconnects. `prepare` is called at the start, `atCut` when the connection is lost. */
interface Fault {
  readonly prepare?: (host: RecordedHost) => void;
  readonly atCut?: (host: RecordedHost) => void;
  /** The host has lost its turn ids, so that a prompt may be there and yet be of unknown outcome. */
  readonly losesIds?: boolean;
}

const faults: Record<string, Fault> = {
  'a replay': {},
  'a replay, while it goes on with its work': {
    prepare: ({ host, toRoot }) => {
      const { reconnect, subscribe } = host.methods;
      let left = 0;
      host.methods['reconnect'] = (params, connection) => {
        left = (params.subscriptions as string[]).length;
        return reconnect?.(params, connection);
      };
      // Newer than the answer, which it overtakes.
      host.methods['subscribe'] = (params, connection) => {
        const answer = subscribe?.(params, connection);
        if (left > 0) toRoot({ type: 'root/activeSessionsChanged', activeSessions: left-- });
        return answer;
      };
    },
  },
  snapshots: {
    prepare: ({ host }) => {
      host.methods['reconnect'] = ({ clientId, subscriptions }, connection) => {
        connection.clientId = clientId;
        const known = (subscriptions as string[]).filter((uri) => !uri.startsWith('agenthost-terminal:'));
        return { type: 'snapshot', snapshots: known.map((uri) => host.subscribe(uri, connection)) };
      };
    },
  },
  'a refusal': {
    prepare: ({ host }) => {
      host.methods['reconnect'] = () => {
        throw new RpcError(-32008, 'Reconnect client not found');
      };
    },
  },
  'an empty replay of a new run with low numbers': { atCut: (host) => host.restart('low'), losesIds: true },
  'a replay of a new run whose numbers have passed the old ones': { atCut: (host) => host.restart('passed'), losesIds: true },
};

interface Played {
  readonly frames: number;
  readonly isCut: boolean;
}

/** Plays the recording and loses the connection once. After that the client has the host's state, and every prompt is in it or pending. */
async function play(recording: readonly TranscriptFrame[], fault: Fault, cutBefore: number): Promise<Played> {
  const recorded = new RecordedHost(recording);
  const { host, resources } = recorded;
  fault.prepare?.(recorded);
  const line = new CuttingTransport(memoryTransport(host).transport, cutBefore, () => fault.atCut?.(recorded));
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport: line.open, clock: new FakeClock() });
  try {
    const readers = resources.map((uri) => recorded.read(client, uri));
    const prompts: string[] = [];
    let away = 0;
    for (const step of recorded.steps) {
      if (client.state.kind === 'reconnecting' && ++away > AWAY) client.reconnectNow();
      if (step.by === 'host') recorded.emit(step);
      else {
        const prompt = promptOf(step.action);
        if (prompt !== undefined && recorded.perform(client, step)) prompts.push(prompt);
      }
      await new Promise(setImmediate);
    }
    const isSettled = () => {
      if (client.state.kind === 'reconnecting') client.reconnectNow();
      return client.state.kind === 'connected' && client.sessions.state === 'ready' && readers.every(isAtRest);
    };
    await eventually(isSettled, 'everything to be live again');

    await assertSameAsFresh(
      readers,
      () => AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport, clock: new FakeClock() }),
      (fresh, uri) => recorded.read(fresh, uri),
    );
    for (const text of new Set(prompts)) {
      const typed = prompts.filter((prompt) => prompt === text).length;
      const run = resources.flatMap((uri) => promptsIn(host.states.get(uri))).filter((prompt) => prompt === text).length;
      const inDoubt = readers.flatMap(doubtfulPrompts).filter((prompt) => prompt === text).length;
      if (fault.losesIds) assert.ok(run <= typed && run + inDoubt >= typed, `"${text}": typed ${typed}, run ${run}, in doubt ${inDoubt}`);
      else assert.equal(run + inDoubt, typed, `"${text}": typed ${typed}, run ${run}, in doubt ${inDoubt}`);
    }
    return { frames: line.passed.length, isCut: line.isCut };
  } finally {
    client.close();
  }
}

const isAtRest = ({ status, pending }: Reader) => status.kind === 'live' && pending.every(({ outcome }) => outcome === 'unknown');

function doubtfulPrompts({ pending }: Reader): string[] {
  return pending.flatMap(({ action }) => promptOf(action) ?? []);
}

describeShared('A connection that breaks before each frame of a recorded turn', (dir) => {
  for (const name of ['117-06-turn.jsonl', '117-07-tools-confirmation.jsonl', '117-11-input-requests.jsonl', '139-06-turn.jsonl']) {
    for (const [way, fault] of Object.entries(faults)) {
      it(`${name}, and the host comes back with ${way}`, async () => {
        const recording = transcriptFrames(dir, name);
        const { frames } = await play(recording, fault, Infinity);
        assert.ok(frames > 30, `${frames} frames`);
        for (let cutBefore = 0; cutBefore < frames; cutBefore++) {
          try {
            assert.ok((await play(recording, fault, cutBefore)).isCut);
          } catch (error) {
            throw new Error(`cut before frame ${cutBefore} of ${frames}`, { cause: error });
          }
        }
      }).timeout(30_000);
    }
  }
});
