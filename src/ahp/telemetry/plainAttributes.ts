/** What of a span may be kept where nobody has asked for content. */
import { SpanAttribute, type SpanAttributes } from './telemetryAttributes.ts';

/** Texts that are names, ids and codes. What else a host says in words may be what was said to a model. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([
  ...Object.values(SpanAttribute),
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.response.model',
  'http.request.method',
  'server.address',
]);

export function plainAttributes(attributes: SpanAttributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([key, value]) => typeof value !== 'string' || PLAIN_TEXTS.has(key)));
}
