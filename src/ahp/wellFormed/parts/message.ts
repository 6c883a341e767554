/** Messages and what is attached to them. A client sends them back when it edits, queues or shares them, so what is left fits their schemas. */
import { agentSelection, modelSelection } from '../../channels/shapes/basic.ts';
import { attachments } from '../../channels/shapes/message.ts';
import { id } from '../../common/schemas.ts';
import { anyObject, fieldsOf, fits, list, may, needs, object, or, primitive, record, text, union } from './shapeChecks.ts';
import { label } from './fields.ts';

export const model = object({ ...fieldsOf(modelSelection), config: may(record(primitive)) });
export const attachment = union(
  'type',
  Object.fromEntries(
    attachments.flatMap((schema) => {
      const fields = fieldsOf(schema);
      return [...schema.shape.type.def.values].map((type) => [type, object({ ...fields, label })]);
    }),
  ),
  object({ type: needs(fits(id)), label: may(text) }),
);
export const noMessage = { text: '', origin: { kind: 'user' } };
export const message = object({
  text: or('', text),
  origin: or(noMessage.origin, union('kind', {}, object({ kind: needs(fits(id)) }))),
  attachments: may(list(attachment)),
  model: may(model),
  agent: may(object(fieldsOf(agentSelection))),
  _meta: may(anyObject),
});
export const pendingMessage = object({ id: needs(fits(id)), message: or(noMessage, message) });
