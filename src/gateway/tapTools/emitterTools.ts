/** Tools with which a model has something watched. */
import * as z from 'zod';
import { quoted } from '../../base/text/quoted.ts';
import { checkEmitter, emitterFields, eventFilter, type EventFilter } from '../../tap/wire/emitters/emitterSpec.ts';
import { emitterName } from '../../tap/wire/emitters/emitterWords.ts';
import type { Emitter } from '../emitters/emitter.ts';
import { mayChange } from '../emitters/ownership.ts';
import { NotAllowed, type TapCall, type TapTool, tapTool } from './tapTool.ts';

/** Characters of a command or prompt in a question, as it is shown there. */
const ASKED_LENGTH = 3_000;
/** Of a filter, which is shown as a whole or not asked about. With a command it is less than {@link Limit.questionLength}. */
const ASKED_FILTER_LENGTH = 6_000;

const name = emitterName.describe('Name of the emitter, as tap_list_emitters has it');
const transferOwnership = z
  .boolean()
  .optional()
  .describe('For an emitter that belongs to the user (userOwned): ask them to hand it over. Only where it is needed');

/** Throws {@link NotAllowed} where the model may not change it. Asks the user where that is needed. */
async function changeable(
  { gateway, session, ask }: TapCall,
  name: string,
  transfers: boolean | undefined,
  what: string,
  filter?: EventFilter,
): Promise<Emitter> {
  const emitter = gateway.emitters.get(session, name);
  const may = mayChange(emitter, 'model', transfers);
  if (may === 'yes') return emitter;
  if (may !== 'ask') throw new NotAllowed(may.refused);
  if (!(await ask(handOverQuestion(emitter, what, filter))))
    throw new NotAllowed('the user was not asked or has said no, so nothing has changed. Do not try it again');
  // It may be another one by now.
  if (session.ending || gateway.emitters.get(session, name) !== emitter)
    throw new Error('the emitter has changed while the user was asked');
  emitter.handOver();
  return emitter;
}

function handOverQuestion({ status: { name, startedBy, command, prompt } }: Emitter, what: string, filter?: EventFilter): string {
  const whose = startedBy === 'user' ? 'which you have started' : 'which it has started for you';
  const runs = `It ${command === undefined ? 'sends the prompt' : 'runs'} ${asked(command ?? prompt ?? '')}.`;
  const rules = filter ? ` ${filterText(filter)}` : '';
  return `The agent wants to ${what} “${name}”, ${whose}. ${runs}${rules} From then on the agent may change and stop it.`;
}

function asked(text: string): string {
  const whole = quoted(text);
  if (whole.length <= ASKED_LENGTH) return whole;
  const characters = [...text];
  let length = Math.min(characters.length, ASKED_LENGTH);
  const shown = () => quoted(characters.slice(0, length).join(''));
  while (shown().length > ASKED_LENGTH) length = Math.floor(length / 2);
  return `${shown()} and ${characters.length - length} more characters`;
}

const outcomes = { drop: 'dropped', keep: 'kept', surface: 'shown to you', inject: 'given to the agent' } as const;

/** Throws where it cannot be shown as a whole. */
function filterText(filter: EventFilter): string {
  const rules = filter.map(({ match, outcome }) => `what matches ${quoted(match)} is ${outcomes[outcome]}; `);
  const text = `Its new filter: ${rules.join('')}${rules.length > 0 ? 'all other lines are' : 'every line is'} kept.`;
  if (text.length > ASKED_FILTER_LENGTH)
    throw new Error('eventFilter: it is too long to be shown to the user, who must agree to it: use shorter or fewer rules');
  return text;
}

const startEmitter = tapTool(
  {
    name: 'tap_start_emitter',
    description:
      'Watch something for this session, so that you need not wait or ask again. A command runs in the folder of the session, and each line that it prints is an event; eventFilter says which lines are dropped, kept, shown to the user (surface) or given to you as a message when you are idle (inject). A prompt is sent to you instead. Example: {"name": "tests", "command": "npm test", "runInterval": "5m", "eventFilter": [{"match": "FAIL", "outcome": "inject"}]}. The user approves each start. Everything that was not dropped can be read with tap_stream_history. The emitter ends with the session, or by tap_stop_emitter.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  z.strictObject(emitterFields).superRefine(checkEmitter),
  (spec, { gateway, session }) => gateway.emitters.start(session, spec, 'model').status,
);

const stopEmitter = tapTool(
  {
    name: 'tap_stop_emitter',
    description: 'Stop an emitter of this session, with all that it has started. Its events stay in their stream.',
  },
  z.strictObject({ name, transferOwnership }),
  async ({ name: meant, transferOwnership: transfers }, call) => {
    await (await changeable(call, meant, transfers, 'stop')).stop();
    return 'stopped';
  },
);

const listEmitters = tapTool(
  {
    name: 'tap_list_emitters',
    description:
      'List the emitters of this session, also those that are over: what they run, when they run next, what became of their lines (numbers by outcome), and who owns them.',
  },
  z.strictObject({}),
  (_, { gateway, session }) => gateway.emitters.list(session),
);

const setEventFilter = tapTool(
  {
    name: 'tap_set_event_filter',
    description:
      'Replace the eventFilter of an emitter, from the next line on: what of its lines is dropped, kept, shown to the user (surface) or given to you (inject). The first rule that matches decides; a line that none matches is kept. An empty list keeps everything.',
  },
  z.strictObject({ name, eventFilter, transferOwnership }),
  async ({ name: meant, eventFilter: rules, transferOwnership: transfers }, call) => {
    const emitter = await changeable(call, meant, transfers, 'change the filter of', rules);
    call.gateway.emitters.setFilter(call.session, emitter.name, rules);
    return emitter.status;
  },
);

const injector = (tool: string, isEnabled: boolean, description: string) =>
  tapTool(
    { name: tool, description },
    z.strictObject({ name, transferOwnership }),
    async ({ name: meant, transferOwnership: transfers }, call) => {
      const emitter = await changeable(call, meant, transfers, `turn the injector ${isEnabled ? 'on' : 'off'} of`);
      emitter.setInjector(isEnabled);
      return emitter.status.injector;
    },
  );

export const emitterTools: readonly TapTool[] = [
  startEmitter,
  stopEmitter,
  listEmitters,
  setEventFilter,
  injector(
    'tap_enable_injector',
    true,
    'Have lines of an emitter with the outcome inject given to you again, beginning with those that wait.',
  ),
  injector(
    'tap_disable_injector',
    false,
    'Have lines of an emitter with the outcome inject wait, until tap_enable_injector. They are kept in the stream all the same.',
  ),
];
