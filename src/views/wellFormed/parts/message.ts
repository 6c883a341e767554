/** Messages and what is attached to them. */
import { contentRef, label } from './fields.ts';
import { type Check, flag, list, may, needs, number, object, or, record, text, union } from '../../shapeChecks.ts';

const primitive: Check = (value) => text(value) ?? number(value) ?? flag(value);
export const model = object({ id: needs(text), config: may(record(primitive)) });
export const attachment = union(
  'type',
  {
    simple: object({ label }),
    embeddedResource: object({ label, data: needs(text), contentType: or('', text) }),
    resource: object({ label, ...contentRef }),
    annotations: object({ label, resource: needs(text) }),
    chat: object({ label, resource: needs(text) }),
  },
  object({ type: needs(text), label: may(text) }),
);
export const noMessage = { text: '', origin: { kind: 'user' } };
export const message = object({
  text: or('', text),
  origin: or(noMessage.origin, union('kind', {})),
  attachments: may(list(attachment)),
  model: may(model),
  agent: may(object({ uri: needs(text) })),
});
export const pendingMessage = object({ id: needs(text), message: or(noMessage, message) });
