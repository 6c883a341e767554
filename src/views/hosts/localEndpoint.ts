/* eslint-disable texts/translated -- for the log */
/** By which entry an agent host of VS Code says where it listens on this computer. Any program of the user can write one. */
import * as z from 'zod/mini';
import { socketAddress } from '../../ahp/client/connection/hostUrl.ts';

/** In characters. Entries have about 400. */
export const MAX_ENTRY_LENGTH = 16_384;

export interface LocalEndpoint {
  /** `editor`: a running VS Code; `standalone`: its command-line program. */
  type: 'editor' | 'standalone';
  pid: number;
  /** Its SHA-256 digest is the name of the entry's file. */
  identity: string;
  /** For messages only: the handshake decides. */
  protocolVersion: string;
  token: string;
  at: { kind: 'socket'; path: string } | { kind: 'tcp'; host: string; port: number };
  /** A WebSocket address without the token. */
  address: string;
}

const matching = (pattern: RegExp) => z.string().check(z.regex(pattern));
const socket = z.object({ type: z.literal('socket'), path: z.string().check(z.maxLength(256)) });
const tcp = z.object({
  type: z.literal('tcp'),
  host: z.enum(['127.0.0.1', '::1', 'localhost']),
  port: z.int().check(z.gte(1), z.lte(65_535)),
});
const schema = z.object({
  schemaVersion: z.literal(2),
  type: z.enum(['editor', 'standalone']),
  pid: z.int().check(z.gte(1)),
  instanceId: matching(/^[\w-]{1,200}$/),
  protocolVersion: matching(/^[\w.+-]{1,50}$/),
  connectionToken: matching(/^[\w.~-]{1,500}$/),
  endpoint: z.discriminatedUnion('type', [socket, tcp]),
});

/** The entry, or why it is left out, in words for the log that quote nothing of it. */
export function parseLocalEndpoint(text: string, platform: string): LocalEndpoint | { problem: string } {
  if (text.length > MAX_ENTRY_LENGTH) return { problem: 'it is too large' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'it is no JSON' };
  }
  const { success, data, error } = schema.safeParse(json);
  if (!success) return { problem: `${error.issues[0]?.path.join('.') || 'its content'} is not as expected` };
  const { type, pid, instanceId, protocolVersion, connectionToken, endpoint } = data;
  const base = { type, pid, identity: `${type}\0${pid}\0${instanceId}`, protocolVersion, token: connectionToken };
  if (endpoint.type === 'tcp') {
    const { host, port } = endpoint;
    return { ...base, at: { kind: 'tcp', host, port }, address: `ws://${host.includes(':') ? `[${host}]` : host}:${port}/` };
  }
  const { path } = endpoint;
  if (!isPlainSocketPath(path, platform)) return { problem: 'the path of its socket is not plain and absolute' };
  return { ...base, at: { kind: 'socket', path }, address: socketAddress(path) };
}

function isPlainSocketPath(path: string, platform: string): boolean {
  if (platform === 'win32') return /^\\\\\.\\pipe\\[\w.-]+$/.test(path);
  const parts = path.split('/');
  return parts.length > 1 && parts[0] === '' && parts.slice(1).every((part) => /^[^\p{C}]+$/u.test(part) && part !== '.' && part !== '..');
}
