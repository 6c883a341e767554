/** Emitters and streams of a folder, as `tap.config.json` describes them. */
import * as z from 'zod';
import { Limit } from '../limits.ts';
import { checkEmitter, emitterFields, type EmitterSpec, userFields } from './emitterSpec.ts';
import { emitterName, runInterval } from './emitterWords.ts';

const MAX_STREAMS = 20;
const owners = { user: 'userOwned', userOwned: 'userOwned', model: 'modelOwned', modelOwned: 'modelOwned' } as const;
const managedBy = z.enum(['user', 'userOwned', 'model', 'modelOwned']).optional().describe('The word of older files for ownership');

/** Fields of older files, and their names of today. */
const older = { every: 'runInterval', channel: 'stream', managedBy: 'ownership' } as const;
const olderFields = {
  every: runInterval.optional().describe('The word of older files for runInterval'),
  channel: emitterName.optional().describe('The word of older files for stream'),
  managedBy,
};

const configuredEmitter = z
  .strictObject({
    ...emitterFields,
    autoStart: userFields.autoStart,
    lifespan: z.literal('persistent').optional().describe('What stands in this file is persistent; it need not say so'),
    ...olderFields,
  })
  .superRefine((given, context) => {
    for (const [old, today] of Object.entries(older) as [keyof typeof older, (typeof older)[keyof typeof older]][])
      if (given[old] !== undefined && given[today] !== undefined)
        context.addIssue({ code: 'custom', path: [old], message: `stands beside ${today}, which is its name of today: give one of them` });
    checkEmitter({ ...given, runInterval: given.runInterval ?? given.every }, context);
  });

const configuredStream = z.strictObject({
  name: emitterName.describe('Of a stream that an emitter of this file fills'),
  description: emitterFields.description.describe('What is in it, for people'),
  sessionInjector: z
    .union([z.boolean(), z.strictObject({ enabled: z.boolean() })])
    .optional()
    .describe('false: lines for the agent wait until the user switches the injector of their emitter on'),
  ownership: emitterFields.ownership.describe('Of emitters that say none'),
  lifespan: configuredEmitter.shape.lifespan,
  managedBy,
});

/** The two fields of the file. */
export const emitterLists = {
  emitters: z
    .array(configuredEmitter)
    .max(Limit.emitters)
    .default([])
    .describe(
      'Commands and prompts that watch something for each agent session of this folder. They run only after the user has allowed them.',
    ),
  streams: z.array(configuredStream).max(MAX_STREAMS).default([]).describe('What holds for the event streams that the emitters fill.'),
} as const;

type Lists = z.output<z.ZodObject<typeof emitterLists>>;

/** What one entry says about another. */
export function checkEmitterLists({ emitters, streams }: Lists, context: Pick<z.RefinementCtx, 'addIssue'>): void {
  const wrong = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const [list, all] of [
    ['emitters', emitters],
    ['streams', streams],
  ] as const)
    for (const [at, { name }] of all.entries())
      if (all.findIndex((other) => other.name === name) < at) wrong([list, at, 'name'], `${JSON.stringify(name)} is named twice`);
  const filled = new Set(emitters.map(streamOf));
  for (const [at, { name }] of streams.entries())
    if (!filled.has(name)) wrong(['streams', at, 'name'], `no emitter of this file fills ${JSON.stringify(name)}`);
}

/** As they are started. */
export function emittersOf({ emitters, streams }: Lists): EmitterSpec[] {
  return emitters.map((emitter) => {
    const { every, channel, managedBy: managed, description, ownership, ...fields } = emitter;
    const of = streams.find(({ name }) => name === streamOf(emitter));
    const owner = ownership ?? (managed && owners[managed]) ?? of?.ownership ?? (of?.managedBy && owners[of.managedBy]);
    const about = description ?? of?.description;
    const isOff = of?.sessionInjector === false || (typeof of?.sessionInjector === 'object' && !of.sessionInjector.enabled);
    return {
      ...fields,
      ...(every !== undefined && { runInterval: every }),
      ...(channel !== undefined && { stream: channel }),
      ...(about !== undefined && { description: about }),
      ...(owner && { ownership: owner }),
      ...(isOff && { injector: false }),
      lifespan: 'persistent',
    };
  });
}

function streamOf({ name, stream, channel }: Lists['emitters'][number]): string {
  return stream ?? channel ?? name;
}
