/**
 * What a window does for a call of a tool that it lends, without the sockets: from the host's frames to the result and its echo. Whether that
 * stays the same however long the turn is, and how much of it there is.
 */
import { AgentHostClient } from '../src/ahp/client/agentHostClient.ts';
import type { SessionState, ToolCallResponsePart } from '../src/ahp/v1/session.ts';
import { systemClock } from '../src/base/clock.ts';
import { Emitter } from '../src/base/event.ts';
import { nullLogger } from '../src/base/log.ts';
import { ModelHostSession } from '../src/extension/bridge/hosted/modelHostSession.ts';
import { SessionBridge } from '../src/extension/bridge/session/sessionBridge.ts';
import { CallMemory } from '../src/extension/bridge/storage/callMemory.ts';
import { ProviderMemory } from '../src/extension/bridge/storage/providerMemory.ts';
import { TurnMemory } from '../src/extension/bridge/storage/turnMemory.ts';
import { ToolSwitches } from '../src/extension/bridge/tools/toolSwitches.ts';
import type { OwnedSession, OwnerClient, OwnerEvent, OwnerState } from '../src/tap/owner/ownerClient.ts';
import { keptIn, MemoryStorage } from '../test/fakes/memoryStorage.ts';
import { BenchLine } from './benchLine.ts';
import { report } from './measure.ts';
import { partId, SESSION, sessionWith, TURN } from './traces.ts';

const ROUNDS = 40;
const CALLS = 25;
const WARM_RUNS = 3;
const TOOL = 'greet';
const CLIENT = 'window';

/** A gateway that has one tool, and answers at once. */
function benchOwner(): OwnerClient {
  const events = new Emitter<OwnerEvent>();
  const states = new Emitter<OwnerState>();
  const owned = { id: 'session', call: () => Promise.resolve({ ok: true, data: 'Hello, Alice!' }), update: () => Promise.resolve() };
  const tool = { name: TOOL, description: '', parameters: { type: 'object' }, provider: 'bench', trust: 'project' };
  const owner = {
    state: { kind: 'connected' },
    onEvent: events.event,
    onDidChangeState: states.event,
    notify: () => undefined,
    addSession: () => {
      const told = { event: 'tools/changed', params: { sessionId: owned.id, revision: 1, tools: [tool] } };
      queueMicrotask(() => events.fire(told as unknown as OwnerEvent));
      return { ...owned, event: () => undefined, end: () => Promise.resolve() } as unknown as OwnedSession;
    },
  };
  return owner as unknown as OwnerClient;
}

function turnOf(calls: number): SessionState {
  const state = sessionWith(0);
  const { activeTurn } = state;
  if (!activeTurn) throw new Error('the trace has no turn');
  const over = Array.from({ length: calls }, (_, at): ToolCallResponsePart => ({
    kind: 'toolCall',
    toolCall: {
      status: 'completed',
      toolCallId: `earlier-${at}`,
      toolName: 'read',
      displayName: 'Read',
      invocationMessage: 'Read a file',
      toolInput: '{"path":"a.ts"}',
      confirmed: 'not-needed',
      success: true,
      pastTenseMessage: 'Read a file',
      content: [{ type: 'text', text: 'It is empty.' }],
    },
  }));
  return {
    ...state,
    activeTurn: { ...activeTurn, responseParts: [{ kind: 'markdown', id: partId(0), content: 'Looking' }, ...over] },
  };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Said {
  method: string;
  params: { clientSeq: number; action: { type: string; toolCallId?: string } };
}

/** Milliseconds of processor time of a call, at best, and of parsing its frames. The time on the clock has the waits for the event loop in it. */
async function costOfCalls(earlier: number): Promise<{ call: number; parse: number }> {
  const due: (() => void)[] = [];
  const line = new BenchLine(new Map([[SESSION, turnOf(earlier)]]));
  const client = AgentHostClient.create({
    url: 'ws://127.0.0.1',
    clientId: CLIENT,
    transport: () => Promise.resolve(line),
    schedule: (callback) => due.push(callback),
  });
  const storage = new MemoryStorage();
  const kept = keptIn(storage);
  const bridge = new SessionBridge({
    key: 'key',
    sessionId: 'session',
    host: new ModelHostSession(client, SESSION),
    owner: benchOwner(),
    switches: new ToolSwitches(storage),
    memory: new CallMemory(kept),
    providerMemory: new ProviderMemory(kept),
    turnMemory: new TurnMemory(kept),
    traces: () => ({ isOn: false, hasContent: false }),
    ask: () => Promise.resolve({ action: 'decline' }),
    clock: systemClock,
    logger: nullLogger,
  });
  const rest = async () => {
    for (let callback; (callback = due.shift());) callback();
    await new Promise((resolve) => setImmediate(resolve));
  };
  let seq = 0;
  const frames: string[] = [];
  const tell = (action: object, origin?: object) => {
    const frame = JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { action, serverSeq: ++seq, ...(origin && { origin }) } });
    frames.push(frame);
    line.deliver(frame);
  };
  const echo = (text: string) => {
    const { method, params } = JSON.parse(text) as Said;
    if (method === 'dispatchAction') tell(params.action, { clientId: CLIENT, clientSeq: params.clientSeq });
  };
  const completed = new Set<string | undefined>();
  line.onSent((text) => {
    echo(text);
    const { method, params } = JSON.parse(text) as Said;
    if (method === 'dispatchAction' && params.action.type === 'session/toolCallComplete') completed.add(params.action.toolCallId);
  });
  for (let left = 1000; bridge.lending.kind !== 'lending'; left--) {
    if (left === 0) throw new Error(`the bridge does not lend: ${JSON.stringify(bridge.lending)}`);
    await rest();
  }
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    frames.length = 0;
    const start = processorMs();
    for (let at = 0; at < CALLS; at++) {
      const toolCallId = `call-${round}-${at}`;
      const call = { session: SESSION, turnId: TURN, toolCallId };
      tell({ type: 'session/toolCallStart', ...call, toolName: TOOL, displayName: TOOL, toolClientId: CLIENT });
      tell({ type: 'session/toolCallReady', ...call, invocationMessage: TOOL, toolInput: '{"name":"Alice"}', confirmed: 'not-needed' });
      for (let left = 50; !completed.has(toolCallId) || due.length > 0; left--) {
        if (left === 0) throw new Error('a call has no result');
        await rest();
      }
    }
    best = Math.min(best, (processorMs() - start) / CALLS);
  }
  let parse = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = processorMs();
    for (let again = 0; again < 20; again++) for (const frame of frames) JSON.parse(frame);
    parse = Math.min(parse, (processorMs() - start) / CALLS / 20);
  }
  bridge.leave();
  client.close();
  return { call: best, parse };
}

export async function run(): Promise<void> {
  // Until the engine has compiled it. Otherwise the first of the two is measured with that.
  for (let left = WARM_RUNS; left > 0; left--) await costOfCalls(20);
  const [short, long] = [await costOfCalls(20), await costOfCalls(2000)];
  if (process.env['ABSOLUTE']) console.log({ short, long });
  report('bridge: a window’s work for a lent call: turn of 2,000 calls ÷ of 20', long.call / short.call, { atMost: 1.5 });
  report('bridge: a window’s work for a lent call ÷ JSON.parse of its frames', short.call / short.parse);
}
