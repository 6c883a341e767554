/** The table of commands as the manifest has it. */
import { type CommandEntry, type CommandId, commandName, commandTable } from './commandTable.ts';

const CATEGORY = 'Tapline';

export interface CommandContributions {
  commands: { command: string; title: string; category: string; icon?: string }[];
  menus: Record<string, { command: string; when?: string; group?: string }[]>;
  keybindings: { command: string; key: string; mac?: string; when?: string; args?: string }[];
}

/** Of all menus, that of the palette comes last: it is by far the longest. */
export function commandContributions(): CommandContributions {
  const entries = Object.entries(commandTable).map(([id, entry]): [string, CommandEntry] => [commandName(id as CommandId), entry]);
  const menus: CommandContributions['menus'] = {};
  for (const [command, { menus: places = [] }] of entries)
    for (const { menu, group, when } of places) (menus[menu] ??= []).push({ command, ...(when !== undefined && { when }), group });
  const palette = entries.flatMap(([command, { palette: when }]) => (when === undefined ? [] : [{ command, when: String(when) }]));
  return {
    commands: entries.map(([command, { title, icon }]) => ({ command, title, category: CATEGORY, ...(icon && { icon }) })),
    menus: { ...menus, commandPalette: palette },
    keybindings: entries.flatMap(([command, { keys = [] }]) => keys.map((key) => ({ command, ...key }))),
  };
}
