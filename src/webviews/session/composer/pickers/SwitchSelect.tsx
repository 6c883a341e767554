/** One small button with a list for all settings that are on or off, so that they leave the bar to what is changed more often. */
import * as l10n from '../../../../base/l10n.ts';
import type { SwitchField } from '../../../../views/configForm/configFields.ts';
import { Icon } from '../../parts/Icon.tsx';

interface SwitchSelectProps {
  switches: readonly SwitchField[];
  disabled: boolean;
  onSwitch(id: string, on: boolean): void;
}

export function SwitchSelect({ switches, disabled, onSwitch }: SwitchSelectProps) {
  if (switches.length === 0) return null;
  return (
    <span class="picker">
      <Icon name="settings" />
      <select
        aria-label={l10n.t('Settings of the session')}
        title={switches.map(({ title, value }) => (value ? l10n.t`${title}: on` : l10n.t`${title}: off`)).join('\n')}
        disabled={disabled}
        value=""
        onChange={(event) => {
          const chosen = switches.find(({ id }) => id === event.currentTarget.value);
          event.currentTarget.value = '';
          if (chosen) onSwitch(chosen.id, !chosen.value);
        }}
      >
        <option value="" hidden />
        {switches.map(({ id, title, description, value }) => (
          <option key={id} value={id} title={description}>
            {value ? l10n.t`${title}: on. Switch it off` : l10n.t`${title}: off. Switch it on`}
          </option>
        ))}
      </select>
    </span>
  );
}
