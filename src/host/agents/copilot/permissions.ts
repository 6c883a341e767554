/**
 * What the engine asks permission for, and what needs no asking: what the session's approval level covers, and what a person has allowed
 * for this session. Nothing is granted otherwise.
 */
import { dirname, isAbsolute, parse, resolve, sep } from 'node:path';
import type { PermissionRequest } from '@github/copilot-sdk';
import type { ConfirmationOption } from '../../../ahp/v1/toolCall.ts';
import { confined } from '../../confinedPath.ts';
import type { CopilotSettings } from './copilotOptions.ts';
import { shellAccess, type CommandIn } from './shellTools.ts';

/** What is asked for. */
export type Access =
  | { kind: 'command'; text: string }
  /** Typing into a command that runs: the model chooses the shell's name, and may use it again for another command. */
  | { kind: 'input'; shellId: string; command: string | undefined; text: string }
  /** `real`: where the path leads, where that is known; `plain`: no `..` and no link on the way. */
  | { kind: 'read' | 'write'; asked: string; real: string | undefined; inside: boolean; plain: boolean }
  | { kind: 'url'; url: string }
  /** A tool of an MCP server or of a client. */
  | { kind: 'tool'; name: string }
  | { kind: 'other'; what: string };

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

export async function accessOf(request: PermissionRequest, workingDirectory: string, commandIn: CommandIn): Promise<Access> {
  switch (request.kind) {
    case 'shell':
      return { kind: 'command', text: request.fullCommandText };
    case 'read':
      return await pathAccess('read', request.path, workingDirectory);
    case 'write':
      return await pathAccess('write', request.fileName, workingDirectory);
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

async function pathAccess(kind: 'read' | 'write', asked: string, workingDirectory: string): Promise<Access> {
  const path = resolve(workingDirectory, asked);
  const given = isAbsolute(asked) ? asked : workingDirectory + sep + asked;
  const real = await realPlace(path);
  // Behind a link, `..` is one place for the system, and another for who reads the text, as the engine may.
  if (real === undefined || real !== (await realPlace(given))) return { kind, asked: given, real: undefined, inside: false, plain: false };
  const plain = !asked.split(/[\\/]/).includes('..') && real === path;
  return { kind, asked: isAbsolute(asked) ? asked : path, real, inside: isBelow(real, workingDirectory), plain };
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
      return access.inside && access.plain && approvals !== 'ask';
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
