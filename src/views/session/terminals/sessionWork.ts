/** The terminals of a session, and what of its work goes on in the background. */
import * as l10n from '../../../base/l10n.ts';
import type { BackgroundWork, ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { TerminalInfo } from '../../../ahp/channels/shapes/basic.ts';
import type { TerminalState } from '../../../ahp/channels/terminal.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { subagentsOf } from '../chats.ts';
import { oneLine } from '../../text/oneLine.ts';

type Claimed = Extract<TerminalInfo['claim'], { session: URI }>;

function claimOf({ claim }: TerminalInfo): Claimed | undefined {
  return claim.kind === 'session' && 'session' in claim ? claim : undefined;
}
const isRunning = ({ lifecycle }: TerminalInfo) => lifecycle.status !== 'exited';

/** Those of the session and its subagents, or of one subagent. Those that run come first. */
export function terminalsOf(root: RootState | undefined, session: URI): TerminalInfo[] {
  const own = (root?.terminals ?? []).filter((terminal) => {
    const claim = claimOf(terminal);
    return claim?.session === session || claim?.chat === session;
  });
  return [...own.filter(isRunning), ...own.filter((terminal) => !isRunning(terminal))];
}

/** How many terminals of each session run. */
export function runningBySession(root: RootState | undefined): ReadonlyMap<URI, number> {
  const counts = new Map<URI, number>();
  for (const terminal of root?.terminals ?? []) {
    const session = claimOf(terminal)?.session;
    if (session !== undefined && isRunning(terminal)) counts.set(session, (counts.get(session) ?? 0) + 1);
  }
  return counts;
}

/**
 * Work of a chat that no turn waits for: what the host names, but for subagents of calls in progress, and commands that run without belonging
 * to the turn in progress.
 */
export function backgroundCount(root: RootState | undefined, state: ChatState): number {
  const { resource: chat, activeTurn, backgroundWork = [] } = state;
  const awaited = subagentsOf(state);
  const commands = (root?.terminals ?? []).filter((terminal) => {
    const claim = claimOf(terminal);
    return claim?.chat === chat && isRunning(terminal) && (!activeTurn || (claim.turnId ?? activeTurn.id) !== activeTurn.id);
  });
  const isAwaited = (work: BackgroundWork) => 'chat' in work && awaited.includes(work.chat);
  const named = backgroundWork.filter((work) => !isAwaited(work) && !commands.some(({ resource }) => resource === terminalOf(work)));
  return commands.length + named.length;
}

/** Undefined where nothing goes on. */
export function backgroundWords(count: number): string | undefined {
  return count === 0
    ? undefined
    : l10n.plural(count, l10n.t`${l10n.countText(count)} background task`, l10n.t`${l10n.countText(count)} background tasks`);
}

export function terminalOf(work: BackgroundWork): URI | undefined {
  return 'terminal' in work ? work.terminal : undefined;
}

/** Which chat the user may stop to end the work. Its host may name any chat; only one of the session is the session's to stop. */
export function stoppableChat(work: BackgroundWork, chats: readonly { readonly resource: URI }[]): URI | undefined {
  const chat = 'chat' in work ? work.chat : undefined;
  return chats.some(({ resource }) => resource === chat) ? chat : undefined;
}

export interface TerminalRow {
  readonly title: string;
  /** "running · held by the agent" */
  readonly facts: string;
  /** The last command and how it ended. Absent where the host does not tell commands apart. */
  readonly command?: string;
  readonly isRunning: boolean;
}

/** `state`: absent where it was not read. */
export function terminalRow(info: TerminalInfo, state: TerminalState | undefined, clientId: string): TerminalRow {
  const { claim, lifecycle, title } = info;
  const holder =
    claim.kind === 'session'
      ? l10n.t('held by the agent')
      : 'clientId' in claim && claim.clientId === clientId
        ? l10n.t('held by this window')
        : l10n.t('held by another client');
  const code = 'exitCode' in lifecycle && typeof lifecycle.exitCode === 'number' ? lifecycle.exitCode : undefined;
  const ended = code === undefined ? l10n.t('ended') : l10n.t`ended with ${code}`;
  const command = state && lastCommand(state);
  return {
    title: oneLine(title) || l10n.t('Terminal'),
    facts: `${isRunning(info) ? l10n.t('running') : ended} · ${holder}`,
    // A terminal is often named by its only command.
    ...(command !== undefined && command !== oneLine(title) && { command }),
    isRunning: isRunning(info),
  };
}

function lastCommand({ content }: TerminalState): string | undefined {
  const last = content.findLast((part) => part.type === 'command' && 'commandLine' in part);
  if (!last || !('commandLine' in last)) return undefined;
  const line = oneLine(last.commandLine);
  if (line === '') return undefined;
  if (last.isComplete !== true) return line;
  return `${line} · ${typeof last.exitCode === 'number' ? l10n.t`exit ${last.exitCode}` : l10n.t('ended')}`;
}
