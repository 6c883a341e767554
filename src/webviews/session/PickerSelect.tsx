/** A small drop-down in the composer's bar. */
import type { Picker } from '../../views/session/header.ts';

export function PickerSelect({ picker, disabled, onPick }: { picker: Picker; disabled: boolean; onPick(value: string): void }) {
  const current = picker.options.find((option) => option.value === picker.value);
  return (
    <select
      class="picker"
      aria-label={picker.title}
      title={current?.description === undefined ? picker.title : `${picker.title}: ${current.description}`}
      disabled={disabled}
      value={picker.value}
      onChange={(event) => {
        const { value } = event.currentTarget;
        // The host's word decides: until it comes, the old value stands.
        event.currentTarget.value = picker.value;
        onPick(value);
      }}
    >
      {picker.options.map((option) => (
        <option key={option.value} value={option.value} title={option.description}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
