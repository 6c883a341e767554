/** What a session's agent works with besides its model: plugins, folders of skills and agents, and MCP servers. All of it comes from the host. */
import * as l10n from '../../base/l10n.ts';
import type { ClientActionType } from '../../ahp/channels/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type {
  ChildCustomization,
  Customization,
  CustomizationEnablement,
  McpServerState,
} from '../../ahp/channels/shapes/customizations.ts';
import type { ClientAction } from '../../ahp/client/model/resourceModel.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Requirement } from '../hosts/signInRequest.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { folderOf } from './openChat.ts';

export type CustomizationKind = 'plugin' | 'directory' | 'mcpServer' | 'agent' | 'skill' | 'prompt' | 'rule' | 'hook' | 'unknown';

export interface CustomizationRow {
  readonly id: string;
  readonly kind: CustomizationKind;
  readonly name: string;
  /** The plugin or folder that it is part of. */
  readonly parent?: string;
  /** How it is now, best known first, such as `off in this session`. */
  readonly facts: readonly string[];
  readonly description?: string;
  /** Where it comes from, for the user. */
  readonly place: string;
  /** A file that can be read. */
  readonly file?: URI;
  readonly enabled: boolean;
  readonly choices: readonly CustomizationChoice[];
}

/** Something that the user can do to it. */
export interface CustomizationChoice {
  readonly label: string;
  readonly does:
    { readonly kind: 'perform'; readonly action: ClientAction } | { readonly kind: 'signIn'; readonly requirement: Requirement };
}

export const KIND_WORDS: Record<CustomizationKind, string> = {
  plugin: l10n.t('plugin'),
  directory: l10n.t('folder'),
  mcpServer: l10n.t('MCP server'),
  agent: l10n.t('agent'),
  skill: l10n.t('skill'),
  prompt: l10n.t('prompt'),
  rule: l10n.t('rule'),
  hook: l10n.t('hook'),
  unknown: l10n.t('of a kind that this version does not know'),
};

type Can = (type: ClientActionType) => boolean;
type Entry = Customization | ChildCustomization;
interface Shared {
  readonly folder: URI | undefined;
  readonly can: Can;
}

/**
 * Each with what it contains below it. Folders in which there is nothing are left out: hosts name all places where something could be.
 * `can`: what the host's protocol lets a client do.
 */
export function customizationRows(session: SessionState, can: Can): CustomizationRow[] {
  const shared = { folder: folderOf(session), can };
  return (session.customizations ?? []).flatMap((entry) => {
    const children = 'children' in entry ? (entry.children ?? []) : [];
    const load = 'load' in entry ? entry.load : undefined;
    if (entry.type === 'directory' && children.length === 0 && (load === undefined || load.kind === 'loaded')) return [];
    const row = rowOf(entry, shared);
    return row ? [row, ...children.flatMap((child) => rowOf(child, shared, row) ?? [])] : [];
  });
}

/** MCP servers that wait for the user. */
export function waitingServers(session: SessionState): string[] {
  const folder = folderOf(session);
  return (session.customizations ?? [])
    .flatMap((entry): Entry[] => [entry, ...('children' in entry ? (entry.children ?? []) : [])])
    .flatMap((entry) => (isServer(entry) && entry.state.kind === 'authRequired' && isOn(entry, folder) ? [nameOf(entry)] : []));
}

function rowOf(entry: Entry, shared: Shared, parent?: CustomizationRow): CustomizationRow | undefined {
  if (typeof entry.id !== 'string') return undefined;
  const { id } = entry;
  const kind = Object.hasOwn(KIND_WORDS, entry.type) ? (entry.type as CustomizationKind) : 'unknown';
  const uri = 'uri' in entry ? entry.uri : '';
  const enabled = isOn(entry, shared.folder);
  const isFile = parent !== undefined && kind !== 'mcpServer' && uri !== '';
  const description = 'description' in entry ? oneLine(entry.description) : '';
  return {
    id,
    kind,
    name: nameOf(entry),
    ...(parent && { parent: parent.name }),
    facts: [
      ...(enabled ? [] : [offWords(entry, shared.folder)]),
      ...(parent && !parent.enabled ? [OFF_WITH[parent.kind] ?? l10n.t('off with what it is part of')] : []),
      ...loadWords(entry),
      ...(isServer(entry) ? serverWords(entry.state) : []),
      ...('children' in entry && entry.children ? [partsText(entry.children.length)] : []),
    ],
    ...(description !== '' && { description }),
    place: oneLine(displayPath(uri)),
    ...(isFile && { file: uri }),
    enabled,
    choices: [...(isServer(entry) ? serverChoices(id, entry.state, shared.can) : []), ...switches(id, entry, shared)],
  };
}

function partsText(count: number): string {
  return l10n.plural(count, l10n.t`${l10n.countText(count)} part`, l10n.t`${l10n.countText(count)} parts`);
}

function nameOf(entry: Entry): string {
  return ('name' in entry ? oneLine(entry.name) : '') || oneLine(entry.id) || l10n.t('Without a name');
}

// ---- On and off

/** The user's decisions; undefined for what has one switch only. */
function decisionsOf(entry: Entry): readonly CustomizationEnablement[] | undefined {
  return entry.type === 'plugin' || entry.type === 'mcpServer'
    ? ((entry as { enablement?: CustomizationEnablement[] }).enablement ?? [])
    : undefined;
}

/** Narrowest first. */
const SCOPES = ['session', 'workspace', 'global'] as const;
type Scope = (typeof SCOPES)[number];
type Decision = Exclude<CustomizationEnablement, { kind: '(unknown)' }>;

/** A decision for another folder says nothing about this session. */
function deciding(entry: Entry, folder: URI | undefined): Decision | undefined {
  const decisions = decisionsOf(entry) ?? [];
  for (const scope of SCOPES) for (const one of decisions) if (one.kind === scope && !isOfOther(one, folder)) return one as Decision;
  return undefined;
}

function isOfOther(one: CustomizationEnablement, folder: URI | undefined): boolean {
  return one.kind === 'workspace' && (one as { uri: URI }).uri !== folder;
}

function isOn(entry: Entry, folder: URI | undefined): boolean {
  if (decisionsOf(entry)) return deciding(entry, folder)?.enabled ?? true;
  return !('enabled' in entry) || entry.enabled !== false;
}

const OFF_WORDS: Record<Scope, string> = {
  session: l10n.t('off in this session'),
  workspace: l10n.t('off in this folder'),
  global: l10n.t('off everywhere'),
};

const OFF_WITH: { readonly [K in CustomizationKind]?: string } = {
  plugin: l10n.t('off with its plugin'),
  directory: l10n.t('off with its folder'),
  mcpServer: l10n.t('off with its MCP server'),
};

function offWords(entry: Entry, folder: URI | undefined): string {
  const decision = deciding(entry, folder);
  return decision ? OFF_WORDS[decision.kind] : l10n.t('off');
}

function switches(id: string, entry: Entry, { folder, can }: Shared): CustomizationChoice[] {
  if (!can('session/customizationToggled')) return [];
  const enabled = !isOn(entry, folder);
  const toggle = (label: string, enablement: CustomizationEnablement[]): CustomizationChoice => ({
    label,
    does: { kind: 'perform', action: { type: 'session/customizationToggled', id, enablement } },
  });
  const decisions = decisionsOf(entry);
  // Whatever scope is named, such a one has a single switch.
  if (!decisions) return [toggle(enabled ? l10n.t('Turn On') : l10n.t('Turn Off'), [{ kind: 'session', enabled }])];
  const without = (...scopes: Scope[]) => decisions.filter((one) => isOfOther(one, folder) || !scopes.some((scope) => one.kind === scope));
  return [
    toggle(enabled ? l10n.t('Turn On for This Session') : l10n.t('Turn Off for This Session'), [
      ...without('session'),
      { kind: 'session', enabled },
    ]),
    // A narrower decision would win, and what the user chose would not happen.
    ...(folder === undefined
      ? []
      : [
          toggle(enabled ? l10n.t('Turn On in This Folder') : l10n.t('Turn Off in This Folder'), [
            ...without('session', 'workspace'),
            { kind: 'workspace', uri: folder, enabled },
          ]),
        ]),
    toggle(
      everywhereLabel(
        enabled,
        decisions.some((one) => isOfOther(one, folder)),
      ),
      [...without('session', 'workspace', 'global'), { kind: 'global', enabled }],
    ),
    ...(deciding(entry, folder) ? [toggle(l10n.t('Forget What Was Decided'), without(...SCOPES))] : []),
  ];
}

/** `isExcepted`: in some other folders. */
function everywhereLabel(enabled: boolean, isExcepted: boolean): string {
  if (!isExcepted) return enabled ? l10n.t('Turn On Everywhere') : l10n.t('Turn Off Everywhere');
  return enabled
    ? l10n.t('Turn On Everywhere, Except in Folders with Their Own Decision')
    : l10n.t('Turn Off Everywhere, Except in Folders with Their Own Decision');
}

// ---- How it is

function loadWords(entry: Entry): string[] {
  const load = 'load' in entry ? entry.load : undefined;
  if (!load) return [];
  if (load.kind === 'loading') return [l10n.t('loading')];
  if (load.kind === 'degraded') return [l10n.t`not all of it works: ${oneLine(load.message)}`];
  return load.kind === 'error' ? [l10n.t`failed: ${oneLine(load.message)}`] : [];
}

type Server = Extract<Entry, { type: 'mcpServer' }> & { state: McpServerState };

function isServer(entry: Entry): entry is Server {
  return entry.type === 'mcpServer' && 'state' in entry;
}

function serverWords(state: McpServerState): string[] {
  switch (state.kind) {
    case 'starting':
      return [state.blocking ? l10n.t('starting, and messages wait for it') : l10n.t('starting')];
    case 'ready':
      return [l10n.t('ready')];
    case 'authRequired':
      return [l10n.t('needs a sign-in')];
    case 'error':
      return [l10n.t`failed: ${oneLine(state.error.message)}`];
    case 'stopped':
      return [l10n.t('stopped')];
    default:
      return [];
  }
}

function serverChoices(id: string, state: McpServerState, can: Can): CustomizationChoice[] {
  type ServerAction = 'session/mcpServerStartRequested' | 'session/mcpServerStopRequested' | 'session/mcpServerBackgroundRequested';
  const ask = (label: string, type: ServerAction): CustomizationChoice[] =>
    can(type) ? [{ label, does: { kind: 'perform', action: { type, id } } }] : [];
  switch (state.kind) {
    case 'authRequired':
      return [
        { label: l10n.t('Sign In…'), does: { kind: 'signIn', requirement: state } },
        ...ask(l10n.t('Stop'), 'session/mcpServerStopRequested'),
      ];
    case 'starting':
      return [
        ...(state.blocking ? ask(l10n.t('Do Not Wait for It'), 'session/mcpServerBackgroundRequested') : []),
        ...ask(l10n.t('Stop'), 'session/mcpServerStopRequested'),
      ];
    case 'ready':
      return ask(l10n.t('Stop'), 'session/mcpServerStopRequested');
    case 'error':
    case 'stopped':
      return ask(l10n.t('Start'), 'session/mcpServerStartRequested');
    default:
      return [];
  }
}
