/** The small drop-downs of a session that is not there yet: folder, model, the model's options, and what the host can be told about it. */
import * as l10n from '../../base/l10n.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type ChoiceField, type ConfigField, type ConfigOption, configFields, withValue } from '../configForm/configFields.ts';
import { type Picker, pickerOf } from '../configForm/picker.ts';
import { oneLine } from '../text/oneLine.ts';
import type { StartAgent, StartFolder, StartOffer } from './startOffer.ts';

/** Of the host's settings that are as the host has them. The others are in the form. */
const MAX_CHIPS = 6;
/** In characters, of a value that is no choice. */
const MAX_SHOWN = 40;
type OtherField = Exclude<ConfigField, ChoiceField>;
/** The value of an entry that leads to more than the list has. */
export const OTHER = '\0other';

export function foldersOf(start: StartOffer, agent: StartAgent): readonly StartFolder[] {
  const own = agent.folders ?? [];
  if (!start.localHosts.includes(agent.hostId)) return own;
  return [...start.folders, ...own.filter(({ uri }) => !start.folders.some((folder) => folder.uri === uri))];
}

/** Always there, since an agent has to work somewhere. */
export function folderPicker(folders: readonly StartFolder[], chosen: StartFolder | undefined): Picker {
  const options = [
    ...(chosen ? [] : [{ value: '', label: l10n.t('Choose a folder…') }]),
    ...folders.map(({ uri, label }) => ({ value: uri, label })),
    { value: OTHER, label: l10n.t('Other folder…') },
  ];
  return { id: 'folder', title: l10n.t('Folder'), value: chosen?.uri ?? '', options };
}

/** The model of the first message: the one that was chosen, as long as it is offered, or the one that the host itself would take. */
export function startModel(
  { models = [], model, choosesFirst }: StartAgent,
  chosen: ModelSelection | undefined,
): ModelSelection | undefined {
  const offered = [chosen, model].find((one) => models.some(({ id }) => id === one?.id));
  return offered ?? (choosesFirst && models[0] ? { id: models[0].id } : undefined);
}

/** Undefined where there is nothing to choose from. */
export function startModelPicker({ models = [] }: StartAgent, model: ModelSelection | undefined): Picker | undefined {
  if (models.length === 0) return undefined;
  const options = models.map(({ id, label, facts }) => ({ value: id, label, facts }));
  return {
    id: 'model',
    title: l10n.t('Model'),
    value: model?.id ?? '',
    options: model ? options : [{ value: '', label: l10n.t('Default model') }, ...options],
  };
}

export function startModelOptions({ models = [] }: StartAgent, model: ModelSelection | undefined): Picker[] {
  const schema = models.find(({ id }) => id === model?.id)?.configSchema;
  return (schema ? configFields(schema, model?.config) : []).flatMap((field) =>
    field.kind === 'choice' && field.of === 'string' && !field.isDynamic ? [pickerOf(field)] : [],
  );
}

/** Settings that are chosen from a list, with one that is required first. `defaults`: the same fields without any values. */
export function chipFields(fields: readonly ConfigField[], defaults: readonly ConfigField[] = fields): ChoiceField[] {
  const choices = fields.filter((field): field is ChoiceField => field.kind === 'choice' && (!field.isReadOnly || field.value !== ''));
  const isMissing = (field: ChoiceField) => field.isRequired && field.value === '';
  const sorted = choices.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)));
  return sorted.filter((field, index) => index < MAX_CHIPS || isChanged(field, defaults));
}

/** Settings without a list of values that are not as the host has them by itself, so that nothing is on unseen. */
export function changedFields(fields: readonly ConfigField[], defaults: readonly ConfigField[]): OtherField[] {
  return fields.filter((field): field is OtherField => field.kind !== 'choice' && isChanged(field, defaults));
}

function isChanged({ id, value }: ConfigField, defaults: readonly ConfigField[]): boolean {
  return !sameJson(value, defaults.find((field) => field.id === id)?.value);
}

export function changedPicker(field: OtherField): Picker {
  const { id, title } = field;
  if (field.kind === 'switch') {
    const options = [
      { value: 'off', label: l10n.t('Off') },
      { value: 'on', label: l10n.t('On') },
    ];
    return { id, title, isBare: true, value: field.value ? 'on' : 'off', options };
  }
  const change = { value: OTHER, label: l10n.t('Change…') };
  return {
    id,
    title,
    isBare: true,
    value: 'now',
    options: [{ value: 'now', label: shownValue(field) }, ...(field.isReadOnly ? [] : [change])],
  };
}

function shownValue(field: Exclude<OtherField, { kind: 'switch' }>): string {
  if (field.kind === 'secret') return field.value === '' ? l10n.t('Not set') : l10n.t('Set');
  const labels =
    field.kind === 'list' ? field.value.map((one) => field.options.find(({ value }) => value === one)?.label ?? one) : [field.value];
  return oneLine(labels.join(', '), MAX_SHOWN) || l10n.t('Not set');
}

/** `found`: what the host has said of a setting with too many values to list. */
export function chipPicker(field: ChoiceField, found: readonly ConfigOption[] = []): Picker {
  if (!field.isDynamic) return pickerOf(field);
  const known = field.options.filter(({ value }) => !found.some((option) => option.value === value));
  const { options, ...picker } = pickerOf({ ...field, options: withValue([...known, ...found], field.value) });
  return { ...picker, options: field.isReadOnly ? options : [...options, { value: OTHER, label: l10n.t('Other…') }] };
}
