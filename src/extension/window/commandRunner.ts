/** Runs commands, and tells the user what goes wrong. */
import * as l10n from '../../base/l10n.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { CommandId } from '../commandTable.ts';
import { showError } from '../notifications.ts';
import type { WindowBase } from '../windowServices.ts';
import type { RecentProblems } from './recentProblems.ts';

const SHOW_LOG = l10n.t('Show Log');

/** Shows a `UserError` as it is. Any other error is logged with its stack, and the message has a button that opens the log. */
export function commandRunner(problems: RecentProblems): Pick<WindowBase, 'run' | 'tell'> {
  async function run(id: CommandId, command: () => unknown): Promise<unknown> {
    try {
      return await command();
    } catch (error) {
      await tell(id, error);
      return undefined;
    }
  }

  async function tell(id: CommandId, error: unknown): Promise<void> {
    problems.commandFailed(id, error);
    const choice = await showError(messageOf(error), ...(error instanceof UserError ? [] : [SHOW_LOG]));
    if (choice === SHOW_LOG) problems.log.show();
  }

  return { run, tell };
}
