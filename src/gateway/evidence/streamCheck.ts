/** What an event stream says about a check. */
import type { EvidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { streamNamed } from '../streams/streamNamed.ts';
import type { Streams } from '../streams/streams.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { decided, type Decision, quotedPart, undecided } from './decision.ts';
import { findText } from './findText.ts';

type StreamCheck = Extract<EvidenceCheck, { kind: 'streamContains' }>;

/** `isOfEmitter`: nobody else writes to it. */
export function checkStream({ stream, provider, text }: StreamCheck, streams: Streams, isOfEmitter: (stream: string) => boolean): Decision {
  const found = streamNamed(streams, stream, provider, Limit.streamEntries);
  if ('error' in found) return undecided(found.error);
  if (found.provider === tapStreams.name && !isOfEmitter(stream))
    return undecided(`the stream ${JSON.stringify(stream)} holds what was posted with tap_post, which is no evidence`);
  const item = found.items.find(({ event }) => findText(event, text) >= 0);
  const where = `${stream}@${found.provider}`;
  if (item) return decided(true, `${where} at ${item.ts}: ${lineWith(item.event, text)}`);
  // Older ones may have been forgotten.
  if (found.isCut)
    return undecided(`the newest ${found.items.length} events of ${where} have no ${quotedPart(text)}, and older ones are gone`);
  return decided(false, `none of the ${found.items.length} events of ${where} has ${quotedPart(text)}`);
}

function lineWith(event: string, text: string): string {
  return event.split('\n').find((line) => findText(line, text) >= 0) ?? event;
}
