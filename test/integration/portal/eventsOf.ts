import assert from 'node:assert/strict';

/** The data of the server-sent events of an answer. Rejects when it is cut off before its end. */
export async function* eventsOf(response: Response): AsyncGenerator<string, undefined> {
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.ok(response.body);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
      if (data.length > 0) yield data.join('\n');
    }
  }
  return undefined;
}
