/** The table of commands as the manifest has it. */
import { type CommandEntry, type CommandId, commandName, commandTable } from '../commandTable.ts';
import type { Text } from './text.ts';

const CATEGORY = 'Tapline';

export interface CommandContributions {
  commands: { command: string; title: string; category: string; icon?: string }[];
  menus: Record<string, { command: string; when?: string; group?: string }[]>;
  keybindings: { command: string; key: string; mac?: string; when?: string; args?: string }[];
}

/** Of all menus, that of the palette comes last: it is by far the longest. */
export function commandContributions(text: Text): CommandContributions {
  const entries = Object.entries(commandTable).map(([id, entry]) => ({
    id,
    command: commandName(id as CommandId),
    entry: entry as CommandEntry,
  }));
  const menus: CommandContributions['menus'] = {};
  for (const { command, entry } of entries)
    for (const { menu, group, when } of entry.menus ?? [])
      (menus[menu] ??= []).push({ command, ...(when !== undefined && { when }), group });
  const palette = entries.flatMap(({ command, entry: { palette: when } }) => (when === undefined ? [] : [{ command, when: String(when) }]));
  return {
    commands: entries.map(({ id, command, entry: { title, icon } }) => ({
      command,
      title: text(`command.${id}`, title),
      category: CATEGORY,
      ...(icon && { icon }),
    })),
    menus: { ...menus, commandPalette: palette },
    keybindings: entries.flatMap(({ command, entry: { keys = [] } }) => keys.map((key) => ({ command, ...key }))),
  };
}
