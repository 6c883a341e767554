/** The terminals and the background work of a session: each can be opened and, after a question, ended. */
import { reasonText } from '../../../ahp/client/resources/subscription.ts';
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { TerminalInfo } from '../../../ahp/channels/shapes/basic.ts';
import type { BackgroundWork } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { TerminalState } from '../../../ahp/channels/terminal.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError, withTimeout } from '../../../base/errors.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { stoppableChat, terminalOf, terminalRow, terminalsOf } from '../../../views/session/terminals/sessionWork.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import { type RegisteredHost, rootOf } from '../../hosts/registeredHost.ts';
import { confirm } from '../../notifications.ts';
import { readChats } from '../../sessions/readChats.ts';
import type { SessionTerminals } from '../../sessionView/terminal/sessionTerminals.ts';

/** Terminals whose last command is looked up. */
const MAX_READ = 20;
/** For what is said of a terminal beside its title. */
const READ_TIMEOUT_MS = 2_000;

/** For the host to say that it has stopped a turn. */
const STOP_TIMEOUT_MS = 10_000;

type Item = vscode.QuickPickItem & { actions: readonly Action[] };
interface Action {
  readonly label: string;
  run(): Promise<void> | void;
}

export async function showTerminals(host: RegisteredHost, { uri }: SessionRef, terminals: SessionTerminals): Promise<void> {
  const infos = terminalsOf(rootOf(host), uri);
  const [states, { work, chats }] = await Promise.all([
    Promise.all(infos.map((info, index) => (index < MAX_READ ? stateOf(host, info.resource) : undefined))),
    backgroundWork(host, uri),
  ]);
  const items = [
    ...infos.map((info, index) => terminalItem(host, info, states[index], terminals)),
    ...work
      .filter((one) => !infos.some(({ resource }) => resource === terminalOf(one)))
      .map((one) => workItem(host, one, chats, terminals)),
  ];
  if (items.length === 0) throw new UserError(l10n.t('This session has no terminal, and nothing of it runs in the background.'));
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Terminals of the Session'),
    placeHolder: l10n.t('Which one?'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  const [only] = chosen.actions;
  const action = chosen.actions.length > 1 ? await vscode.window.showQuickPick(chosen.actions, { title: chosen.label }) : only;
  await action?.run();
}

function terminalItem(host: RegisteredHost, info: TerminalInfo, state: TerminalState | undefined, terminals: SessionTerminals): Item {
  const { title, facts, command, isRunning } = terminalRow(info, state, host.client.clientId);
  const open = {
    label: isRunning ? l10n.t('Open and Type into It') : l10n.t('Show Its Output'),
    run: () => terminals.open(host, info.resource),
  };
  const end = {
    label: isRunning ? l10n.t('Stop It…') : l10n.t('Remove It…'),
    run: async () => {
      const question = isRunning ? l10n.t`Do you want to stop “${title}”?` : l10n.t`Do you want to remove the terminal “${title}”?`;
      const detail = isRunning
        ? l10n.t('The command is ended, and its terminal is removed from the host.')
        : l10n.t('Its output cannot be read any more.');
      if (await confirm(question, detail, isRunning ? l10n.t('Stop') : l10n.t('Remove'))) await dispose(host, info.resource);
    },
  };
  return {
    label: withoutMarkup(title),
    description: facts,
    ...(command !== undefined && { detail: withoutMarkup(command) }),
    iconPath: new vscode.ThemeIcon(isRunning ? 'terminal' : 'circle-slash'),
    actions: host.readOnly === undefined ? [open, end] : [open],
  };
}

/**
 * What the host names, and what has no terminal of the session in its list. That terminal may be another session's, so that it can only be
 * opened. The protocol has no other way to stop it.
 */
function workItem(host: RegisteredHost, work: BackgroundWork, chats: SessionState['chats'], terminals: SessionTerminals): Item {
  const label = oneLine(work.label) || l10n.t('Background task');
  const terminal = terminalOf(work);
  const chat = stoppableChat(work, chats);
  const actions: Action[] = [];
  if (terminal !== undefined) actions.push({ label: l10n.t('Open and Type into It'), run: () => terminals.open(host, terminal) });
  if (chat !== undefined)
    actions.push({
      label: l10n.t('Stop the Subagent…'),
      run: async () => {
        if (await confirm(l10n.t`Do you want to stop “${label}”?`, l10n.t('Its turn ends. What it has done stays.'), l10n.t('Stop')))
          await stopTurn(host, chat);
      },
    });
  return {
    label: withoutMarkup(label),
    description: actions.length === 0 ? l10n.t('in the background · it cannot be stopped from here') : l10n.t('in the background'),
    ...('command' in work && typeof work.command === 'string' && { detail: withoutMarkup(oneLine(work.command)) }),
    iconPath: new vscode.ThemeIcon('loading'),
    actions: host.readOnly === undefined ? actions : [],
  };
}

async function dispose(host: RegisteredHost, uri: URI): Promise<void> {
  await host.client.command('disposeTerminal', { channel: uri });
}

async function stopTurn({ client }: RegisteredHost, uri: URI): Promise<void> {
  const chat = client.chat(uri);
  try {
    await whenLive(chat, READ_TIMEOUT_MS);
    const how = await withTimeout(chat.stop().settled, STOP_TIMEOUT_MS, l10n.t('Stopping it'));
    if (how.kind !== 'confirmed') throw new UserError(l10n.t`It was not stopped: ${reasonText(how)}`);
  } finally {
    chat.dispose();
  }
}

/** Undefined where the host does not give it in time. */
async function stateOf({ client }: RegisteredHost, uri: URI): Promise<TerminalState | undefined> {
  const model = client.model('terminal', uri);
  try {
    await whenLive(model, READ_TIMEOUT_MS);
    return model.confirmed;
  } catch {
    return undefined;
  } finally {
    model.dispose();
  }
}

async function backgroundWork({ client }: RegisteredHost, uri: URI): Promise<{ work: BackgroundWork[]; chats: SessionState['chats'] }> {
  const read = await readChats(client, uri, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) }).catch(() => undefined);
  return { work: read?.chats.flatMap(({ chat }) => chat.backgroundWork ?? []) ?? [], chats: read?.session.chats ?? [] };
}
