/** Messages and what is attached to them. A client sends them back when it edits, queues or shares them, so what is left fits their schemas. */
import { anyObject, id, list, may, needs, number, object, or, primitive, record, text, union, uri, whole } from './shapeChecks.ts';
import { label } from './fields.ts';

export const model = object({ id: needs(id), config: may(record(primitive)) });

const position = object({ line: needs(number), character: needs(number) });
const textRange = object({ start: needs(position), end: needs(position) });
const ofAttachment = { label, range: may(textRange), displayKind: may(text), _meta: may(anyObject) };
const selection = may(object({ range: needs(textRange) }));
const attachments = {
  simple: object({ ...ofAttachment, modelRepresentation: may(text) }),
  embeddedResource: object({ ...ofAttachment, data: needs(text), contentType: needs(text), selection }),
  resource: object({ ...ofAttachment, uri: needs(uri), sizeHint: may(number), contentType: may(text), nonce: may(text), selection }),
  annotations: object({ ...ofAttachment, resource: needs(uri), annotationIds: may(whole(id)) }),
  chat: object({ ...ofAttachment, resource: needs(uri), endTurn: may(id) }),
};
export const attachment = union('type', attachments, object({ type: needs(id), label: may(text) }));
export const noMessage = { text: '', origin: { kind: 'user' } };
export const message = object({
  text: or('', text),
  origin: or(noMessage.origin, union('kind', {}, object({ kind: needs(id) }))),
  attachments: may(list(attachment)),
  model: may(model),
  agent: may(object({ uri: needs(uri) })),
  _meta: may(anyObject),
});
export const pendingMessage = object({ id: needs(id), message: or(noMessage, message) });
