/** What was chosen last for a session of an agent, so that the next one begins with it. */
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import { model } from '../../ahp/wellFormed/parts/message.ts';
import { anyObject, exactly, object, text } from '../../ahp/wellFormed/parts/shapeChecks.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type ConfigField, configFields } from '../configForm/configFields.ts';
import { entryOf, readEntry } from '../configForm/typedValues.ts';
import { isAboutAsking } from '../session/frame/unaskedSettings.ts';

/** Agents of which a choice is kept, and characters of one choice as JSON. */
const MAX_AGENTS = 30;
const MAX_CHOICE = 10_000;

export interface RememberedStart {
  model?: ModelSelection | undefined;
  config?: Record<string, unknown> | undefined;
  folder?: string | undefined;
}
const rememberedStart = object({ model: exactly(model), config: exactly(anyObject), folder: exactly(text) });
/** By `agentKey`. The last one was used last. */
export type RememberedStarts = Readonly<Record<string, unknown>>;

export function agentKey({ hostId, provider }: { hostId: string; provider: string }): string {
  return JSON.stringify([hostId, provider]);
}

export function rememberedOf(all: RememberedStarts, key: string): RememberedStart {
  return (Object.hasOwn(all, key) && (rememberedStart(all[key]) as RememberedStart | undefined)) || {};
}

export function withRemembered(all: RememberedStarts, key: string, choice: RememberedStart): RememberedStarts {
  const others = Object.entries(all).filter(([other]) => other !== key);
  const { config: _, ...small } = choice;
  const kept = JSON.stringify(choice).length > MAX_CHOICE ? small : choice;
  return Object.fromEntries([...others, [key, kept] as const].slice(-MAX_AGENTS));
}

/**
 * The values that are worth keeping: choices and numbers. A text was meant for one session, a value that the host has to be asked for, such as
 * a branch, belongs to its folder, and a secret is not kept at all. Nor is what an agent asks about, because the next session may be in a
 * folder that is trusted less, nor a switch, which may mean that under any name.
 */
export function keptValues({ schema, values }: SessionConfigState): Record<string, unknown> {
  const kept = configFields(schema, values).filter(
    (field) => isKept(field) && Object.hasOwn(values, field.id) && !sameJson(values[field.id], schema.properties[field.id]?.default),
  );
  return Object.fromEntries(kept.map(({ id }) => [id, values[id]]));
}

/** The values with those that were kept, as far as they still fit. Undefined where that changes nothing. */
export function withKept(
  { schema, values }: SessionConfigState,
  kept: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const fitting = configFields(schema, kept).filter((field) => {
    if (!isKept(field) || !Object.hasOwn(kept, field.id)) return false;
    if (field.kind === 'choice' && !isOffered(schema.properties[field.id]?.enum, kept[field.id])) return false;
    const read = readEntry(field, entryOf(field, {}));
    return 'value' in read && sameJson(read.value, kept[field.id]) && !sameJson(read.value, values[field.id]);
  });
  return fitting.length === 0 ? undefined : { ...values, ...Object.fromEntries(fitting.map(({ id }) => [id, kept[id]])) };
}

function isKept(field: ConfigField): boolean {
  if (field.isReadOnly || isAboutAsking(field.id)) return false;
  switch (field.kind) {
    case 'choice':
      return !field.isDynamic;
    case 'number':
    case 'integer':
      return true;
    case 'list':
      return field.options.length > 0;
    default:
      return false;
  }
}

function isOffered(values: readonly unknown[] | undefined, value: unknown): boolean {
  return values?.includes(value) === true;
}
