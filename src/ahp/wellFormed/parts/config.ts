/** Schemas and values of settings. */
import { anyObject, flag, list, may, needs, number, object, or, primitive, record, text, whole } from './shapeChecks.ts';

// They stand beside each other, so none may be left out.
const values = { enum: may(whole(primitive)), enumLabels: may(whole(text)), enumDescriptions: may(whole(text)) };
const property = object({
  type: or('', text),
  title: or('', text),
  description: may(text),
  ...values,
  readOnly: may(flag),
  enumDynamic: may(flag),
  sessionMutable: may(flag),
  // What is deeper is shown as JSON.
  items: may(object({ type: or('', text), ...values })),
  minItems: may(number),
  maxItems: may(number),
});
export const configSchema = object({ properties: or({}, record(property)), required: may(list(text)) });
export const config = object({ schema: needs(configSchema), values: or({}, anyObject) });
