/** One picker for the whole filter of the Sessions view: the words are typed, the rest is ticked. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/lifecycle.ts';
import { type FilterNames, type FilterState, type SessionFilter, stateNames } from '../../../views/sessionList/sessionFilter.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';

type Item = vscode.QuickPickItem & { state?: FilterState; agent?: string; host?: string };

/** Undefined when the user has left it. */
export async function chooseFilter(current: SessionFilter, { agents, hosts }: FilterNames): Promise<SessionFilter | undefined> {
  const states = Object.entries(stateNames) as [FilterState, string][];
  const items: Item[] = [
    ...section(
      l10n.t('States'),
      states.map(([state, label]) => ({ label, state })),
    ),
    // With one there is nothing to choose, unless it is what the list is filtered by.
    ...(agents.size > 1 || current.agents.length > 0
      ? section(
          l10n.t('Agents'),
          Array.from(agents, ([agent, label]) => ({ label: name(label), agent })),
        )
      : []),
    ...(hosts.size > 1 || current.hosts.length > 0
      ? section(
          l10n.t('Hosts'),
          Array.from(hosts, ([host, label]) => ({ label: name(label), host })),
        )
      : []),
  ];
  const isChosen = ({ state, agent, host }: Item) =>
    (state !== undefined && current.states.includes(state)) ||
    (agent !== undefined && current.agents.includes(agent)) ||
    (host !== undefined && current.hosts.includes(host));
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<Item>());
  picker.title = l10n.t('Filter Sessions');
  picker.placeholder = l10n.t('Words of the title or the folder');
  picker.canSelectMany = true;
  picker.items = items;
  picker.selectedItems = items.filter(isChosen);
  picker.value = current.text;
  try {
    return await new Promise((resolve) => {
      store.add(picker.onDidHide(() => resolve(undefined)));
      store.add(
        picker.onDidAccept(() => {
          const { selectedItems, value } = picker;
          resolve({
            text: value.trim(),
            states: selectedItems.flatMap(({ state }) => state ?? []),
            agents: selectedItems.flatMap(({ agent }) => agent ?? []),
            hosts: selectedItems.flatMap(({ host }) => host ?? []),
          });
        }),
      );
      picker.show();
    });
  } finally {
    store.dispose();
  }
}

/** Shown also while words are typed that are in none of them. */
function section(label: string, items: Item[]): Item[] {
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items.map((item) => ({ ...item, alwaysShow: true }))];
}

function name(label: string): string {
  return withoutMarkup(oneLine(label)) || l10n.t('Without a name');
}
