/** Schemas and values of settings. */
import { anyObject, flag, may, needs, object, or, record, text, whole } from '../../shapeChecks.ts';

const property = object({
  type: or('', text),
  title: or('', text),
  description: may(text),
  // They stand beside each other, so none may be left out.
  enum: may(whole(text)),
  enumLabels: may(whole(text)),
  enumDescriptions: may(whole(text)),
  readOnly: may(flag),
  enumDynamic: may(flag),
  sessionMutable: may(flag),
});
export const configSchema = object({ properties: or({}, record(property)) });
export const config = object({ schema: needs(configSchema), values: or({}, anyObject) });
