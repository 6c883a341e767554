import * as z from 'zod';
import { attentionList, waitingItem } from '../../views/portal/answers/attentionList.ts';
import { described, requestText as text, routes, shape } from './route.ts';

/** What was decided, about exactly which text. */
const about = { revision: text };
const answerValue = z.union([text, z.number(), z.boolean(), z.array(text).max(1000)]);
const answerBody = shape(
  'AttentionAnswer',
  z.discriminatedUnion('decision', [
    z.strictObject({ ...about, decision: z.literal('approve'), option: text.optional() }),
    z.strictObject({ ...about, decision: z.literal('deny'), option: text.optional(), reason: text.max(10_000).optional() }),
    z.strictObject({ ...about, decision: z.literal('accept'), answers: z.record(text, answerValue).optional() }),
    z.strictObject({ ...about, decision: z.enum(['decline', 'cancel']) }),
    z.strictObject({ ...about, decision: z.literal('markRead') }),
  ]),
);

const list = shape(
  'AttentionList',
  z.strictObject({
    ...described(attentionList.shape, {
      isComplete: 'False while a host has not said what it has, and where there is more than can be listed.',
    }),
    items: z.array(
      z.strictObject(
        described(waitingItem.shape, { id: 'The same for as long as the same thing waits.', revision: 'Of exactly what is listed here.' }),
      ),
    ),
  }),
);

export const attentionRoutes = routes({
  list: {
    path: '/attention',
    changes: false,
    summary: 'What waits for a person, in all sessions of the host, and in those of the portal at other hosts.',
    answer: list,
  },
  events: {
    path: '/attention/events',
    changes: false,
    summary: 'Events “attention”, each with the whole list: at once, and whenever it is another.',
    stream: true,
    answer: list,
    errors: ['TooManyStreams'],
  },
  answer: {
    path: '/attention/{id}',
    changes: true,
    summary: 'Answers what waits, exactly as it was listed.',
    // An answer is given on purpose: by POST, and with a type that no form of a page can send.
    postOnly: true,
    body: { description: 'The decision, and the revision of the item that it is about.', format: 'json', schema: answerBody },
    answer: shape(
      'AttentionAnswered',
      z.union([
        z.strictObject({ result: z.literal('Answered') }),
        z.strictObject({ error: z.literal('AnswersNotValid'), problems: z.record(z.string(), z.string()) }),
      ]),
    ),
    errors: ['AttentionNotFound', 'AttentionChanged', 'DecisionNotPossible', 'AnswerRefused', 'OutcomeUnknown'],
  },
});
