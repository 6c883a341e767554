/** What the host can be told about a session before it begins: asked for again after each change. Of late answers only the last one counts. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionConfigState } from '../../../ahp/channels/shapes/config.ts';
import { messageOf } from '../../../base/errors.ts';
import { type ConfigField, configFields, type ConfigOption } from '../../../views/configForm/configFields.ts';
import { type Entries, type Entry, readEntry } from '../../../views/configForm/typedValues.ts';
import { chipFields } from '../../../views/newSession/startChips.ts';
import { requestStart } from '../page/pageRequests.ts';
import { post } from '../page/pageShell.ts';

export interface StartPlace {
  hostId: string;
  provider: string;
  workingDirectory?: string;
}

export interface StartConfig {
  /** After a change that was not taken, what was known before it counts. */
  state: 'asking' | 'known' | 'failed';
  /** Why the host did not answer, or did not take a change. */
  problem?: string | undefined;
  fields: readonly ConfigField[];
  /** The same without any values. */
  defaults: readonly ConfigField[];
  entries: Entries;
  /** The host's values, with what the user has chosen. */
  values: Record<string, unknown>;
  /** By the name of the setting: values of one that has too many to list. */
  found: Readonly<Record<string, readonly ConfigOption[]>>;
  enter(id: string, entry: Entry, isDone: boolean): void;
  complete(field: ConfigField, query: string): Promise<readonly ConfigOption[]>;
  again(): void;
}

/** Of one place. What is known of another one does not count. */
interface Known extends Pick<StartConfig, 'entries' | 'found' | 'state' | 'problem'> {
  place: string | undefined;
  resolved: SessionConfigState;
  /** The host has answered. */
  isAnswered: boolean;
  /** What the host was asked to accept last. */
  asked?: Record<string, unknown> | undefined;
}
const nothing = (place: string | undefined): Known => ({
  place,
  ...{ entries: {}, found: {}, state: place === undefined ? 'known' : 'asking' },
  resolved: { schema: { type: 'object', properties: {} }, values: {} },
  isAnswered: false,
});

/** `place`: undefined while there is no agent or folder. */
export function useStartConfig(place: StartPlace | undefined): StartConfig {
  const key = place && JSON.stringify(place);
  const [last, setLast] = useState(() => nothing(key));
  const unknown = useMemo(() => nothing(key), [key]);
  const known = last.place === key ? last : unknown;
  const latest = useRef(0);
  const change = (changes: Partial<Known>) => setLast((before) => ({ ...(before.place === key ? before : nothing(key)), ...changes }));

  const ask = async (asked?: Record<string, unknown>) => {
    if (!place) return;
    const turn = ++latest.current;
    change({ state: 'asking', problem: undefined, asked });
    try {
      const resolved = await requestStart(post, 'resolveStart', { ...place, ...(asked && { config: asked }) });
      if (turn === latest.current) change({ state: 'known', resolved, isAnswered: true });
    } catch (error) {
      if (turn === latest.current) change({ state: known.isAnswered ? 'known' : 'failed', problem: messageOf(error) });
    }
  };
  useEffect(() => {
    void ask();
    return () => void latest.current++;
  }, [key]);

  const { state, problem, resolved, entries, found, asked } = known;
  // While a change is on its way, it is shown. The values of a change that was not taken are those from before it.
  const values = state === 'asking' && asked ? asked : resolved.values;
  const fields = useMemo(() => configFields(resolved.schema, values), [resolved.schema, values]);
  const defaults = useMemo(() => configFields(resolved.schema), [resolved.schema]);
  const complete = async ({ id }: ConfigField, query: string): Promise<readonly ConfigOption[]> => {
    if (!place) return [];
    try {
      return await requestStart(post, 'completeStart', { ...place, config: values, property: id, query });
    } catch {
      // A value can be typed without suggestions.
      return [];
    }
  };
  useEffect(() => {
    if (state !== 'known') return undefined;
    let isOver = false;
    for (const field of chipFields(fields)) {
      if (!field.isDynamic || field.isReadOnly) continue;
      void complete(field, '').then(
        (options) =>
          !isOver && setLast((before) => (before.place === key ? { ...before, found: { ...before.found, [field.id]: options } } : before)),
      );
    }
    return () => void (isOver = true);
  }, [resolved, state]);

  return {
    ...{ state, fields, defaults, entries, values, found, complete },
    ...(problem !== undefined && { problem }),
    enter(id, entry, isDone) {
      const field = fields.find((one) => one.id === id);
      const read = field && isDone ? readEntry(field, entry) : undefined;
      if (!read || 'problem' in read) return change({ entries: { ...entries, [id]: entry } });
      const { [id]: _entry, ...otherEntries } = entries;
      change({ entries: otherEntries });
      const { [id]: _value, ...others } = values;
      void ask('value' in read ? { ...others, [id]: read.value } : others);
    },
    again: () => void ask(asked),
  };
}
