/** Server-sent events of a `Response`, for a reader that sends headers, which an `EventSource` does not. */

/** Characters of one event. A list of what waits has far fewer. */
const MAX_LENGTH = 32_000_000;

export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Ends where the stream does, without the event that was not whole. */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      // Part of a line end may still come.
      text = (text + decoder.decode(value, { stream: true })).replaceAll(/\r\n|\r(?!$)/g, '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      // eslint-disable-next-line texts/translated -- its readers say so in their own words
      if (text.length > MAX_LENGTH) throw new Error('an event is too long');
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a comment. */
function eventOf(block: string): ServerSentEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return data.length > 0 ? { event, data: data.join('\n') } : undefined;
}
