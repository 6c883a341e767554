import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type FileAttachment, fileAttachment } from '../../views/session/composer/attachments.ts';
import { oneLine } from '../../views/text/oneLine.ts';

const ASK_TIMEOUT_MS = 10_000;
const MAX_FOUND = 20;

type CommandClient = Pick<AgentHostClient, 'command'>;

/** Files and folders below the session's folder on the host. `query` is a path there whose last name may be incomplete. Best first. */
export async function findHostFiles(client: CommandClient, workingDirectory: URI | undefined, query: string): Promise<FileAttachment[]> {
  const names = query.split('/');
  const rest = (names.pop() ?? '').toLowerCase();
  if (workingDirectory === undefined || names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\\')))
    return [];
  const folder = [workingDirectory.replace(/\/$/, ''), ...names.map(encodeURIComponent)].join('/');
  const { entries } = await client.command('resourceList', { uri: folder }, ASK_TIMEOUT_MS);
  return entries
    .filter(({ name }) => name.toLowerCase().includes(rest) && name !== '' && !/^\.{1,2}$|[\\/]/.test(name))
    .sort((a, b) => rank(a.name, rest) - rank(b.name, rest))
    .slice(0, MAX_FOUND)
    .map(({ name, type }) =>
      fileAttachment(
        `${folder}/${encodeURIComponent(name)}`,
        oneLine([...names, name].join('/')),
        type === 'directory' ? 'directory' : 'file',
      ),
    );
}

function rank(name: string, typed: string): number {
  return (name.toLowerCase().startsWith(typed) ? 0 : 1000) + name.length;
}
