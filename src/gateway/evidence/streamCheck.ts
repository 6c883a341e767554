/** What an event stream says about a check. */
import type { EvidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { streamNamed } from '../streams/streamNamed.ts';
import type { StreamItem, Streams } from '../streams/streams.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { decided, type Decision, quotedPart, undecided } from './checkDecision.ts';
import { findText } from './findText.ts';

type StreamCheck = Extract<EvidenceCheck, { kind: 'streamContains' }>;

export function checkStream({ stream, provider, text }: StreamCheck, streams: Streams): Decision {
  const named = streamNamed(streams, stream, provider, Limit.streamEntries);
  if ('error' in named) return undecided(named.error);
  const isOfTap = named.provider === tapStreams.name;
  // Others may have the name of tap.
  const found = isOfTap ? { ...named, items: streams.read(tapStreams, stream, Limit.streamEntries).filter(isPrinted) } : named;
  if (isOfTap && found.items.length === 0)
    return undecided(
      `the stream ${JSON.stringify(stream)} holds nothing that the command of an emitter has printed; what was posted or sent as a prompt is no evidence`,
    );
  const item = found.items.find(({ event }) => findText(event, text) >= 0);
  const where = `${stream}@${found.provider}`;
  if (item) return decided(true, `${where} at ${item.ts}: ${lineWith(item.event, text)}`);
  // Older ones may have been forgotten.
  if (found.isCut)
    return undecided(`the newest ${found.items.length} events of ${where} have no ${quotedPart(text)}, and older ones are gone`);
  return decided(false, `none of the ${found.items.length} events of ${where} has ${quotedPart(text)}`);
}

/** By the command of an emitter. A model may have written all else: what was posted, prompts, and the names in what is said of emitters. */
function isPrinted({ metadata: { emitter, note, prompt } = {} }: StreamItem): boolean {
  return typeof emitter === 'string' && note === undefined && prompt === undefined;
}

function lineWith(event: string, text: string): string {
  return event.split('\n').find((line) => findText(line, text) >= 0) ?? event;
}
