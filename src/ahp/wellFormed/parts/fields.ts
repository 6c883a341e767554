/** What several states hold. */
import { exactly, list, may, needs, number, object, or, text } from './shapeChecks.ts';

export const contentRef = { uri: needs(text), sizeHint: may(number), contentType: may(text) };
const editSide = object({ uri: needs(text), content: needs(object(contentRef)) });
export const editFields = {
  before: exactly(editSide),
  after: exactly(editSide),
  diff: may(object({ added: may(number), removed: may(number) })),
};
export const errorInfo = object({ errorType: or('', text), message: or('', text), stack: may(text) });

export const label = or('', text);
export const texts = may(list(text));
export const protectedResource = object({
  resource: needs(text),
  resource_name: may(text),
  scopes_supported: texts,
  authorization_servers: texts,
});
export const authRequirement = {
  reason: or('', text),
  resource: needs(protectedResource),
  requiredScopes: texts,
  oauthClient: may(object({ clientId: needs(text), clientSecret: may(text) })),
  description: may(text),
};
