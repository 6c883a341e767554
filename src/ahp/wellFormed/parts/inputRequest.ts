/** Questions to the user, and answers. */
import { flag, list, may, needs, number, object, or, record, text, union } from './shapeChecks.ts';

const options = list(object({ id: needs(text), label: needs(text), description: may(text), recommended: may(flag) }));
/** What is a member of one kind of question may come with any kind, also with those of later versions. */
const questionBase = {
  id: needs(text),
  title: may(text),
  message: or('', text),
  required: may(flag),
  min: may(number),
  max: may(number),
  format: may(text),
  options: may(options),
  allowFreeformInput: may(flag),
};
const numberQuestion = object({ ...questionBase, defaultValue: may(number) });
const selectQuestion = object({ ...questionBase, options: or([], options) });
const question = union(
  'kind',
  {
    text: object({ ...questionBase, defaultValue: may(text) }),
    number: numberQuestion,
    integer: numberQuestion,
    boolean: object({ ...questionBase, defaultValue: may(flag) }),
    'single-select': selectQuestion,
    'multi-select': selectQuestion,
  },
  object({ ...questionBase, kind: or('', text) }),
);
const freeformValues = may(list(text));
const answered = object({
  value: needs(
    union('kind', {
      text: object({ value: needs(text) }),
      number: object({ value: needs(number) }),
      boolean: object({ value: needs(flag) }),
      selected: object({ value: needs(text), freeformValues }),
      'selected-many': object({ value: needs(list(text)), freeformValues }),
    }),
  ),
});
const answer = union('state', { draft: answered, submitted: answered, skipped: object({ freeformValues }) });
export const inputRequest = object({
  id: needs(text),
  message: may(text),
  url: may(text),
  questions: may(list(question)),
  answers: may(record(answer)),
});
