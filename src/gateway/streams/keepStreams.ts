/** Keeps the events in the streams of `tap`, so that they outlive the gateway. */
import type { Kept, SessionJournal } from '../journals/sessionJournal.ts';
import type { Streams } from './streams.ts';
import { tapStreams } from './tapStreams.ts';

/** `kept`: what an earlier gateway has left. */
export function keepStreams(streams: Streams, journal: SessionJournal, kept: Kept | undefined): void {
  for (const { stream, item } of kept?.events ?? []) {
    streams.open(tapStreams, stream, () => false);
    streams.append(tapStreams, stream, item);
  }
  for (const stream of kept?.cut ?? []) streams.cut(tapStreams, stream);
  journal.streams = () => {
    const own = streams.all().filter(({ owner }) => owner.name === tapStreams.name && owner.account === tapStreams.account);
    return {
      events: own
        .flatMap(({ name, items }) => items.map((item) => ({ stream: name, item })))
        .sort((a, b) => (a.item.ts < b.item.ts ? -1 : Number(a.item.ts > b.item.ts))),
      cut: own.filter(({ isCut }) => isCut).map(({ name }) => name),
    };
  };
  const append = (...event: Parameters<SessionJournal['append']>) => journal.append(...event);
  streams.keepIn({ owner: tapStreams, append, flush: () => journal.flush() });
  if (kept) journal.rewrite();
}
