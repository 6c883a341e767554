/** What traces cost a call at the gateway: while they are off, as nearly always, and while they are kept. */
import { nullLogger } from '../src/base/log.ts';
import { Session } from '../src/gateway/sessions/session.ts';
import { traceparentOf } from '../src/gateway/traces/tracing.ts';
import { createProvider } from '../src/tap/provider/providerNode.ts';
import { OwnerClient, type OwnedSession } from '../src/tap/owner/ownerClient.ts';
import { eventually } from '../test/fakes/eventually.ts';
import type { Middle } from './gatewayMiddle.ts';
import { fastest, medianOf, report } from './measure.ts';
import { startChild } from './startChild.ts';

const CALLS = 3000;
const ROUNDS = 3;
const SPANS = 1000;

async function open(kind: string): Promise<{ median(): Promise<number>; stop(): Promise<void> }> {
  const child = await startChild<Middle>('gatewayMiddle.ts', kind);
  const { url, secret, token } = child.said;
  const client = new OwnerClient({ name: 'bench', find: async () => ({ url, token: secret }), logger: nullLogger });
  const session: OwnedSession = client.addSession({ sessionId: 'a', label: 'bench' });
  const tools = [{ name: 'greet', description: 'greets', parameters: {} }];
  const provider = createProvider('bench', { url, token, tools, session: 'all', onToolCall: () => 'Hello' });
  await eventually(async () => client.state.kind === 'connected' && (await session.call('greet', {})).ok, 'the tool');
  return {
    median: () => medianOf(CALLS, () => session.call('greet', {})),
    async stop() {
      provider.close();
      client.dispose();
      await child.stop();
    },
  };
}

/** What `Dispatcher` does for the spans of one call. */
function spansOfCall(session: Session): void {
  const content = session.tracing.hasContent && { content: '' };
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'greet', ...content };
  const call = session.startSpan('execute_tool greet', { parent: undefined, attributes });
  const ofProvider = session.tracing.isOn && { 'tapline.provider': 'bench' };
  const provider = session.startSpan('call provider', { parent: call, isToOthers: true, ...(ofProvider && { attributes: ofProvider }) });
  traceparentOf(provider);
  provider.end();
  call.end();
}

export async function run(): Promise<void> {
  const [off, on] = [await open('gateway'), await open('tracing')];
  const best = { off: Infinity, on: Infinity };
  for (let round = 0; round <= ROUNDS; round++) {
    const medians = { off: await off.median(), on: await on.median() };
    // The first is for warming up.
    if (round > 0) for (const kind of ['off', 'on'] as const) best[kind] = Math.min(best[kind], medians[kind]);
  }
  const session = new Session('a', { name: 'bench', notify: () => undefined, ask: () => Promise.reject(new Error('nobody asks')) });
  const spans = fastest(() => {
    for (let left = SPANS; left > 0; left--) spansOfCall(session);
  });
  report('gateway: traces that are off ÷ a tool call there and back', spans / SPANS / best.off, { atMost: 0.01 });
  report('gateway: tool call with traces ÷ without, median', best.on / best.off);
  await off.stop();
  await on.stop();
}
