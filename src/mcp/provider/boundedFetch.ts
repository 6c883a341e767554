/** Reads the answers of an MCP server over HTTP as they come, and no message that is too large. */

/** Bytes of a message. As much as a local program may send. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** `onTooLarge` is called when an answer, or an event of a stream, has more than {@link MAX_MESSAGE_BYTES}. The answer ends there. */
export function boundedFetch(onTooLarge: (error: Error) => void): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body || (response.status >= 300 && response.status < 400)) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const limit = new MessageLimit(isStream, onTooLarge);
    return new Response(response.body.pipeThrough(new TransformStream(limit)), response);
  };
}

class MessageLimit {
  #bytes = 0;
  #isLineEmpty = true;
  #last = 0;

  constructor(
    private readonly isStream: boolean,
    private readonly onTooLarge: (error: Error) => void,
  ) {}

  transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
    if (this.isStream) this.#countEvents(chunk);
    else this.#bytes += chunk.length;
    if (this.#bytes <= MAX_MESSAGE_BYTES) return controller.enqueue(chunk);
    const error = new Error(`it has sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    controller.error(error);
    this.onTooLarge(error);
  }

  /** An event ends with an empty line. */
  #countEvents(chunk: Uint8Array): void {
    let [since, isLineEmpty, last] = [-this.#bytes, this.#isLineEmpty, this.#last];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && last !== CARRIAGE_RETURN)) {
        if (isLineEmpty) since = at + 1;
        isLineEmpty = true;
      } else if (byte !== LINE_FEED) isLineEmpty = false;
      last = byte;
    }
    [this.#bytes, this.#isLineEmpty, this.#last] = [chunk.length - since, isLineEmpty, last];
  }
}
