/** What a turn did to files, as the results of its calls say it, and of the turns of its subagents. */
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { isCallPart } from '../../../ahp/common/reducers/turns.ts';
import type { StateStore } from '../../state/stateStore.ts';

type AnyTurn = Turn | ActiveTurn;
type FileEditContent = Extract<ToolResultContent, { type: 'fileEdit' }>;

/** In order. Undefined when no chat of the session has the turn. */
export function editsOfTurn(store: StateStore, session: URI, turnId: string): FileEdit[] | undefined {
  const isIt = ({ id }: AnyTurn) => id === turnId;
  // A fork has turns of another chat. Their subagents are those of that chat.
  const chats = chatsOf(store, session).filter((chat) => turnsOf(store, chat).some(isIt));
  const turn = chats[0] === undefined ? undefined : turnsOf(store, chats[0]).find(isIt);
  return turn && [...editsWithin(store, session, turn, new Set(chats))];
}

/** The ids of all turns of the session. */
export function turnIdsOf(store: StateStore, session: URI): Set<string> {
  return new Set(chatsOf(store, session).flatMap((chat) => turnsOf(store, chat).map(({ id }) => id)));
}

/** Whether any turn of the session has changed a file. */
export function hasEdits(store: StateStore, session: URI): boolean {
  return chatsOf(store, session).some((chat) => hasEditsIn(store, chat));
}

/** Whether any turn of the chat has. */
export function hasEditsIn(store: StateStore, chat: URI): boolean {
  return turnsOf(store, chat).some((turn) => callsOf(turn).some((call) => editsIn(call).length > 0));
}

/** `chats`: those that have the turn, and that it is within. */
function* editsWithin(store: StateStore, session: URI, turn: AnyTurn, chats: ReadonlySet<URI>): Generator<FileEdit> {
  for (const call of callsOf(turn)) {
    for (const { resource, origin } of store.session(session)?.chats ?? []) {
      if (origin?.kind !== 'tool' || !('toolCallId' in origin) || origin.toolCallId !== call.toolCallId) continue;
      if (!chats.has(origin.chat) || chats.has(resource)) continue;
      const inner = turnsOf(store, resource);
      // Some engines use the id of a call again in a later turn.
      if (isDuring(inner[0], turn)) for (const each of inner) yield* editsWithin(store, session, each, new Set([...chats, resource]));
    }
    yield* editsIn(call);
  }
}

function chatsOf(store: StateStore, session: URI): URI[] {
  return (store.session(session)?.chats ?? []).map(({ resource }) => resource);
}

function turnsOf(store: StateStore, chat: URI): AnyTurn[] {
  const { turns = [], activeTurn } = store.chat(chat) ?? {};
  return activeTurn ? [...turns, activeTurn] : turns;
}

function callsOf({ responseParts }: AnyTurn): ToolCallState[] {
  return responseParts.flatMap((part) => (isCallPart(part) ? [part.toolCall as ToolCallState] : []));
}

function editsIn(call: ToolCallState): FileEdit[] {
  if (call.status !== 'completed' && call.status !== 'pending-result-confirmation') return [];
  const { content } = call as Extract<ToolCallState, { status: 'completed' }>;
  return (content ?? []).filter((item): item is FileEditContent => item.type === 'fileEdit').map(({ type: _type, ...edit }) => edit);
}

/** True also where one of them does not say when it was. */
function isDuring(inner: AnyTurn | undefined, turn: AnyTurn): boolean {
  const [at, from] = [inner, turn].map((each) => Date.parse(each?.startedAt ?? '')) as [number, number];
  if (Number.isNaN(at) || Number.isNaN(from)) return true;
  return at >= from && (!('duration' in turn) || turn.duration === undefined || at <= from + turn.duration);
}
