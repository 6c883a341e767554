/** A choice from a list as a small drop-down: the model, an option of the model, a setting of the session. */
import * as l10n from '../../base/l10n.ts';
import type { ChoiceField } from './configFields.ts';

export interface PickerOption {
  value: string;
  label: string;
  /** A sentence. */
  description?: string;
  /** Short text beside the label. */
  facts?: readonly string[];
}

export interface Picker {
  id: string;
  title: string;
  value: string;
  options: readonly PickerOption[];
  /** The value is no longer offered, so the user has to choose another one. */
  isGone?: true;
  /** The values are bare words such as `low`, which need the title to be understood. */
  isBare?: true;
}

export function pickerOf({ id, title, value, options, isBare }: ChoiceField): Picker {
  const all = value === '' ? [{ value: '', label: l10n.t('Not set') }, ...options] : options;
  return { id, title, value, options: all, ...(isBare && { isBare }) };
}
