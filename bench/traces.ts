/** The input of the benchmarks: recorded and synthetic actions with the frames that carry them. */
import { type ActionEnvelope, resourceOf, type StateAction } from '../src/ahp/v1/actions.ts';
import type { ResourceState, Snapshot } from '../src/ahp/v1/commands.ts';
import type { URI } from '../src/ahp/v1/common.ts';
import type { ResponsePart, SessionState } from '../src/ahp/v1/session.ts';
import { sharedDir } from '../test/support/shared.ts';
import { transcriptFrames, v1Transcripts } from '../test/support/transcript.ts';

export const BATCH = 100;
export const SESSION = 'copilot:/00000000-0000-4000-8000-000000000001';
export const TURN = '00000000-0000-4000-8000-000000000002';

/** The actions of one resource, in order, and the frames that carried them. */
export interface Trace {
  name: string;
  resource: URI;
  initial: ResourceState;
  frames: string[];
  actions: StateAction[];
}

export function sessionWith(parts: number): SessionState {
  const responseParts = Array.from({ length: parts }, (_, index): ResponsePart => ({
    kind: 'markdown',
    id: partId(index),
    content: 'So far.',
  }));
  return {
    summary: { resource: SESSION, provider: 'copilot', title: 'Bench', status: 8, createdAt: 1, modifiedAt: 1 },
    lifecycle: 'ready',
    turns: [],
    activeTurn: { id: TURN, userMessage: { text: 'Go' }, responseParts },
  };
}

/** Ids that differ from the first character on, as the UUIDs of a host do. A common beginning would make every comparison slower. */
export function partId(index: number): string {
  return `${Math.imul(index + 1, 0x9e3779b1)
    .toString(16)
    .replace('-', '')
    .padStart(8, '0')}-0000-4000-8000-000000000000`;
}

/** Text that streams into the last part. */
export function streamTrace(parts: number, length: number): Trace {
  const actions = Array.from({ length }, (_, index): StateAction => ({
    type: 'session/delta',
    session: SESSION,
    turnId: TURN,
    partId: partId(parts - 1),
    content: ` word${index}`,
  }));
  return { name: `stream, ${parts} parts`, resource: SESSION, initial: sessionWith(parts), actions, frames: framesOf(actions) };
}

/** A turn with many tool calls of a few actions each, between short texts. Batches can merge little of it. */
export function toolTrace(calls: number): Trace {
  const base = { session: SESSION, turnId: TURN };
  const actions = Array.from({ length: calls }, (_, index): StateAction[] => {
    const call = { ...base, toolCallId: `call_${index}` };
    const text = partId(index + 1);
    return [
      { ...base, type: 'session/responsePart', part: { kind: 'markdown', id: text, content: 'I will' } },
      { ...base, type: 'session/delta', partId: text, content: ' run the build' },
      { ...base, type: 'session/delta', partId: text, content: ' and see.' },
      { ...call, type: 'session/toolCallStart', toolName: 'bash', displayName: 'Run Command' },
      {
        ...call,
        type: 'session/toolCallReady',
        invocationMessage: 'Running `npm test`',
        toolInput: '{"command":"npm test"}',
        confirmed: 'not-needed',
      },
      {
        ...call,
        type: 'session/toolCallContentChanged',
        content: [{ type: 'terminal', resource: 'agenthost-terminal:/1', title: 'npm test' }],
      },
      {
        ...call,
        type: 'session/toolCallComplete',
        result: { success: true, pastTenseMessage: 'Ran `npm test`', content: [{ type: 'text', text: 'ok' }] },
      },
    ];
  }).flat();
  return { name: `tools, ${calls} calls`, resource: SESSION, initial: sessionWith(1), actions, frames: framesOf(actions) };
}

export function framesOf(actions: StateAction[]): string[] {
  return actions.map((action, index) => JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { action, serverSeq: index + 1 } }));
}

/** All actions of the recorded transcripts, by transcript and resource, from the first snapshot on. */
export function recordedTraces(): Trace[] {
  const dir = sharedDir();
  if (dir === undefined) return [];
  return v1Transcripts(dir).flatMap((name) => {
    const traces = new Map<URI, Trace>();
    for (const { dir: direction, raw, message } of transcriptFrames(dir, name)) {
      if (direction !== 's2c') continue;
      const { snapshot, snapshots = snapshot ? [snapshot] : [] } = (message.result ?? {}) as {
        snapshot?: Snapshot;
        snapshots?: Snapshot[];
      };
      for (const { resource, state } of snapshots) {
        if (!traces.has(resource)) traces.set(resource, { name, resource, initial: state, frames: [], actions: [] });
      }
      if (message.method !== 'action') continue;
      const { action } = message.params as unknown as ActionEnvelope;
      const trace = traces.get(resourceOf(action) ?? '');
      trace?.actions.push(action);
      trace?.frames.push(raw);
    }
    return [...traces.values()].filter((trace) => trace.actions.length > 0);
  });
}
