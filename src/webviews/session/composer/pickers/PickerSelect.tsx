/** A small drop-down in the composer's bar. */
import type { Picker, PickerOption } from '../../../../views/configForm/picker.ts';
import { Icon } from '../../parts/Icon.tsx';

export function PickerSelect({ picker, disabled, onPick }: { picker: Picker; disabled: boolean; onPick(value: string): void }) {
  const current = picker.options.find((option) => option.value === picker.value);
  return (
    <span class="picker">
      {/* Shows only the name. The real control is invisible on top of it and has all details in its list. */}
      <span class="picker-text" aria-hidden="true">
        {closedText(picker, current)}
      </span>
      <Icon name="chevron-down" />
      <select
        data-picker={picker.id}
        aria-label={picker.title}
        aria-invalid={picker.isGone}
        title={current ? `${picker.title}: ${current.description ?? textOf(current)}` : picker.title}
        disabled={disabled}
        value={picker.value}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // The old value stays until the host confirms the new one.
          event.currentTarget.value = picker.value;
          onPick(value);
        }}
      >
        {picker.options.map((option) => (
          <option key={option.value} value={option.value} title={option.description}>
            {textOf(option)}
          </option>
        ))}
      </select>
    </span>
  );
}

function closedText({ title, isBare }: Picker, current: PickerOption | undefined): string {
  if (!current) return title;
  return isBare ? `${title}: ${current.label}` : current.label;
}

function textOf({ label, facts = [] }: PickerOption): string {
  return [label, ...facts].join(' · ');
}
