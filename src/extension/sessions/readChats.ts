/** Reads what was said in a session, for a while: its own chat first, then the others. Chats of subagents are left out. */
import * as l10n from '../../base/l10n.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { unlessAborted, withTimeout } from '../../base/errors.ts';
import { chatTitle, ownChat } from '../../views/session/chats.ts';

const STATE_TIMEOUT_MS = 5_000;
const TURNS_TIMEOUT_MS = 30_000;
const MAX_CHATS = 50;
/** Of one chat. A host may always say that there are more. */
const MAX_TURNS = 20_000;

export interface ReadChat {
  readonly title: string;
  readonly chat: ChatState;
  /** There are older turns, or turns that the host did not give. */
  readonly isPart: boolean;
}
export interface ReadSession {
  readonly session: SessionState;
  readonly chats: readonly ReadChat[];
  /** Chats that the host did not give. */
  readonly missing: readonly string[];
}
interface ReadOptions {
  readonly signal: AbortSignal;
  /** Also reads the turns that the host has not given with the chat. `turns`: how many there are so far. */
  readonly onTurns?: (turns: number) => void;
  /** No older turns of this chat are needed. Absent: all are. */
  readonly isEnough?: (chat: ChatState) => boolean;
}

/** As it was last known, or as the host gives it. Rejects when it does not. */
export async function readSession(client: AgentHostClient, uri: URI): Promise<SessionState> {
  const model = client.session(uri);
  try {
    return await known(model);
  } finally {
    model.dispose();
  }
}

async function known(model: SessionModel): Promise<SessionState> {
  return model.confirmed ?? (await whenLive(model, STATE_TIMEOUT_MS));
}

/** Rejects when the host does not give the session, and when the signal is aborted. */
export async function readChats(client: AgentHostClient, uri: URI, { onTurns, ...options }: ReadOptions): Promise<ReadSession> {
  const { signal } = options;
  const model = client.session(uri);
  try {
    const session = await unlessAborted(known(model), signal);
    const own = ownChat(session);
    const others = session.chats.filter(({ resource, origin }) => resource !== own && origin?.kind !== 'tool');
    const uris = [...(own === undefined ? [] : [own]), ...others.map(({ resource }) => resource)].slice(0, MAX_CHATS);
    const chats: ReadChat[] = [];
    const missing: string[] = [];
    let turns = 0;
    for (const one of uris) {
      signal.throwIfAborted();
      const title = chatTitle(session, one);
      const reading = readChat(client, one, { ...options, ...(onTurns && { onTurns: (count: number) => onTurns(turns + count) }) });
      const chat = await unlessAborted(reading, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (!chat) missing.push(title);
      else chats.push({ title, chat, isPart: chat.turnsNextCursor !== undefined });
      turns += chat?.turns.length ?? 0;
    }
    return { session, chats, missing };
  } finally {
    model.dispose();
  }
}

/** One chat: as it was last known, or as the host gives it. Rejects when it does not. When the signal is aborted, with the turns that are there. */
export async function readChat(client: AgentHostClient, uri: URI, options: ReadOptions): Promise<ChatState> {
  const model = client.chat(uri);
  try {
    if (!model.confirmed) await unlessAborted(whenLive(model, STATE_TIMEOUT_MS), options.signal);
    if (options.onTurns) await loadOlder(client, model, options);
    return model.confirmed as ChatState;
  } finally {
    model.dispose();
  }
}

/** Ends early where the host gives no more. The cursor stays in the state then. */
async function loadOlder(client: AgentHostClient, model: ChatModel, { signal, onTurns, isEnough }: ReadOptions): Promise<void> {
  const chat = () => model.confirmed as ChatState;
  for (;;) {
    const { turns, turnsNextCursor: cursor } = chat();
    onTurns?.(turns.length);
    if (cursor === undefined || turns.length >= MAX_TURNS || signal.aborted || isEnough?.(chat())) return;
    // They come as an action of the chat.
    const loaded = new Promise<void>((resolve) => {
      const listening = model.onDidChange(() => {
        if (chat().turnsNextCursor === cursor) return;
        listening.dispose();
        resolve();
      });
    });
    try {
      await unlessAborted(client.command('fetchTurns', { channel: model.uri, cursor }, TURNS_TIMEOUT_MS), signal);
      await unlessAborted(withTimeout(loaded, TURNS_TIMEOUT_MS, l10n.t('older turns')), signal);
    } catch {
      return;
    }
    if (chat().turns.length <= turns.length) return;
  }
}
