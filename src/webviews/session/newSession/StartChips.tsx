/** What a session is going to begin with, as small drop-downs below the first message. */
import * as l10n from '../../../base/l10n.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { ConfigField } from '../../../views/configForm/configFields.ts';
import type { Picker } from '../../../views/configForm/picker.ts';
import { agentKey } from '../../../views/newSession/rememberedStart.ts';
import {
  changedFields,
  changedPicker,
  chipFields,
  chipPicker,
  folderPicker,
  foldersOf,
  OTHER,
  startModelOptions,
  startModelPicker,
} from '../../../views/newSession/startChips.ts';
import type { StartAgent, StartFolder, StartOffer } from '../../../views/newSession/startOffer.ts';
import { PickerSelect } from '../composer/pickers/PickerSelect.tsx';
import type { StartConfig } from './useStartConfig.ts';

interface StartChipsProps {
  start: StartOffer;
  agent: StartAgent;
  folder: StartFolder | undefined;
  /** A folder that the user has chosen and that is not in the list. */
  otherFolder: StartFolder | undefined;
  model: ModelSelection | undefined;
  config: StartConfig;
  disabled: boolean;
  /** The setting without which nothing was sent. */
  missing: string | undefined;
  onAgent(key: string): void;
  onFolder(uri: string): void;
  onOtherFolder(): void;
  onModel(model: ModelSelection): void;
  /** Opens the form at this setting. */
  onForm(field: ConfigField): void;
}

/** The id of a setting's drop-down, whose own name is the host's. */
export const chipId = (field: string) => `setting ${field}`;

export function StartChips({ start, agent, folder, otherFolder, model, config, disabled, missing, ...on }: StartChipsProps) {
  const agents: Picker = {
    id: 'agent',
    title: l10n.t('Agent'),
    value: agentKey(agent),
    options: start.agents.map((one) => ({ value: agentKey(one), label: one.label })),
  };
  const listed = foldersOf(start, agent);
  const folders = otherFolder && !listed.some(({ uri }) => uri === otherFolder.uri) ? [otherFolder, ...listed] : listed;
  const models = startModelPicker(agent, model);
  return (
    <>
      <PickerSelect picker={agents} disabled={disabled} onPick={on.onAgent} />
      <PickerSelect
        picker={folderPicker(folders, folder)}
        disabled={disabled}
        onPick={(value) => (value === OTHER ? on.onOtherFolder() : value !== '' && on.onFolder(value))}
      />
      {models && <PickerSelect picker={models} disabled={disabled} onPick={(id) => id !== '' && on.onModel({ id })} />}
      {model &&
        startModelOptions(agent, model).map((picker) => (
          <PickerSelect
            key={picker.id}
            picker={{ ...picker, id: `model ${picker.id}` }}
            disabled={disabled}
            onPick={(value) => on.onModel({ id: model.id, config: { ...model.config, [picker.id]: value } })}
          />
        ))}
      {chipFields(config.fields, config.defaults).map((field) => {
        const found = Object.hasOwn(config.found, field.id) ? config.found[field.id] : undefined;
        const picker = chipPicker(field, found);
        return (
          <PickerSelect
            key={field.id}
            picker={{ ...picker, id: chipId(field.id), ...(field.id === missing && { isGone: true }) }}
            disabled={disabled || field.isReadOnly}
            onPick={(value) => (value === OTHER ? on.onForm(field) : config.enter(field.id, value, true))}
          />
        );
      })}
      {changedFields(config.fields, config.defaults).map((field) => (
        <PickerSelect
          key={field.id}
          picker={{ ...changedPicker(field), id: chipId(field.id) }}
          disabled={disabled || field.isReadOnly}
          onPick={(value) => (value === OTHER ? on.onForm(field) : config.enter(field.id, value === 'on', true))}
        />
      ))}
    </>
  );
}
