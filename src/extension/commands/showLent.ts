/** The list of what this window lends to hosts elsewhere. Each can be opened, or taken back. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { basename, dirname } from 'node:path';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { showInfo } from '../notifications.ts';
import type { LentFile } from '../lending/lentFiles.ts';

type Item = vscode.QuickPickItem & { host?: RegisteredHost; lent?: LentFile };

const TAKE_BACK = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Take Back: the host cannot read it any more') };
const TAKE_ALL: Item = { label: `$(trash) ${l10n.t('Take Back All of It')}`, alwaysShow: true };

export function showLent(hosts: readonly RegisteredHost[]): void {
  const items = () => hosts.flatMap((host) => host.lent.all.map((lent) => itemOf(host, lent)));
  if (items().length === 0) {
    void showInfo(l10n.t('Nothing is lent. A file of this computer is lent when you attach it to a message for an agent host elsewhere.'));
    return;
  }
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = l10n.t('Files of This Computer That Are Lent');
  picker.placeholder = l10n.t('Choose one to open it or to take it back');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const show = () => (picker.items = [...items(), TAKE_ALL]);
  const takeBack = ({ host, lent }: Item) => {
    if (lent) host?.lent.takeBack(lent.uri);
    if (items().length === 0) picker.hide();
    else show();
  };
  picker.onDidTriggerItemButton(({ item }) => takeBack(item));
  picker.onDidAccept(async () => {
    const [chosen] = picker.selectedItems;
    if (chosen === TAKE_ALL) {
      for (const one of items()) takeBack(one);
      return;
    }
    if (!chosen?.lent) return;
    picker.hide();
    await choose(chosen, chosen.lent);
  });
  picker.onDidHide(() => picker.dispose());
  show();
  picker.show();
}

/** By keys too, which do not reach the buttons of a list easily. */
async function choose({ host, label }: Item, { uri, path, isFolder }: LentFile): Promise<void> {
  const take = l10n.t('Take Back');
  const open = isFolder ? l10n.t('Show in the File Manager') : l10n.t('Open');
  const how = await vscode.window.showQuickPick([take, open], { title: label });
  if (how === take) host?.lent.takeBack(uri);
  else if (how === open) await vscode.commands.executeCommand(isFolder ? 'revealFileInOS' : 'vscode.open', vscode.Uri.file(path));
}

function itemOf(host: RegisteredHost, lent: LentFile): Item {
  const { path, isFolder, session, at } = lent;
  const title = host.client.sessions.summary(session)?.title;
  const [by, since] = [oneLine(host.label), l10n.dateFormat({ timeStyle: 'medium' }).format(at)];
  return {
    host,
    lent,
    label: `$(${isFolder ? 'folder' : 'file'}) ${withoutMarkup(oneLine(basename(path)))}`,
    description: withoutMarkup(oneLine(dirname(path))),
    detail: withoutMarkup(
      title ? l10n.t`Readable by ${by} since ${since}, in “${oneLine(title)}”` : l10n.t`Readable by ${by} since ${since}`,
    ),
    buttons: [TAKE_BACK],
  };
}
