/** What hosts answer to requests, and what comes beside states. */
import type { Command, CommandResult } from '../channels/commands.ts';
import type { SessionConfigState } from '../channels/shapes/config.ts';
import type { ProtectedResourceMetadata } from '../common/shapes.ts';
import { config } from './parts/config.ts';
import { label, protectedResource } from './parts/fields.ts';
import { type Check, list, may, needs, object, or, text } from './parts/shapeChecks.ts';

const noConfig: SessionConfigState = { schema: { type: 'object', properties: {} }, values: {} };
const entries = object({ entries: or([], list(object({ name: needs(text), type: or('', text) }))) });
const configItems = object({ items: or([], list(object({ value: needs(text), label, description: may(text) }))) });

/** Of commands whose answers are read member by member. Who reads another checks it there. */
const answers: { readonly [M in Command]?: { check: Check; otherwise: CommandResult<M> } } = {
  resolveSessionConfig: { check: config, otherwise: noConfig },
  sessionConfigCompletions: { check: configItems, otherwise: { items: [] } },
  resourceList: { check: entries, otherwise: { entries: [] } },
};

export function wellFormedAnswer<M extends Command>(method: M, value: unknown): CommandResult<M> {
  const known = answers[method];
  return (known ? (known.check(value) ?? known.otherwise) : value) as CommandResult<M>;
}

export function wellFormedResource(value: unknown): ProtectedResourceMetadata | undefined {
  return protectedResource(value) as ProtectedResourceMetadata | undefined;
}
