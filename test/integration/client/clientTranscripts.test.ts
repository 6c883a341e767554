/** The reducers of AHP v1 against recorded real hosts, over a real socket: their states must equal those that the host sent later. */
import assert from 'node:assert/strict';
import type { StateAction } from '../../../src/ahp/v1/actions.ts';
import type { Command, ResourceState, Snapshot } from '../../../src/ahp/v1/commands.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { SessionSummary } from '../../../src/ahp/v1/session.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { eventually } from '../../fakes/eventually.ts';
import { ReplayHost } from '../../fakes/replayHost.ts';
import { describeShared } from '../../support/shared.ts';
import { type TranscriptFrame, transcriptFrames, v1Transcripts } from '../../support/transcript.ts';
import { V1Client, type V1Resource } from '../../support/v1Client.ts';

/** No action carries these: `modifiedAt` comes from each side's own clock, and the other two exist in VS Code 1.117 only. */
const NOT_FROM_ACTIONS = new Set(['modifiedAt', 'isRead', 'isDone']);
/** Fields that a host's list and its notifications have in common. Times and diffs may differ between them. */
const LISTED = ['resource', 'provider', 'title', 'status', 'workingDirectory'] as const;

function comparable(state: ResourceState | undefined): unknown {
  if (!state || !('summary' in state)) return state;
  const summary = Object.fromEntries(Object.entries(state.summary).filter(([field]) => !NOT_FROM_ACTIONS.has(field)));
  return { ...state, summary };
}

/** Repeats what the recorded client did, and compares wherever the host sent a state. */
class Player {
  compared = 0;
  readonly #resources = new Map<string, V1Resource>();
  readonly #answers: Promise<unknown>[] = [];

  constructor(
    private readonly client: V1Client,
    private readonly host: ReplayHost,
  ) {
    this.#resources.set(ROOT_URI, client.subscribe(ROOT_URI));
  }

  async play({ message }: TranscriptFrame): Promise<void> {
    const { id, method = '', params = {} } = message;
    if (method === 'dispatchAction') {
      const action = params['action'] as StateAction & { session?: string; terminal?: string };
      this.client.dispatch(action.session ?? action.terminal ?? ROOT_URI, action);
    } else if (method === 'unsubscribe') {
      this.#drop(params['resource'] as string);
    } else if (method === 'subscribe') {
      await this.#subscribe(params['resource'] as string);
    } else {
      assert.notEqual(id, undefined, `a request: ${method}`);
      const answer = this.client.request(method as Command, params as never).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
      });
      this.#answers.push(answer);
      if (method === 'listSessions') this.#compareList(((await answer) as { items: SessionSummary[] } | undefined)?.items ?? []);
      // VS Code 1.117 loads a disposed session again with other turn ids.
      if (method === 'disposeSession') this.#drop(params['session'] as string);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#answers);
    for (const [uri, { status }] of this.#resources) assert.equal(status.kind, 'live', uri);
  }

  async #subscribe(uri: string): Promise<void> {
    const known = this.#resources.get(uri);
    if (known) {
      const answer = this.client.request('subscribe', { resource: uri });
      const { snapshot } = await answer.catch((error: unknown) => {
        assert.ok(error instanceof RpcError);
        return { snapshot: undefined as Snapshot | undefined };
      });
      if (snapshot) {
        assert.deepEqual(comparable(known.state), comparable(snapshot.state), `${uri} as of ${snapshot.fromSeq}`);
        this.compared++;
      } else this.#drop(uri);
    } else {
      const resource = this.client.subscribe(uri);
      await eventually(() => resource.status.kind !== 'loading', `an answer for ${uri}`);
      if (resource.status.kind === 'live') this.#resources.set(uri, resource);
    }
    this.host.release();
  }

  #drop(uri: string): void {
    this.#resources.delete(uri);
    this.client.unsubscribe(uri);
  }

  #compareList(items: readonly SessionSummary[]): void {
    for (const item of items) {
      const { state } = this.#resources.get(item.resource) ?? {};
      const own = state && 'summary' in state ? state.summary : undefined;
      const fields = LISTED.filter((field) => own && field in item && field in own);
      for (const field of fields) assert.deepEqual(own?.[field], item[field], `${item.resource}: ${field}`);
      this.compared += fields.length;
    }
  }
}

describeShared('The reducers of AHP v1 against recorded hosts', (dir) => {
  const names = v1Transcripts(dir);
  let compared = 0;
  let played = 0;

  for (const name of names) {
    it(name, async () => {
      const frames = transcriptFrames(dir, name);
      const [first] = frames;
      assert.equal(first?.message.method, 'initialize');
      const host = await ReplayHost.start(frames);
      const client = await V1Client.connect({ url: host.url, clientId: first.message.params?.['clientId'] as string });
      try {
        const player = new Player(client, host);
        while (!host.isAtEnd) {
          const frame = host.awaited;
          assert.ok(frame, 'the host waits for the client');
          await player.play(frame);
          await eventually(() => host.awaited !== frame, `the host to take ${frame.message.method}`);
        }
        await player.end();
        compared += player.compared;
        played++;
        assert.deepEqual(host.unexpected, []);
      } finally {
        client.close();
        await host.close();
      }
    });
  }

  it('compared states and lists', function () {
    if (played < names.length) this.skip();
    assert.ok(compared >= 12, `${compared} comparisons`);
  });
});
