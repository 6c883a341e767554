/** `push` and `stream.query`. */
import type { Span } from '@opentelemetry/api';
import type { Clock } from '../../base/clock.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { StreamEntry } from '../../tap/wire/gatewayMessages.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { ProviderMessages, Push } from '../../tap/wire/providerMessages.ts';
import { cleanRecord, cleanText } from '../limits/cleanText.ts';
import type { Binding, Provider, Session } from './session.ts';
import type { StreamItem } from '../streams/streams.ts';
import { checkPush } from '../trust/capabilities.ts';

/** Characters of an event that are kept. An inject is delivered with its whole text. */
const EVENT_LENGTH = 16_000;
const METADATA_LENGTH = 2000;

/** Throws a {@link ProviderError}. */
export function push(provider: Provider, message: Push, clock: Clock): void {
  checkPush(provider.trust, message);
  const bindings = message.broadcast ? provider.targetsOf(undefined) : [oneBinding(provider, message.sessionId, 'or "broadcast": true')];
  const limited = bindings.filter(({ session }) => !session.inbox.takePush(provider.budgetKey, clock.now()));
  for (const binding of bindings) if (!limited.includes(binding)) deliver(binding, message, new Date(clock.now()).toISOString());
  for (const { session } of limited) tellDropped(session, provider, clock.now());
  if (limited[0])
    throw new ProviderError(
      ErrorCode.RateLimited,
      `more than ${Limit.pushesPerSecond} pushes a second, or ${Limit.sessionPushesPerSecond} of all providers`,
      limited[0].session.id,
    );
}

function deliver({ provider, session }: Binding, message: Push, ts: string): void {
  const stream = message.stream ?? provider.name;
  const text = cleanText(message.prompt ?? message.event ?? '', Limit.textLength);
  const event = cleanText(message.event ?? text, EVENT_LENGTH);
  const level = session.streams.filterOf(provider, stream)?.outcomeOf(event) ?? (message.prompt === undefined ? message.level : 'inject');
  if (level === 'drop') return;
  const item: StreamItem = { ts, event, level, ...(message.metadata && { metadata: cleanRecord(message.metadata, METADATA_LENGTH) }) };
  session.streams.append(provider, stream, item);
  if (level === 'keep') return;
  tellSurfaced(session, { provider: provider.name, stream, account: provider.account }, { ...item, level });
  if (level === 'inject') {
    const span = session.tracing.isOn ? spanOf(session, provider.name, stream, message) : undefined;
    session.inbox.add(provider.account, { provider: provider.name, stream, text, isPrompt: message.prompt !== undefined, span });
  }
}

/** Until it is given to the agent. A provider that has a trace names it in the metadata. */
function spanOf(session: Session, provider: string, stream: string, { metadata }: Push): Span {
  const { traceparent } = metadata ?? {};
  const attributes = { 'tapline.provider': cleanText(provider, Limit.nameLength), 'tapline.stream': cleanText(stream, Limit.nameLength) };
  return session.startSpan('inject', { ...(typeof traceparent === 'string' && { parent: traceparent }), attributes });
}

/** `account`: by which what it injects is counted. `emitter`: its name, where it comes from one. */
export function tellSurfaced(
  session: Session,
  { account, ...from }: { provider: string; stream: string; account: Provider['account']; emitter?: string },
  item: StreamItem & { level: 'surface' | 'inject' },
): void {
  const paused = item.level === 'inject' && session.inbox.isPaused(account);
  session.note('event', { ...from, level: item.level, event: item.event });
  session.owner.notify('push/surfaced', { sessionId: session.id, ...from, ...item, ...(paused && { paused }) });
}

/** Not about each. */
export function tellDropped(session: Session, { name, budgetKey }: Pick<Provider, 'name' | 'budgetKey'>, now: number): void {
  if (session.inbox.shouldTell(budgetKey, now)) session.owner.notify('push/dropped', { sessionId: session.id, provider: name });
}

/** Throws a {@link ProviderError}. The result is keyed as `stream@provider`. */
export function queryStreams(
  provider: Provider,
  { sessionId, streams, last }: ProviderMessages['stream.query'],
): Record<string, StreamEntry[]> {
  const { session } = oneBinding(provider, sessionId, '');
  const answer = new Map<string, StreamEntry[]>();
  for (const asked of streams) {
    const at = asked.lastIndexOf('@');
    const [stream, name] = at < 0 ? [asked, provider.name] : [asked.slice(0, at), asked.slice(at + 1)];
    if (name !== provider.name && provider.trust !== 'internal') {
      throw new ProviderError(ErrorCode.Unauthorized, `the streams of ${JSON.stringify(name)} are not this provider's own`, session.id);
    }
    const items =
      name === provider.name ? session.streams.read(provider, stream, last) : (session.streams.readNamed(name, stream, last) ?? []);
    answer.set(
      `${stream}@${name}`,
      items.map(({ ts, event, metadata }) => ({ ts, event, ...(metadata && { metadata }) })),
    );
  }
  return Object.fromEntries(answer);
}

/** A provider that is bound to several sessions must name one. */
function oneBinding(provider: Provider, sessionId: string | undefined, otherwise: string): Binding {
  if (sessionId !== undefined) return provider.bindingOf(sessionId);
  const [only, ...more] = provider.bindings.values();
  if (!only || more.length)
    throw new ProviderError(ErrorCode.InvalidSession, `sessionId is required where not exactly one session is bound ${otherwise}`.trim());
  return only;
}
