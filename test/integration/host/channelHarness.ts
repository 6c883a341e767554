/** A client of raw frames of AHP 1.0, at a host with a scripted agent. */
import assert from 'node:assert/strict';
import type { ActionEnvelope, StateAction } from '../../../src/ahp/channels/actions.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { InitializeResult, Snapshot } from '../../../src/ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../../src/ahp/channels/root.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import { chatUri } from '../../../src/host/state/chatUris.ts';
import { RawClient, type TestHost } from './hostHarness.ts';

type Reply = Awaited<ReturnType<RawClient['ask']>>;

export class RawChannelClient {
  #clientSeq = 0;

  private constructor(
    readonly raw: RawClient,
    readonly clientId: string,
  ) {}

  /** It has said hello and reads the root. */
  static async connect(host: TestHost, clientId = 'raw', more: object = {}): Promise<RawChannelClient> {
    const client = await RawChannelClient.open(host, clientId);
    const hello = { channel: ROOT_CHANNEL, clientId, protocolVersions: ['0.9.0'], initialSubscriptions: [ROOT_CHANNEL], ...more };
    await client.result<InitializeResult>('initialize', hello);
    return client;
  }

  /** An open socket that has said nothing yet. */
  static async open(host: TestHost, clientId = 'raw'): Promise<RawChannelClient> {
    return new RawChannelClient(await RawClient.open(`${host.server.url}?tkn=${host.server.token}`), clientId);
  }

  ask(method: string, params: object): Promise<Reply> {
    return this.raw.ask(method, params);
  }

  async result<T>(method: string, params: object): Promise<T> {
    const { result, error } = await this.ask(method, params);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result as T;
  }

  async refusal(method: string, params: object): Promise<[code: number | undefined, message: string | undefined]> {
    const { error } = await this.ask(method, params);
    return [error?.code, error?.message];
  }

  async subscribe<T = ChatState>(channel: string): Promise<T> {
    return (await this.result<{ snapshot: Snapshot }>('subscribe', { channel })).snapshot.state as T;
  }

  /** Creates a session, reads it and its chat, and waits until it is ready. Returns the URI of the chat. */
  async session(uri: string): Promise<string> {
    await this.result('createSession', { channel: uri, provider: 'scripted', config: {} });
    const { lifecycle } = await this.subscribe<SessionState>(uri);
    await this.subscribe(chatUri(uri));
    if (lifecycle === 'creating') await this.action('session/ready');
    return chatUri(uri);
  }

  /** Returns its `clientSeq`. */
  dispatch(channel: string, action: StateAction): number {
    const clientSeq = ++this.#clientSeq;
    this.raw.notify('dispatchAction', { channel, clientSeq, action });
    return clientSeq;
  }

  /** Begins a turn with this text. */
  say(chat: string, text: string, { turnId = text, model }: { turnId?: string; model?: string } = {}): number {
    return this.dispatch(chat, {
      ...{ type: 'chat/turnStarted', turnId, startedAt: new Date().toISOString() },
      message: { text, origin: { kind: 'user' }, ...(model !== undefined && { model: { id: model } }) },
    });
  }

  get envelopes(): ActionEnvelope[] {
    return this.raw.frames.filter(({ method }) => method === 'action').map(({ params }) => params as unknown as ActionEnvelope);
  }

  /** What the host has said about what this client did, in order. */
  answersTo(clientSeq: number): ActionEnvelope[] {
    return this.envelopes.filter(({ origin }) => origin?.clientId === this.clientId && origin.clientSeq === clientSeq);
  }

  answer(clientSeq: number): Promise<ActionEnvelope> {
    return this.raw.until(`the answer to ${clientSeq}`, () => this.answersTo(clientSeq)[0]);
  }

  /** The `count`th action of a type, now or soon. */
  action<T extends StateAction['type']>(type: T, count = 1): Promise<Extract<StateAction, { type: T }>> {
    return this.raw.until(`${type} (${count})`, () => {
      const all = this.envelopes.flatMap(({ action }) => (action.type === type ? [action as Extract<StateAction, { type: T }>] : []));
      return all[count - 1];
    });
  }

  close(): void {
    this.raw.socket.terminate();
  }
}
