/** The customizations of a session, in a picker that follows the host: what is on, what failed or waits, and what the user can do about it. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { SessionModel } from '../../../ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import { UserError } from '../../../base/errors.ts';
import {
  type CustomizationChoice,
  type CustomizationKind,
  type CustomizationRow,
  customizationRows,
  KIND_WORDS,
} from '../../../views/session/sessionCustomizations.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { openFile } from '../../sessionView/openers.ts';
import type { ResourceSignIn } from '../../signIn/resourceSignIn.ts';
import { performSettled } from './sessionDisposal.ts';

const ICONS: Record<CustomizationKind, string> = {
  plugin: 'extensions',
  directory: 'folder',
  mcpServer: 'server',
  agent: 'hubot',
  skill: 'lightbulb',
  prompt: 'comment',
  rule: 'law',
  hook: 'zap',
  unknown: 'question',
};

/** Goes on until the user leaves it. */
export async function showCustomizations(host: RegisteredHost, session: SessionRef, signIn: ResourceSignIn): Promise<void> {
  const model = host.client.session(session.uri);
  try {
    await whenLive(model);
    let last: string | undefined;
    for (;;) {
      const row = await pickRow(host, model, last);
      if (!row) return;
      last = row.id;
      const chosen = await pickChoice(row);
      if (chosen === 'open' && row.file !== undefined) return await openFile(host, row.file);
      if (chosen === undefined || chosen === 'open') continue;
      const { does } = chosen;
      if (does.kind === 'signIn') await signIn.signIn(host, does.requirement);
      else await performSettled(host, session, (one) => one.perform(does.action));
    }
  } finally {
    model.dispose();
  }
}

function rowsOf(model: SessionModel): CustomizationRow[] {
  return model.state ? customizationRows(model.state, (type) => model.can(type)) : [];
}

type RowItem = vscode.QuickPickItem & { row: CustomizationRow };

async function pickRow(host: RegisteredHost, model: SessionModel, last: string | undefined): Promise<CustomizationRow | undefined> {
  if (rowsOf(model).length === 0) throw new UserError(l10n.t`${host.label} names no customizations for this session.`);
  const picker = vscode.window.createQuickPick<RowItem>();
  picker.title = l10n.t('Customizations of the Session');
  picker.placeholder = l10n.t('What do you want to change?');
  picker.matchOnDescription = picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  const show = () => {
    const active = picker.activeItems[0]?.row.id ?? last;
    const items = rowsOf(model).map(itemOf);
    picker.items = items;
    const again = items.find(({ row }) => row.id === active);
    if (again) picker.activeItems = [again];
  };
  show();
  const listening = model.onDidChange(show);
  try {
    return await new Promise<CustomizationRow | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.row));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    listening.dispose();
    picker.dispose();
  }
}

function itemOf(row: CustomizationRow): RowItem {
  const { kind, name, parent, facts, description, place } = row;
  const about = [KIND_WORDS[kind], ...facts, ...(parent === undefined ? [] : [`in ${parent}`])].join(' · ');
  return {
    label: withoutMarkup(name),
    iconPath: new vscode.ThemeIcon(ICONS[kind]),
    description: withoutMarkup(about),
    detail: withoutMarkup([...(description === undefined ? [] : [description]), place].join(' · ')),
    row,
  };
}

async function pickChoice({ name, choices, file }: CustomizationRow): Promise<CustomizationChoice | 'open' | undefined> {
  const items = [
    ...choices.map((choice) => ({ label: choice.label, chosen: choice as CustomizationChoice | 'open' })),
    ...(file === undefined ? [] : [{ label: l10n.t('Open Its File'), chosen: 'open' as const }]),
  ];
  if (items.length === 0) throw new UserError(l10n.t`The host lets nobody change “${name}”.`);
  return (await vscode.window.showQuickPick(items, { title: withoutMarkup(name), placeHolder: l10n.t('What do you want to do?') }))?.chosen;
}
