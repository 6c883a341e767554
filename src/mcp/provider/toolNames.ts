/** Names of an MCP server's tools at the gateway, which accepts 1 to 64 of `A-Za-z0-9_-`. */
import { sha256 } from '../../base/node/sha256.ts';
import { toolName } from '../../tap/wire/fields.ts';
import { Limit } from '../../tap/wire/limits.ts';

const HASH_LENGTH = 8;

/**
 * A legal name stays as it is. Any other gets a part of its hash, so that the result depends on this name only and not on the other tools
 * in the list.
 */
export function safeToolName(name: string): string {
  if (toolName.safeParse(name).success) return name;
  const clean = name.slice(0, Limit.nameLength - HASH_LENGTH - 1).replace(/[^A-Za-z0-9_-]/g, '_');
  return `${clean}_${sha256(name).slice(0, HASH_LENGTH)}`;
}
