/**
 * What the engine asks permission for, and what needs no asking: what the session's approval level covers, and what a person has allowed
 * for this session. Nothing is granted otherwise.
 */
import { dirname, isAbsolute, parse, resolve, sep } from 'node:path';
import type { PermissionRequest } from '@github/copilot-sdk';
import type { ConfirmationOption } from '../../../../ahp/v1/toolCall.ts';
import { confined } from '../../../files/confinedPath.ts';
import type { CopilotSettings } from '../copilotOptions.ts';
import { runsLater, type Places } from './runsLater.ts';
import { shellAccess, type CommandIn } from '../shell/shellTools.ts';
import { effectOf } from './writeEffect.ts';

/** What is asked for. */
export type Access =
  | { kind: 'command'; text: string }
  /** Typing into a command that runs: the model chooses the shell's name, and may use it again for another command. */
  | { kind: 'input'; shellId: string; command: string | undefined; text: string }
  | ({ kind: 'read' } & Path)
  | Write
  | { kind: 'url'; url: string }
  /** A tool of an MCP server or of a client. */
  | { kind: 'tool'; name: string }
  | { kind: 'other'; what: string };

/** `real`: where the path leads, where that is known; `plain`: no `..` and no link on the way. */
export interface Path {
  asked: string;
  real: string | undefined;
  inside: boolean;
  plain: boolean;
}
export interface Write extends Path {
  kind: 'write';
  /** Who takes the file as orders to run something: that asks each time. */
  runsLater?: string;
  /** The file is gone then. */
  deletes?: true;
  /** What else it changes is not known. */
  mayTouchMore?: true;
  /** The file that is moved there. */
  from?: Write;
}

/** What a person has allowed for the rest of the session. */
export type Grant =
  | { kind: 'command'; text: string }
  /** A file, or a folder with everything below. */
  | { kind: 'read' | 'write'; root: string }
  | { kind: 'url'; origin: string }
  | { kind: 'tool'; name: string };

export interface GrantOption {
  option: ConfirmationOption;
  grant: Grant;
}

export const ONCE: ConfirmationOption = { id: 'once', label: 'Allow once', kind: 'approve', group: 0 };
export const DENY: ConfirmationOption = { id: 'deny', label: 'Deny', kind: 'deny', group: 1 };
/** Without a word to the model the engine ends the turn. */
export const DENY_AND_STOP: ConfirmationOption = { id: 'deny-stop', label: 'Deny and stop', kind: 'deny', group: 1 };

/** `places`: of the session, as people write them. */
export async function accessOf(request: PermissionRequest, places: Places, commandIn: CommandIn): Promise<Access> {
  switch (request.kind) {
    case 'shell':
      return { kind: 'command', text: request.fullCommandText };
    case 'read':
      return { kind: 'read', ...(await pathOf(request.path, places.workingDirectory)) };
    case 'write': {
      const effect = effectOf(request.fileName, request.diff);
      const write = await writeTo(request.fileName, places);
      if (!effect) return { ...write, ...UNKNOWN, mayTouchMore: true };
      if (effect.kind === 'deletes') return { ...write, deletes: true };
      return effect.kind === 'moves' ? { ...write, from: { ...(await writeTo(effect.from, places)), deletes: true } } : write;
    }
    case 'url':
      return { kind: 'url', url: request.url };
    case 'mcp':
      return { kind: 'tool', name: `${request.serverName}/${request.toolName}` };
    case 'custom-tool':
      return shellAccess(request.toolName, request.args, commandIn) ?? { kind: 'tool', name: request.toolName };
    default:
      // Kinds of later engines too: whatever it is, it asks each time.
      return { kind: 'other', what: String(request.kind) };
  }
}

const UNKNOWN = { real: undefined, inside: false, plain: false } as const;

async function pathOf(asked: string, workingDirectory: string): Promise<Path> {
  const path = resolve(workingDirectory, asked);
  const given = isAbsolute(asked) ? asked : workingDirectory + sep + asked;
  const real = await realPlace(path);
  // Behind a link, `..` is one place for the system, and another for who reads the text, as the engine may.
  if (real === undefined || real !== (await realPlace(given))) return { asked: given, ...UNKNOWN };
  const plain = !asked.split(/[\\/]/).includes('..') && real === path;
  return { asked: isAbsolute(asked) ? asked : path, real, inside: isBelow(real, workingDirectory), plain };
}

async function writeTo(asked: string, { workingDirectory, home, own }: Places): Promise<Write> {
  const path = await pathOf(asked, workingDirectory);
  const [realHome, ...realOwn] = await Promise.all([home, ...own].map(async (folder) => (await realPlace(folder)) ?? folder));
  const places: Places = { workingDirectory, home: realHome ?? home, own: realOwn };
  // The name counts as well as what it leads to: `.envrc` may be a link.
  const who = runsLater(resolve(path.asked), places) ?? (path.real === undefined ? undefined : runsLater(path.real, places));
  return { kind: 'write', ...path, ...(who !== undefined && { runsLater: who }) };
}

/** Undefined for a link that leads nowhere, and where a folder may not be looked into. */
async function realPlace(path: string): Promise<string | undefined> {
  try {
    return await confined(path, [parse(path).root]);
  } catch {
    return undefined;
  }
}

/** True when the session's settings allow it. */
export function allowedBySettings(access: Access, { approvals, autoApproveReads }: CopilotSettings): boolean {
  switch (access.kind) {
    case 'read':
      return access.inside && access.plain && (autoApproveReads || approvals === 'all');
    case 'write':
      return approvals !== 'ask' && touched(access).every(({ inside, plain, runsLater }) => inside && plain && runsLater === undefined);
    case 'command':
    case 'input':
    case 'url':
    case 'tool':
      return approvals === 'all';
    case 'other':
      return false;
  }
}

export function allowedByGrant(access: Access, grants: readonly Grant[]): boolean {
  if (access.kind === 'write') return touched(access).every((file) => file.runsLater === undefined && isGranted(file, grants));
  return isGranted(access, grants);
}

function isGranted(access: Access, grants: readonly Grant[]): boolean {
  return grants.some((grant) => {
    if (grant.kind !== access.kind) return false;
    switch (grant.kind) {
      case 'command':
        return access.kind === 'command' && grant.text === access.text;
      case 'read':
      case 'write':
        return (access.kind === 'read' || access.kind === 'write') && access.real !== undefined && isBelow(access.real, grant.root);
      case 'url':
        return access.kind === 'url' && originOf(access.url) === grant.origin;
      case 'tool':
        return access.kind === 'tool' && grant.name === access.name;
    }
  });
}

/** The files that a write changes. */
export function touched({ from, ...write }: Write): Write[] {
  return from ? [write, from] : [write];
}

/** Choices that last for the session, from narrow to wide. */
export function grantOptions(access: Access, workingDirectory: string): GrantOption[] {
  const choice = (id: string, label: string, grant: Grant): GrantOption => ({ option: { id, label, kind: 'approve', group: 0 }, grant });
  switch (access.kind) {
    case 'command':
      return [choice('session', 'Allow this command in this session', { kind: 'command', text: access.text })];
    case 'read':
    case 'write': {
      const { kind, real, inside } = access;
      // What it leads to may be another place the next time.
      if (real === undefined) return [];
      if (access.kind === 'write' && (access.from || access.runsLater !== undefined)) return [];
      const verb = kind === 'read' ? 'reading' : 'writing';
      const folder = dirname(real);
      return [
        inside
          ? choice('session', `Allow ${verb} in the working directory in this session`, { kind, root: workingDirectory })
          : choice('session', `Allow ${verb} this file in this session`, { kind, root: real }),
        // Never wider than what is asked for: the folder of the working directory is not in it.
        ...(folder === parse(folder).root || (inside && (folder === workingDirectory || !isBelow(folder, workingDirectory)))
          ? []
          : [choice('folder', `Allow ${verb} in ${folder} in this session`, { kind, root: folder })]),
      ];
    }
    case 'url': {
      const origin = originOf(access.url);
      return origin === undefined ? [] : [choice('session', `Allow ${origin} in this session`, { kind: 'url', origin })];
    }
    case 'tool':
      return [choice('session', 'Allow this tool in this session', { kind: 'tool', name: access.name })];
    // What an input does depends on when it is typed.
    case 'input':
    case 'other':
      return [];
  }
}

/** The same for the same access. */
export function accessKey(access: Access): string {
  return JSON.stringify(access);
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
