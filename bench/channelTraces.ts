/** The traces of `traces.ts` as a host of AHP 1.0 sends them: the same turns, in the same number of actions. */
import type { ActionEnvelope, StateAction } from '../src/ahp/channels/actions.ts';
import { channelReducers, type ChannelState } from '../src/ahp/channels/channelReducers.ts';
import type { ChatState, ResponsePart } from '../src/ahp/channels/chat/state.ts';
import type { Snapshot } from '../src/ahp/channels/commands.ts';
import type { Reducer } from '../src/ahp/common/reducers/reducer.ts';
import { kindOfState } from '../test/support/channelState.ts';
import { sharedDir } from '../test/support/shared.ts';
import { channelTranscripts, transcriptFrames } from '../test/support/transcript.ts';
import { partId, TURN } from './traces.ts';

const CHAT = 'ahp-chat://default/Y29waWxvdGNsaTovMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAx';
const START = '2026-11-23T09:00:00.000Z';

/** The actions of one channel, in order, and the frames that carried them. */
export interface ChannelTrace {
  name: string;
  initial: object;
  frames: string[];
  actions: StateAction[];
  reducer: Reducer<object>;
}

function chatWith(parts: number): ChatState {
  const responseParts = Array.from({ length: parts }, (_, index): ResponsePart => ({
    kind: 'markdown',
    id: partId(index),
    content: 'So far.',
  }));
  return {
    resource: CHAT,
    title: 'Bench',
    status: 8,
    modifiedAt: START,
    turns: [],
    activeTurn: { id: TURN, startedAt: START, message: { text: 'Go', origin: { kind: 'user' } }, responseParts },
  };
}

function ofChat(name: string, initial: ChatState, actions: StateAction[]): ChannelTrace {
  const frames = actions.map((action, index) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { channel: CHAT, action, serverSeq: index + 1 } }),
  );
  return { name, initial, actions, frames, reducer: channelReducers.chat as Reducer<object> };
}

/** Text that streams into the last part. */
export function chatStreamTrace(parts: number, length: number): ChannelTrace {
  const actions = Array.from({ length }, (_, index): StateAction => ({
    type: 'chat/delta',
    turnId: TURN,
    partId: partId(parts - 1),
    content: ` word${index}`,
  }));
  return ofChat(`stream, ${parts} parts`, chatWith(parts), actions);
}

/** A turn with many tool calls of a few actions each, between short texts. Batches can merge little of it. */
export function chatToolTrace(calls: number): ChannelTrace {
  const base = { turnId: TURN };
  const actions = Array.from({ length: calls }, (_, index): StateAction[] => {
    const call = { ...base, toolCallId: `call_${index}` };
    const text = partId(index + 1);
    return [
      { ...base, type: 'chat/responsePart', part: { kind: 'markdown', id: text, content: 'I will' } },
      { ...base, type: 'chat/delta', partId: text, content: ' run the build' },
      { ...base, type: 'chat/delta', partId: text, content: ' and see.' },
      { ...call, type: 'chat/toolCallStart', toolName: 'bash', displayName: 'Run Command' },
      {
        ...call,
        type: 'chat/toolCallReady',
        invocationMessage: 'Running `npm test`',
        toolInput: '{"command":"npm test"}',
        confirmed: 'not-needed',
      },
      {
        ...call,
        type: 'chat/toolCallContentChanged',
        content: [{ type: 'terminal', resource: 'agenthost-terminal:/1', title: 'npm test' }],
      },
      {
        ...call,
        type: 'chat/toolCallComplete',
        result: { success: true, pastTenseMessage: 'Ran `npm test`', content: [{ type: 'text', text: 'ok' }] },
      },
    ];
  }).flat();
  return ofChat(`tools, ${calls} calls`, chatWith(1), actions);
}

/** All actions of the recorded transcripts, by transcript and channel, from the first snapshot on. */
export function recordedChannelTraces(): ChannelTrace[] {
  const dir = sharedDir();
  if (dir === undefined) return [];
  return channelTranscripts(dir).flatMap((name) => {
    const traces = new Map<string, ChannelTrace>();
    const begin = (resource: string, initial: ChannelState): void => {
      const reducer = channelReducers[kindOfState(initial)] as Reducer<object>;
      if (!traces.has(resource)) traces.set(resource, { name, initial, frames: [], actions: [], reducer });
    };
    for (const { dir: direction, raw, message } of transcriptFrames(dir, name)) {
      if (direction !== 's2c') continue;
      const { snapshot, snapshots = snapshot ? [snapshot] : [] } = (message.result ?? {}) as {
        snapshot?: Snapshot;
        snapshots?: Snapshot[];
      };
      for (const { resource, state } of snapshots) begin(resource, state);
      if (message.method !== 'action') continue;
      const { channel, action } = message.params as unknown as ActionEnvelope;
      const trace = traces.get(channel);
      trace?.actions.push(action);
      trace?.frames.push(raw);
    }
    return [...traces.values()].filter((trace) => trace.actions.length > 0);
  });
}
