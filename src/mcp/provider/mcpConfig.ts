/** The user's own list of MCP servers, in the format that MCP clients share. Never read from a repository, because its entries are programs to run. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { name } from '../../tap/wire/fields.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { firstIssue, reasonOf } from '../../tap/wire/parsing/firstIssue.ts';
import { printable } from '../printable.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SERVERS = 20;

const text = z.string().regex(/^[^\0]*$/, 'must not hold a NUL');
const texts = z.record(text.min(1), text);
/** As HTTP takes them. What refuses them later would quote them. */
const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is no name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'holds characters that no header may hold'),
);
const url = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((value) => !hasCredentials(value), 'must not hold a user name or a password, which belong into headers');

/** Other clients keep more in an entry, which is ignored. */
const entry = z
  .object({
    type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp']).optional(),
    command: text.min(1).optional(),
    args: z.array(text).default([]),
    env: texts.default({}),
    cwd: text.min(1).optional(),
    url: url.optional(),
    headers: headers.default({}),
    disabled: z.boolean().default(false),
    roots: z.boolean().default(false),
  })
  .superRefine(({ type, command, url }, context) => {
    if ((command === undefined) === (url === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'must have either command or url' });
    else if (type !== undefined && (type === 'stdio') !== (command !== undefined))
      context.addIssue({ code: 'custom', path: ['type'], message: `does not fit ${command === undefined ? 'a url' : 'a command'}` });
  });

const file = z.object({ mcpServers: z.record(z.string(), z.unknown()) });
const switchedOff = z.object({ disabled: z.literal(true) });

/** `roots`: it may ask for the folders of the sessions. */
export type McpServerConfig = { name: string; roots?: true } & (
  { command: string; args: string[]; env: Record<string, string>; cwd?: string } | { url: string; headers: Record<string, string> }
);

export interface McpConfig {
  /** Those that are not disabled, at least one. */
  servers: McpServerConfig[];
  /** What is wrong with each other entry, such as `mcpServers.files.args: …`. Names fields, and says nothing of what they hold. */
  refused: string[];
}

export function defaultConfigFile(): string {
  return join(taplineHome(), 'mcp.json');
}

/** Rejects with a {@link UserError} where the file cannot be read, or none of its servers can run. */
export async function readMcpConfig(path: string): Promise<McpConfig> {
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
export function parseMcpConfig(content: string, path: string): McpConfig {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${withoutContent(messageOf(error))}`);
  }
  const result = file.safeParse(value);
  if (!result.success) throw new UserError(`${path}: ${firstIssue(result.error)}`);
  const servers: McpServerConfig[] = [];
  const refused: string[] = [];
  for (const [own, given] of Object.entries(result.data.mcpServers)) {
    if (switchedOff.safeParse(given).success) continue;
    const server = serverOf(own, given);
    const wrong = typeof server !== 'string' && servers.length === MAX_SERVERS ? `: is one of more than ${MAX_SERVERS} servers` : server;
    if (typeof wrong === 'string') refused.push(`mcpServers.${printable(own, Limit.nameLength)}${wrong}`);
    else servers.push(wrong);
  }
  if (servers.length) return { servers, refused };
  throw new UserError(
    refused.length ? `${path} has no server that can run: ${refused.join('; ')}` : `${path} has no server that is enabled.`,
  );
}

/** Or what is wrong with it, such as `.args.0: …`. */
function serverOf(own: string, given: unknown): McpServerConfig | string {
  const [named, checked] = [name.safeParse(own), entry.safeParse(given)];
  if (!named.success) return `: ${reasonOf(named.error)}`;
  if (!checked.success) return issueOf(checked.error);
  const { command, args, env, cwd, url = '', headers, roots } = checked.data;
  const common = { name: own, ...(roots && { roots }) };
  return command === undefined ? { ...common, url, headers } : { ...common, command, args, env, cwd };
}

function issueOf(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  return `${path.map((key) => `.${fieldName(String(key))}`).join('')}: ${reasonOf(error)}`;
}

/** Somebody may have written a key and its secret in one, as in `KEY=…`. */
const fieldName = (key: string) => (/^[\w-]{1,64}$/.test(key) ? key : '…');

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** Some of the parser's messages quote the file, which may hold keys. Of those only the character stays that it stopped at. */
function withoutContent(message: string): string {
  if (!message.endsWith(' is not valid JSON')) return message;
  return /^Unexpected token '.'/su.exec(message)?.[0] ?? 'it cannot be read';
}
