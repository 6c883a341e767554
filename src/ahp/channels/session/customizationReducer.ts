/** Reduces a session's customizations: plugins, directories and MCP servers, and the children of the first two. */
import { isRecord } from '../../../base/isRecord.ts';
import { isAbsent, listOf, replaceAt } from '../../common/reducers/reducer.ts';
import type { URI } from '../shapes/basic.ts';
import type {
  ChildCustomization,
  Customization,
  CustomizationEnablement,
  McpServerCustomization,
  McpServerState,
} from '../shapes/customizations.ts';

type Entry = Customization | ChildCustomization;
type List = Customization[] | undefined;

/** The list with a customization in the place of the one of its id, or last. */
export function withCustomization(list: List, customization: Customization): List {
  if (!isRecord(customization) || typeof customization.id !== 'string') return list;
  const entries = listOf(list);
  const index = placeOf(entries, customization.id);
  return index < 0 ? [...entries, customization] : replaceAt(entries, index, customization);
}

/** Without the customization of this id, and its children. */
export function withoutCustomization(list: List, id: string): List {
  const top = placeOf(listOf(list), id);
  if (top >= 0) return listOf(list).toSpliced(top, 1);
  return withChildren(list, (children) => {
    const index = placeOf(children, id);
    return index < 0 ? children : children.toSpliced(index, 1);
  });
}

/** With these decisions, and no others, about the customization of this id. */
export function withEnablement(list: List, id: string, enablement: CustomizationEnablement[]): List {
  return Array.isArray(enablement) ? withEntry(list, id, (entry) => decided(entry, enablement)) : list;
}

function decided<E extends Entry>(entry: E, enablement: CustomizationEnablement[]): E {
  if (entry.type === 'plugin' || entry.type === 'mcpServer') {
    const { enablement: _earlier, ...rest } = entry;
    return (enablement.length > 0 ? { ...rest, enablement } : rest) as E;
  }
  // Others have one switch. The first decision counts.
  const [first] = enablement;
  const enabled = isRecord(first) && 'enabled' in first && typeof first.enabled === 'boolean' ? first.enabled : true;
  return { ...entry, enabled };
}

/** With another state of an MCP server. Without a `channel` it has none. */
export function withServerState(list: List, id: string, state: McpServerState, channel?: URI): List {
  return withServer(list, id, (server) => {
    const { channel: _earlier, ...rest } = server;
    return { ...rest, state, ...(typeof channel === 'string' && { channel }) };
  });
}

/** The host shall no longer wait for a server that starts. */
export function withServerInBackground(list: List, id: string): List {
  return withServer(list, id, (server) => {
    const { state } = server;
    return isRecord(state) && state.kind === 'starting' && state.blocking === true
      ? { ...server, state: { ...state, blocking: false } }
      : server;
  });
}

function withServer(list: List, id: string, change: (server: McpServerCustomization) => McpServerCustomization): List {
  return withEntry(list, id, (entry) => (entry.type === 'mcpServer' ? change(entry) : entry));
}

/** Changes the customization of this id: one of the list, else a child. */
function withEntry(list: List, id: string, change: (entry: Entry) => Entry): List {
  const entries = listOf(list);
  const top = placeOf(entries, id);
  if (top >= 0) return replaceAt(entries, top, change(entries[top] as Customization) as Customization);
  return withChildren(list, (children) => {
    const index = placeOf(children, id);
    return index < 0 ? children : replaceAt(children, index, change(children[index] as ChildCustomization) as ChildCustomization);
  });
}

function withChildren(list: List, change: (children: readonly ChildCustomization[]) => readonly ChildCustomization[]): List {
  let entries = list;
  for (const [index, entry] of listOf(list).entries()) {
    if (!isRecord(entry) || !('children' in entry) || !Array.isArray(entry.children)) continue;
    const children = change(entry.children);
    if (children !== entry.children) entries = listOf(entries).with(index, { ...entry, children: children as ChildCustomization[] });
  }
  return entries;
}

function placeOf(entries: readonly Entry[], id: string): number {
  return isAbsent(id) ? -1 : entries.findIndex((entry) => entry?.id === id);
}
