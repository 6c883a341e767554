/** Reduces a session's customizations: plugins, directories and MCP servers, and the children of the first two. */
import { isRecord } from '../../../base/isRecord.ts';
import { change, isAbsent, listIn, listOf, placesWhere, putAt, setField } from '../../common/reducers/reducer.ts';
import type { URI } from '../shapes/basic.ts';
import type {
  ChildCustomization,
  Customization,
  CustomizationEnablement,
  McpServerCustomization,
  McpServerState,
} from '../shapes/customizations.ts';

type Entry = Customization | ChildCustomization;
interface Holder {
  customizations?: Customization[];
}

/** Puts a customization in the place of the one of its id, or last. */
export function setCustomization(draft: Holder, customization: Customization): void {
  if (!isRecord(customization) || typeof customization.id !== 'string') return;
  putAt(listIn(draft, 'customizations'), placeOf(draft.customizations, customization.id), customization);
}

/** Removes the customization of this id, and its children. */
export function removeCustomization(draft: Holder, id: string): void {
  inListOf(draft, id, (entries, place) => entries.splice(place, 1));
}

/** Sets these decisions, and no others, about the customization of this id. */
export function setEnablement(draft: Holder, id: string, enablement: CustomizationEnablement[]): void {
  if (Array.isArray(enablement)) changeEntry(draft, id, (entry) => decide(entry, enablement));
}

function decide(entry: Entry, enablement: CustomizationEnablement[]): void {
  if (entry.type === 'plugin' || entry.type === 'mcpServer') {
    setField(entry as McpServerCustomization, 'enablement', enablement.length > 0 ? enablement : undefined);
    return;
  }
  // Others have one switch. The first decision counts.
  const [first] = enablement;
  const enabled = isRecord(first) && 'enabled' in first && typeof first.enabled === 'boolean' ? first.enabled : true;
  (entry as { enabled?: boolean }).enabled = enabled;
}

/** Sets another state of an MCP server. Without a `channel` it has none. */
export function setServerState(draft: Holder, id: string, state: McpServerState, channel?: URI): void {
  changeServer(draft, id, (server) => {
    setField(server, 'state', state);
    setField(server, 'channel', typeof channel === 'string' ? channel : undefined);
  });
}

/** The host shall no longer wait for a server that starts. */
export function setServerInBackground(draft: Holder, id: string): void {
  changeServer(draft, id, (server) => {
    if (!isRecord(server.state) || server.state.kind !== 'starting' || server.state.blocking !== true) return;
    change(server, 'state', (state) => {
      (state as { blocking?: boolean }).blocking = false;
    });
  });
}

function changeServer(draft: Holder, id: string, recipe: (server: McpServerCustomization) => void): void {
  changeEntry(draft, id, (entry) => {
    if (entry.type === 'mcpServer') recipe(entry as McpServerCustomization);
  });
}

function changeEntry(draft: Holder, id: string, recipe: (entry: Entry) => void): void {
  inListOf(draft, id, (entries, place) => change(entries, place, recipe));
}

/** Changes the list that the customization of this id is in: the session's, else the children of every one that has it. */
function inListOf(draft: Holder, id: string, recipe: (entries: Entry[], place: number) => void): void {
  const entries = draft.customizations;
  if (!Array.isArray(entries)) return;
  const top = placeOf(entries, id);
  if (top >= 0) {
    recipe(entries, top);
    return;
  }
  for (const place of placesWhere(entries, (entry) => placeOf(childrenOf(entry), id) >= 0)) {
    change(entries, place, (entry) => {
      const children = childrenOf(entry);
      recipe(children, placeOf(children, id));
    });
  }
}

function childrenOf(entry: Customization): ChildCustomization[] {
  return isRecord(entry) && 'children' in entry && Array.isArray(entry.children) ? entry.children : [];
}

function placeOf(entries: readonly Entry[] | undefined, id: string): number {
  return isAbsent(id) ? -1 : listOf(entries).findIndex((entry) => entry?.id === id);
}
