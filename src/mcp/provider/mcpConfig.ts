/** The user's own list of MCP servers, in the format that MCP clients share. Never read from a repository, because its entries are programs to run. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { name } from '../../tap/wire/fields.ts';
import { firstIssue } from '../../tap/wire/parsing/firstIssue.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SERVERS = 20;

const text = z.string().regex(/^[^\0]*$/, 'must not hold a NUL');
const texts = z.record(text.min(1), text);

/** Other clients keep more in an entry, which is ignored. */
const entry = z
  .object({
    type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp']).optional(),
    command: text.min(1).optional(),
    args: z.array(text).default([]),
    env: texts.default({}),
    cwd: text.min(1).optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: texts.default({}),
    disabled: z.boolean().default(false),
  })
  .superRefine(({ type, command, url }, context) => {
    if ((command === undefined) === (url === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'must have either command or url' });
    else if (type !== undefined && (type === 'stdio') !== (command !== undefined))
      context.addIssue({ code: 'custom', path: ['type'], message: `does not fit ${command === undefined ? 'a url' : 'a command'}` });
  });

const file = z.object({ mcpServers: z.record(name, entry) });

export type McpServerConfig = { name: string } & (
  { command: string; args: string[]; env: Record<string, string>; cwd?: string } | { url: string; headers: Record<string, string> }
);

export function defaultConfigFile(): string {
  return join(taplineHome(), 'mcp.json');
}

/** The servers that are not disabled, at least one. Rejects with a {@link UserError} that names the file and the field. */
export async function readMcpConfig(path: string): Promise<McpServerConfig[]> {
  let content: string;
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('it is no file');
    if (stats.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
    content = await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UserError(
      isMissing
        ? `There is no ${path}. Write your MCP servers into it: {"mcpServers": {"name": {"command": "…", "args": []}}}`
        : `${path} cannot be read: ${messageOf(error)}`,
    );
  }
  return parseMcpConfig(content, path);
}

/** Throws a {@link UserError} like {@link readMcpConfig}. */
export function parseMcpConfig(content: string, path: string): McpServerConfig[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${withoutContent(messageOf(error))}`);
  }
  const result = file.safeParse(value);
  if (!result.success) throw new UserError(`${path}: ${firstIssue(result.error)}`);
  const servers = Object.entries(result.data.mcpServers).filter(([, { disabled }]) => !disabled);
  if (!servers.length) throw new UserError(`${path} has no server that is enabled.`);
  if (servers.length > MAX_SERVERS) throw new UserError(`${path} has more than ${MAX_SERVERS} servers.`);
  return servers.map(([own, { command, args, env, cwd, url = '', headers }]) =>
    command === undefined ? { name: own, url, headers } : { name: own, command, args, env, cwd },
  );
}

/** Some of the parser's messages quote the file, which may hold keys. Of those only the character stays that it stopped at. */
function withoutContent(message: string): string {
  if (!message.endsWith(' is not valid JSON')) return message;
  return /^Unexpected token '.'/su.exec(message)?.[0] ?? 'it cannot be read';
}
