import { lifecycle } from './terminal.ts';
import { protectedResource } from './parts/fields.ts';
import { config, configSchema } from './parts/config.ts';
import { anyObject, flag, list, may, needs, number, object, or, text, union } from './parts/shapeChecks.ts';
import type { RootState } from '../channels/root.ts';

const claims = { client: object({ clientId: needs(text) }), session: object({ session: needs(text), chat: may(text) }) };
const root = object({
  agents: or(
    [],
    list(
      object({
        provider: needs(text),
        displayName: or('', text),
        description: or('', text),
        models: or(
          [],
          list(
            object({
              id: needs(text),
              provider: or('', text),
              name: or('', text),
              maxContextWindow: may(number),
              supportsVision: may(flag),
              policyState: may(text),
              configSchema: may(configSchema),
            }),
          ),
        ),
        protectedResources: may(list(protectedResource)),
        capabilities: may(anyObject),
      }),
    ),
  ),
  config: may(config),
  terminals: may(list(object({ resource: needs(text), title: or('', text), claim: needs(union('kind', claims)), lifecycle }))),
});

const noRoot: RootState = { agents: [] };

export function wellFormedRoot(value: RootState): RootState {
  return (root(value) ?? noRoot) as RootState;
}
