/** The control of one setting. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConfigField, ConfigOption } from '../../../views/configForm/configFields.ts';
import type { Entry } from '../../../views/configForm/typedValues.ts';

/** While the user types, the host is asked at most so often. In ms. */
const COMPLETE_AFTER_MS = 200;

interface ConfigControlProps {
  id: string;
  field: ConfigField;
  entry: Entry;
  disabled: boolean;
  attributes: { 'aria-describedby': string | undefined; 'aria-invalid': boolean; 'aria-required': boolean };
  onEntry(entry: Entry, isDone: boolean): void;
  complete(query: string): Promise<readonly ConfigOption[]>;
}

export function ConfigControl(props: ConfigControlProps) {
  const { id, field, entry, disabled, attributes, onEntry } = props;
  const text = typeof entry === 'string' ? entry : '';
  const typed = {
    ...attributes,
    ...{ id, class: 'input', disabled, value: text },
    onInput: (event: { currentTarget: { value: string } }) => onEntry(event.currentTarget.value, false),
    onChange: (event: { currentTarget: { value: string } }) => onEntry(event.currentTarget.value, true),
  };
  switch (field.kind) {
    case 'switch':
      return (
        <input
          {...attributes}
          id={id}
          type="checkbox"
          disabled={disabled}
          checked={entry === true}
          onChange={(event) => onEntry(event.currentTarget.checked, true)}
        />
      );
    case 'choice':
      if (field.isDynamic) return <Completed {...props} typed={typed} />;
      return (
        <select
          {...attributes}
          id={id}
          class="input"
          disabled={disabled}
          value={text}
          onChange={(event) => onEntry(event.currentTarget.value, true)}
        >
          {text === '' && <option value="">{field.isRequired ? l10n.t('Choose…') : l10n.t('Not set')}</option>}
          {field.options.map((option) => (
            <option key={option.value} value={option.value} title={option.description}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'list': {
      if (field.options.length === 0) return <textarea {...typed} rows={3} placeholder={l10n.t('One value in each line')} />;
      const chosen = Array.isArray(entry) ? (entry as readonly string[]) : [];
      return (
        <>
          {field.options.map(({ value, label, description }) => (
            <label key={value} class="choice" title={description}>
              <input
                type="checkbox"
                disabled={disabled}
                checked={chosen.includes(value)}
                onChange={(event) => {
                  const others = chosen.filter((one) => one !== value);
                  onEntry(event.currentTarget.checked ? [...others, value] : others, true);
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </>
      );
    }
    case 'json':
      return <textarea {...typed} rows={4} spellcheck={false} placeholder={field.of === 'object' ? '{ }' : '[ ]'} />;
    case 'secret':
      return <input {...typed} type="password" autocomplete="off" />;
    case 'number':
    case 'integer':
      return <input {...typed} class="input number-input" inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'} />;
    case 'text':
      return <input {...typed} />;
  }
}

/** A field of which the host suggests values. */
function Completed({ id, disabled, complete, typed }: ConfigControlProps & { typed: object }) {
  const [options, setOptions] = useState<readonly ConfigOption[]>([]);
  const latest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const find = async (query: string) => {
    const turn = ++latest.current;
    const found = await complete(query);
    if (turn === latest.current) setOptions(found);
  };
  useEffect(
    () => () => {
      latest.current++;
      clearTimeout(timer.current);
    },
    [],
  );
  return (
    <>
      <input
        {...typed}
        list={`${id}-options`}
        autocomplete="off"
        onFocus={() => !disabled && void find('')}
        onKeyUp={(event) => {
          const { value } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void find(value), COMPLETE_AFTER_MS);
        }}
      />
      <datalist id={`${id}-options`}>
        {options.map(({ value, label, description }) => (
          <option key={value} value={value}>
            {[label, description].filter(Boolean).join(' · ')}
          </option>
        ))}
      </datalist>
    </>
  );
}
