/** What a page asks for of a host to show it, such as a side of an edit. */
import * as l10n from '../base/l10n.ts';
import type { AgentHostClient } from '../ahp/client/agentHostClient.ts';
import type { CommandParams, CommandResult } from '../ahp/channels/commands.ts';
import { UserError } from '../base/errors.ts';

/** Characters, as they go to the page. */
export const MAX_RESOURCE_LENGTH = 8_000_000;

export async function readResource(
  client: Pick<AgentHostClient, 'command'>,
  params: Pick<CommandParams<'resourceRead'>, 'uri' | 'encoding'>,
): Promise<CommandResult<'resourceRead'>> {
  const read = await client.command('resourceRead', params);
  if (read.data.length > MAX_RESOURCE_LENGTH) throw new UserError(l10n.t('This is too large to be shown here.'));
  return read;
}
