/** A session as JSON: one turn a line, as the protocol has it. */
import type { ExportedSession } from './exportedSession.ts';

const FORMAT = 'tapline-session';
const VERSION = 1;

/** In pieces, of which each is at most a turn. What does not fit into `limit` characters is left out: `isCut` says so, and `onCut` is called. */
export function* sessionJson({ chats, ...session }: ExportedSession, limit: number, onCut?: () => void): Generator<string> {
  let size = 0;
  let isCut = false;
  yield `${JSON.stringify({ format: FORMAT, version: VERSION, ...session }, undefined, 2).slice(0, -2)},\n  "chats": [`;
  for (const [index, { title, chat, isPart }] of chats.entries()) {
    const { turns, activeTurn, resource, modifiedAt, origin } = chat;
    const head = JSON.stringify({ title, resource, modifiedAt, isPart, ...(origin && { origin }), ...(activeTurn && { activeTurn }) });
    yield `${index > 0 ? ',' : ''}\n    ${head.slice(0, -1)},"turns":[`;
    let isFirst = true;
    for (const turn of turns) {
      const text = JSON.stringify(turn);
      isCut ||= size + text.length > limit;
      if (isCut) {
        onCut?.();
        break;
      }
      size += text.length;
      yield `${isFirst ? '' : ','}\n      ${text}`;
      isFirst = false;
    }
    yield ']}';
  }
  yield `\n  ],\n  "isCut": ${isCut}\n}\n`;
}
