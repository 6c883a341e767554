/** Plugins, skills, agents, hooks and MCP servers of a session. */
import { authRequirement, errorInfo } from './fields.ts';
import { flag, list, may, needs, object, or, text, union } from './shapeChecks.ts';

const enablement = may(
  list(
    union('kind', {
      global: object({ enabled: needs(flag) }),
      workspace: object({ uri: needs(text), enabled: needs(flag) }),
      session: object({ enabled: needs(flag) }),
    }),
  ),
);
const said = object({ message: or('', text) });
const customized = { id: needs(text), uri: or('', text), name: or('', text) };
const customizationPart = object({ ...customized, description: may(text), enabled: may(flag) });
const mcpServer = object({
  ...customized,
  enablement,
  state: or(
    { kind: '' },
    union('kind', {
      starting: object({ blocking: may(flag) }),
      authRequired: object(authRequirement),
      error: object({ error: or({ errorType: '', message: '' }, errorInfo) }),
    }),
  ),
});
const partKinds = {
  agent: customizationPart,
  skill: customizationPart,
  prompt: customizationPart,
  rule: customizationPart,
  hook: customizationPart,
  mcpServer,
};
const unknownPart = object({ type: needs(text), id: may(text) });
const container = {
  ...customized,
  load: may(union('kind', { degraded: said, error: said })),
  children: may(list(union('type', partKinds, unknownPart))),
};
export const customization = union(
  'type',
  { plugin: object({ ...container, enablement }), directory: object({ ...container, enabled: or(true, flag) }), mcpServer },
  unknownPart,
);
