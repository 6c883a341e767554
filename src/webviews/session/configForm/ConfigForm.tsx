/** The settings of a host as a form. What is entered counts when the field is left, or by Enter. */
import * as l10n from '../../../base/l10n.ts';
import type { ConfigField, ConfigOption } from '../../../views/configForm/configFields.ts';
import { type Entries, type Entry, entryOf, readEntry } from '../../../views/configForm/typedValues.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { ConfigControl } from './ConfigControl.tsx';

export interface ConfigFormProps {
  /** For the ids of its elements. */
  name: string;
  label: string;
  fields: readonly ConfigField[];
  /** What was entered and is not taken yet. */
  entries: Entries;
  disabled: boolean;
  /** `isDone`: the user has left the field, or chosen. */
  onEntry(id: string, entry: Entry, isDone: boolean): void;
  /** The values of a field that has too many to list. Never rejects. */
  complete(field: ConfigField, query: string): Promise<readonly ConfigOption[]>;
  /** Escape, in the field of that id. */
  onClose(id: string): void;
}

export function ConfigForm({ name, label, fields, entries, disabled, onEntry, complete, onClose }: ConfigFormProps) {
  return (
    <section class="config-form" aria-label={label}>
      {fields.map((field, index) => {
        const id = controlId(name, index);
        const entry = entryOf(field, entries);
        const read = Object.hasOwn(entries, field.id) ? readEntry(field, entry) : {};
        const problem = 'problem' in read ? read.problem : undefined;
        const isGroup = field.kind === 'list' && field.options.length > 0;
        const described = [field.description && `${id}-description`, problem !== undefined && `${id}-problem`].filter(Boolean).join(' ');
        const Label = isGroup ? 'legend' : 'label';
        const Group = isGroup ? 'fieldset' : 'div';
        return (
          <Group
            key={field.id}
            class="config-field"
            id={isGroup ? id : undefined}
            {...(isGroup && { tabIndex: -1 })}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              event.stopPropagation();
              onClose(field.id);
            }}
          >
            <Label class="config-label" {...(!isGroup && { for: id })}>
              <VisibleText text={field.title} prose />
              {field.isRequired && <span class="hint"> {l10n.t('(needed)')}</span>}
              {field.isReadOnly && <span class="hint"> {l10n.t('(cannot be changed)')}</span>}
            </Label>
            <ConfigControl
              id={id}
              field={field}
              entry={entry}
              disabled={disabled || field.isReadOnly}
              attributes={{
                'aria-describedby': described || undefined,
                'aria-invalid': problem !== undefined,
                'aria-required': field.isRequired,
              }}
              onEntry={(next, isDone) => onEntry(field.id, next, isDone)}
              complete={(query) => complete(field, query)}
            />
            {field.description && (
              <p id={`${id}-description`} class="hint config-description">
                <VisibleText text={field.description} prose />
              </p>
            )}
            {problem !== undefined && (
              <p id={`${id}-problem`} class="problem" role="alert">
                {problem}
              </p>
            )}
          </Group>
        );
      })}
    </section>
  );
}

/** Names of properties are the host's, and may be anything. */
export function controlId(name: string, index: number): string {
  return `${name}-${index}`;
}
