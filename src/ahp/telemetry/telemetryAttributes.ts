/** What the spans of our host are called by. Where OpenTelemetry has a name for something, it is that. */
export const SpanAttribute = {
  session: 'ahp.session',
  chat: 'ahp.chat',
  turn: 'tapline.turn.id',
  tool: 'gen_ai.tool.name',
  call: 'gen_ai.tool.call.id',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agent: 'gen_ai.agent.name',
  approved: 'tapline.approved',
  error: 'error.type',
} as const;

export type AttributeValue = string | number | boolean;
export type SpanAttributes = Readonly<Record<string, AttributeValue>>;

/** A span that is over. */
export interface TelemetrySpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  /** Why it failed, as a code. */
  readonly error?: string;
  /** It waits for another process, such as that of a model. */
  readonly isToOthers?: boolean;
}
