/**
 * What the engine asks permission for, and what needs no question: what the approval level of the session covers, and what the user has
 * allowed for this session. Nothing else is granted.
 */
import { dirname, isAbsolute, parse, resolve, sep } from 'node:path';
import type { PermissionRequest } from '@github/copilot-sdk';
import type { Grant, LentToolGrant } from '../../../../ahp/grants.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { ConfirmationOption } from '../../../../ahp/common/tools.ts';
import { sameJson } from '../../../../base/sameJson.ts';
import { confined } from '../../../files/confinedPath.ts';
import type { CopilotSettings } from '../copilotOptions.ts';
import { shellRequest, type CommandIn } from '../shell/shellTools.ts';
import { effectOf } from './writeEffect.ts';
import { isBelow, reasonToAsk, type WritePlaces } from './writeReason.ts';

/** What is asked for. */
export type Access =
  | { kind: 'command'; text: string }
  /** Input for a running command. The model chooses the shell's name, and may use it again for another command. */
  | { kind: 'input'; shellId: string; command: string | undefined; text: string }
  | ({ kind: 'read' } & Path)
  | Write
  | { kind: 'url'; url: string }
  /** A tool of an MCP server. */
  | { kind: 'tool'; name: string }
  /** A tool of a client. `tool` is absent where it is not known whose it is. `onlyReads`: the call reads what the session has, and does nothing else. */
  | { kind: 'lentTool'; name: string; tool?: LentToolGrant; onlyReads?: true }
  | { kind: 'other'; what: string };

/** `real`: where the path leads, if that is known. `plain`: the path has no `..` and no links. */
export interface Path {
  asked: string;
  real: string | undefined;
  inside: boolean;
  plain: boolean;
}
export interface Write extends Path {
  kind: 'write';
  /** Why such a write is asked about each time, as a sentence that goes on. */
  reasonToAsk?: string;
  /** The write deletes the file. */
  deletes?: true;
  /** The write may change other files too. */
  mayTouchMore?: true;
  /** The file that is moved to this path. */
  from?: Write;
}

export interface GrantOption {
  option: ConfirmationOption;
  grant: Grant;
}

export const ONCE: ConfirmationOption = { id: 'once', label: l10n.t('Allow once'), kind: 'approve', group: 0 };
export const DENY: ConfirmationOption = { id: 'deny', label: l10n.t('Deny'), kind: 'deny', group: 1 };
/** The model gets no message with this denial, so the engine ends the turn. */
export const DENY_AND_STOP: ConfirmationOption = { id: 'deny-stop', label: l10n.t('Deny and stop'), kind: 'deny', group: 1 };

/** `places`: those of the session, as the user wrote them. `lent`: the tool of a client that has this name for the model, as it is now. */
export async function accessOf(
  request: PermissionRequest,
  places: WritePlaces,
  commandIn: CommandIn,
  lent: (name: string) => LentToolGrant | undefined,
  onlyReads: (name: string, args: unknown) => boolean = () => false,
): Promise<Access> {
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
    case 'custom-tool': {
      const tool = lent(request.toolName);
      const known = { ...(tool && { tool }), ...(onlyReads(request.toolName, request.args) && { onlyReads: true as const }) };
      return shellAccess(request.toolName, request.args, commandIn) ?? { kind: 'lentTool', name: request.toolName, ...known };
    }
    default:
      // Kinds of later engines are asked about each time too.
      return { kind: 'other', what: String(request.kind) };
  }
}

/** The access that a call of a shell tool needs. Undefined for other tools. Throws like {@link shellRequest}. */
export function shellAccess(toolName: string, args: unknown, commandIn: CommandIn): Access | undefined {
  const request = shellRequest(toolName, args);
  if (request?.verb === 'run') return { kind: 'command', text: request.command };
  // Typing into a running program can do whatever a command can.
  if (request?.verb === 'write')
    return { kind: 'input', shellId: request.shellId, command: commandIn(request.shellId), text: request.input };
  return undefined;
}

const UNKNOWN = { real: undefined, inside: false, plain: false } as const;

async function pathOf(asked: string, workingDirectory: string): Promise<Path> {
  const path = resolve(workingDirectory, asked);
  const given = isAbsolute(asked) ? asked : workingDirectory + sep + asked;
  const real = await realPlace(path);
  // After a link, `..` means one folder for the system and another for programs that look at the text only, as the engine may.
  if (real === undefined || real !== (await realPlace(given))) return { asked: given, ...UNKNOWN };
  const plain = !asked.split(/[\\/]/).includes('..') && real === path;
  return { asked: isAbsolute(asked) ? asked : path, real, inside: isBelow(real, workingDirectory), plain };
}

async function writeTo(asked: string, places: WritePlaces): Promise<Write> {
  const path = await pathOf(asked, places.workingDirectory);
  const real = (folders: readonly string[]) => Promise.all(folders.map(async (folder) => (await realPlace(folder)) ?? folder));
  const [own, moduleFolders, [home = places.home]] = await Promise.all([real(places.own), real(places.moduleFolders), real([places.home])]);
  const reason = await reasonToAsk(path.asked, path.real, { ...places, home, own, moduleFolders });
  return { kind: 'write', ...path, ...(reason !== undefined && { reasonToAsk: reason }) };
}

/** Undefined for a link without a target, and where a folder cannot be read. */
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
      return (
        approvals !== 'ask' && touched(access).every(({ inside, plain, reasonToAsk: reason }) => inside && plain && reason === undefined)
      );
    case 'command':
    case 'input':
    case 'url':
    case 'tool':
      return approvals === 'all';
    case 'lentTool':
      return approvals === 'all' || (access.onlyReads === true && autoApproveReads);
    case 'other':
      return false;
  }
}

export function allowedByGrant(access: Access, grants: readonly Grant[]): boolean {
  if (access.kind === 'write') return touched(access).every((file) => file.reasonToAsk === undefined && isGranted(file, grants));
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
      case 'lentTool':
        return access.kind === 'lentTool' && sameJson(grant, access.tool);
      default:
        return false;
    }
  });
}

/** The files that a write changes. */
export function touched({ from, ...write }: Write): Write[] {
  return from ? [write, from] : [write];
}

/** Options that last for the session, from narrow to wide. */
export function grantOptions(access: Access, workingDirectory: string): GrantOption[] {
  const choice = (id: string, label: string, grant: Grant): GrantOption => ({ option: { id, label, kind: 'approve', group: 0 }, grant });
  switch (access.kind) {
    case 'command':
      return [choice('session', l10n.t('Allow this command in this session'), { kind: 'command', text: access.text })];
    case 'read':
    case 'write': {
      const { kind, real, inside } = access;
      // The path may lead to another file the next time.
      if (real === undefined) return [];
      if (access.kind === 'write' && (access.from || access.reasonToAsk !== undefined)) return [];
      const reads = kind === 'read';
      const folder = dirname(real);
      return [
        inside
          ? choice(
              'session',
              reads
                ? l10n.t('Allow reading in the working directory in this session')
                : l10n.t('Allow writing in the working directory in this session'),
              { kind, root: workingDirectory },
            )
          : choice(
              'session',
              reads ? l10n.t('Allow reading this file in this session') : l10n.t('Allow writing this file in this session'),
              { kind, root: real },
            ),
        // Never wider than the request: the parent of the working directory is not offered.
        ...(folder === parse(folder).root || (inside && (folder === workingDirectory || !isBelow(folder, workingDirectory)))
          ? []
          : [
              choice(
                'folder',
                reads ? l10n.t`Allow reading in ${folder} in this session` : l10n.t`Allow writing in ${folder} in this session`,
                { kind, root: folder },
              ),
            ]),
      ];
    }
    case 'url': {
      const origin = originOf(access.url);
      return origin === undefined ? [] : [choice('session', l10n.t`Allow ${origin} in this session`, { kind: 'url', origin })];
    }
    case 'tool':
      return [choice('session', l10n.t('Allow this tool in this session'), { kind: 'tool', name: access.name })];
    case 'lentTool':
      return access.tool ? [choice('session', l10n.t('Allow this tool in this session'), access.tool)] : [];
    // The effect of an input depends on the moment when it is typed.
    case 'input':
    case 'other':
      return [];
  }
}

/** Equal for equal accesses. */
export function accessKey(access: Access): string {
  return JSON.stringify(access);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
