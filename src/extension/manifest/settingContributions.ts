/** The table of settings as the manifest has it. */
import { settingGroups } from './settingTable.ts';
import type { Text } from './text.ts';

type Json = Readonly<Record<string, unknown>>;

const textFields: ReadonlySet<string> = new Set(['markdownDescription', 'description', 'patternErrorMessage']);

export function settingContributions(text: Text) {
  return {
    configuration: Object.entries(settingGroups).map(([id, { title, settings }], group) => ({
      id,
      title: text(`settings.${id}`, title),
      order: group + 1,
      properties: Object.fromEntries(
        Object.entries(settings).map(([name, schema], at) => [
          name,
          { ...(withTexts(`setting.${name}`, schema as unknown as Json, text) as Json), order: at + 1 },
        ]),
      ),
    })),
  };
}

/** `path`: where it is in the manifest, as a part of keys. */
function withTexts(path: string, schema: unknown, text: Text): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([field, value]: [string, unknown]) => {
      if (typeof value === 'string' && textFields.has(field))
        return [field, text(field.endsWith('escription') ? path : `${path}.${field}`, value)];
      if (field === 'enumDescriptions') return [field, (value as string[]).map((one, at) => text(`${path}.enum.${at}`, one))];
      if (field === 'properties')
        return [
          field,
          Object.fromEntries(Object.entries(value as Json).map(([name, of]) => [name, withTexts(`${path}.${name}`, of, text)])),
        ];
      return [field, field === 'items' ? withTexts(path, value, text) : value];
    }),
  );
}
