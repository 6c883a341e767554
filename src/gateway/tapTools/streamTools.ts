/** Tools with which a model reads event streams and posts to them. */
import * as z from 'zod';
import { Limit } from '../../tap/wire/limits.ts';
import { streamNamed } from '../streams/streamNamed.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { reviewRecord } from './reviewRecord.ts';
import { type TapTool, tapTool } from './tapTool.ts';

const DEFAULT_LAST = 20;

const listStreams = tapTool(
  {
    name: 'tap_list_streams',
    description:
      'List the event streams of this session: provider, stream, number of events kept, time of the newest. Streams of emitters and of tap_post are those of the provider tap.',
  },
  z.strictObject({}),
  (_, { session }) =>
    session.streams.all().map(({ owner, name, items }) => ({
      provider: owner.name,
      stream: name,
      events: items.length,
      newest: items.at(-1)?.ts ?? null,
    })),
);

const streamHistory = tapTool(
  {
    name: 'tap_stream_history',
    description:
      'Read the newest events of one event stream of this session, newest first. An emitter keeps its lines in the stream of its name, also those that it did not inject.',
  },
  z.strictObject({
    stream: z.string().min(1).max(Limit.nameLength).describe('Name of the stream, as tap_list_streams has it'),
    provider: z
      .string()
      .min(1)
      .max(Limit.nameLength)
      .optional()
      .describe('Whose stream it is. Only needed where several providers have one of this name and none is of tap'),
    last: z.number().int().min(1).max(Limit.queryLast).optional().describe(`How many; ${DEFAULT_LAST} if left out`),
  }),
  ({ stream, provider, last = DEFAULT_LAST }, { session: { streams } }) => {
    const found = streamNamed(streams, stream, provider, last);
    if ('error' in found) throw new Error(found.error);
    return found.items;
  },
);

const post = tapTool(
  {
    name: 'tap_post',
    description:
      'Post an event to an event stream of tap in this session, to be found again with tap_stream_history. The stream of an emitter is not possible. `keep` only stores it, `surface` also shows it to the user in the timeline.',
  },
  z.strictObject({
    stream: z.string().min(1).max(Limit.nameLength).optional().describe('Name of the stream; tap if left out'),
    event: z.string().min(1).max(Limit.textLength),
    level: z.enum(['keep', 'surface']).optional().describe('keep if left out'),
  }),
  ({ stream, event, level = 'keep' }, call) => {
    call.gateway.emitters.checkStream(call.session, stream ?? tapStreams.name);
    call.post(stream, event, level);
    const review = reviewRecord(event);
    if (review) call.session.note('review', { stream: stream ?? tapStreams.name, ...review });
    return 'posted';
  },
);

export const streamTools: readonly TapTool[] = [listStreams, streamHistory, post];
