/** What hosts answer to requests, and what comes beside states. */
import { label, protectedResource } from './parts/fields.ts';
import { config } from './parts/config.ts';
import { list, may, needs, object, or, text } from '../shapeChecks.ts';
import type { ProtectedResourceMetadata } from '../../ahp/common/shapes.ts';
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import type { CommandResult } from '../../ahp/channels/commands.ts';

const directoryEntries = list(object({ name: needs(text), type: or('', text) }));
const configValueItems = list(object({ value: needs(text), label, description: may(text) }));

export function wellFormedConfig(value: unknown): SessionConfigState {
  return (config(value) ?? { schema: { type: 'object', properties: {} }, values: {} }) as SessionConfigState;
}

export function wellFormedResource(value: unknown): ProtectedResourceMetadata | undefined {
  return protectedResource(value) as ProtectedResourceMetadata | undefined;
}

export function wellFormedEntries(value: unknown): CommandResult<'resourceList'>['entries'] {
  return (directoryEntries(value) ?? []) as CommandResult<'resourceList'>['entries'];
}

export function wellFormedConfigItems(value: unknown): CommandResult<'sessionConfigCompletions'>['items'] {
  return (configValueItems(value) ?? []) as CommandResult<'sessionConfigCompletions'>['items'];
}
