/** The client against recorded real hosts, over a real socket: its confirmed states must equal the states that the host sent later. */
import assert from 'node:assert/strict';
import { AgentHostClient, type Command, RpcError, type StateAction, type Subscription } from '../../../src/ahp/index.ts';
import type { ResourceState, Snapshot } from '../../../src/ahp/v1/commands.ts';
import type { SessionSummary } from '../../../src/ahp/v1/session.ts';
import { eventually } from '../../fakes/eventually.ts';
import { ReplayHost } from '../../fakes/replayHost.ts';
import { describeShared } from '../../support/shared.ts';
import { type TranscriptFrame, transcriptFrames, v1Transcripts } from '../../support/transcript.ts';

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
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #answers: Promise<unknown>[] = [];

  constructor(
    private readonly client: AgentHostClient,
    private readonly host: ReplayHost,
  ) {
    this.#subscriptions.set('agenthost:/root', client.subscribeRoot());
  }

  async play({ message }: TranscriptFrame): Promise<void> {
    const { id, method = '', params = {} } = message;
    if (method === 'dispatchAction') {
      const action = params['action'] as StateAction & { session?: string; terminal?: string };
      this.client.dispatch(action.session ?? action.terminal ?? 'agenthost:/root', action);
    } else if (method === 'unsubscribe') {
      this.#drop(params['resource'] as string);
      // The client itself holds the root until it closes, so this notification does not leave.
      this.client.close();
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
    for (const [uri, { status }] of this.#subscriptions) assert.equal(status.kind, 'live', uri);
  }

  async #subscribe(uri: string): Promise<void> {
    const known = this.#subscriptions.get(uri);
    if (known) {
      const answer = this.client.request('subscribe', { resource: uri });
      const { snapshot } = await answer.catch((error: unknown) => {
        assert.ok(error instanceof RpcError);
        return { snapshot: undefined as Snapshot | undefined };
      });
      if (snapshot) {
        assert.deepEqual(comparable(known.confirmed), comparable(snapshot.state), `${uri} as of ${snapshot.fromSeq}`);
        assert.deepEqual(known.pending, []);
        this.compared++;
      } else this.#drop(uri);
    } else {
      const subscription = this.client.subscribe(uri);
      await eventually(() => subscription.status.kind !== 'loading', `an answer for ${uri}`);
      if (subscription.status.kind === 'live') this.#subscriptions.set(uri, subscription);
      else subscription.dispose();
    }
    this.host.release();
  }

  #drop(uri: string): void {
    this.#subscriptions.get(uri)?.dispose();
    this.#subscriptions.delete(uri);
  }

  #compareList(items: readonly SessionSummary[]): void {
    for (const item of items) {
      const own = this.client.sessions.get(item.resource);
      const fields = LISTED.filter((field) => own && field in item && field in own);
      for (const field of fields) assert.deepEqual(own?.[field], item[field], `${item.resource}: ${field}`);
      this.compared += fields.length;
    }
  }
}

describeShared('The client against recorded hosts', (dir) => {
  const names = v1Transcripts(dir);
  let compared = 0;
  let played = 0;

  for (const name of names) {
    it(name, async () => {
      const frames = transcriptFrames(dir, name);
      const [first] = frames;
      assert.equal(first?.message.method, 'initialize');
      const host = await ReplayHost.start(frames);
      const client = await AgentHostClient.connect({ url: host.url, clientId: first.message.params?.['clientId'] as string });
      try {
        const player = new Player(client, host);
        while (!host.isAtEnd && client.state.kind === 'connected') {
          const frame = host.awaited;
          assert.ok(frame, 'the host waits for the client');
          await player.play(frame);
          await eventually(() => host.awaited !== frame || client.state.kind === 'closed', `the host to take ${frame.message.method}`);
        }
        if (client.state.kind === 'connected') await player.end();
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
