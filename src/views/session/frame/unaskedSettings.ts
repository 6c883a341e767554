/** What the agent of a session may do without asking: by its settings, and by what the user has allowed for the session. */
import * as l10n from '../../../base/l10n.ts';
import { type Grant, grantsOf, type LentToolGrant } from '../../../ahp/grants.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { folderOf } from '../openChat.ts';
import { trustWords } from '../../pairing/trustWords.ts';
import { displayPath } from '../../text/displayPath.ts';
import { oneLine } from '../../text/oneLine.ts';

/** Values with which an agent runs everything, by the names of settings: those of our host, and of VS Code's. */
const ASKS_NOTHING: Readonly<Record<string, readonly string[]>> = {
  approvals: ['all', 'auto'],
  autoApprove: ['autoApprove', 'autopilot'],
};

/** A session, or a host, which may have such settings for all its sessions. */
type WithConfig = Pick<SessionState, 'config'>;

const trusts = ['internal', 'project', 'external'] as const;

export interface Unasked {
  /** The setting. */
  id: string;
  /** The host's words for the value. */
  label: string;
  description: string;
  /** The value with which the agent asks. Absent where the setting cannot be changed. */
  asks?: string;
}

/** The setting says what the agent asks about. */
export function isAboutAsking(id: string): boolean {
  return Object.hasOwn(ASKS_NOTHING, id);
}

/** The settings by which the agent does everything without asking now. */
export function unaskedSettings(session: WithConfig): Unasked[] {
  return Object.keys(ASKS_NOTHING).flatMap((id) => {
    const property = session.config?.schema.properties[id];
    return unasked(session, id, session.config?.values[id] ?? property?.default) ?? [];
  });
}

/** The same where the user has switched it off, which the host has not confirmed. */
export function stillUnasked(confirmed: SessionState, shown: SessionState): Unasked[] {
  const ahead = new Set(unaskedSettings(shown).map(({ id }) => id));
  return unaskedSettings(confirmed).filter(({ id }) => !ahead.has(id));
}

/** The settings by which this change would make the agent do everything without asking. Those that do already are left out. */
export function newlyUnasked(session: WithConfig, change: Readonly<Record<string, unknown>>): Unasked[] {
  const now = new Set(unaskedSettings(session).map(({ id }) => id));
  return Object.entries(change).flatMap(([id, value]) => (now.has(id) ? [] : (unasked(session, id, value) ?? [])));
}

/** What the user is asked before that. */
export interface UnaskedQuestion {
  question: string;
  lasts: string;
  /** The button. */
  accept: string;
}

export const unaskedQuestion = {
  ofSession: (title: string): UnaskedQuestion => ({
    question: l10n.t`Let the agent of “${title}” act without asking you?`,
    lasts: l10n.t('This holds until you switch it back, also while no window shows the session. The session says so as long as it holds.'),
    accept: l10n.t('Stop Asking Me'),
  }),
  ofHost: (label: string): UnaskedQuestion => ({
    question: l10n.t`Let the agents of “${label}” act without asking anybody?`,
    lasts: l10n.t(
      'This holds for all sessions of the host, of everybody who uses it, until somebody switches it back in these settings. Nothing in the sessions says so.',
    ),
    accept: l10n.t('Stop Asking'),
  }),
};

function unasked({ config }: WithConfig, id: string, value: unknown): Unasked | undefined {
  const values = Object.hasOwn(ASKS_NOTHING, id) ? ASKS_NOTHING[id] : undefined;
  if (typeof value !== 'string' || !values?.includes(value)) return undefined;
  const properties = config?.schema.properties ?? {};
  const property = Object.hasOwn(properties, id) ? properties[id] : undefined;
  const at = property?.enum?.indexOf(value) ?? -1;
  const canChange = property?.sessionMutable === true && property.readOnly !== true;
  const asks = [property?.default, ...(property?.enum ?? [])].find((one) => typeof one === 'string' && !values.includes(one));
  return {
    id,
    label: oneLine(property?.enumLabels?.[at]) || value,
    description: oneLine(property?.enumDescriptions?.[at]),
    ...(canChange && typeof asks === 'string' && { asks }),
  };
}

export interface AllowedRow {
  grant: Grant;
  /** In our words. */
  what: string;
  /** As it was allowed. It may be long and hold any characters. */
  exactly?: string;
}

/** What the user has allowed for the session, newest first. */
export function allowedRows(session: SessionState): AllowedRow[] {
  return grantsOf(session)
    .toReversed()
    .map((grant) => ({ grant, ...wordsFor(grant, folderOf(session)) }));
}

const FILE_WORDS = {
  read: { whole: l10n.t('Read everything in the working directory'), part: l10n.t('Read this file, or everything in this folder') },
  write: { whole: l10n.t('Write everything in the working directory'), part: l10n.t('Write this file, or everything in this folder') },
};

function wordsFor(grant: Grant, workingDirectory: string | undefined): { what: string; exactly?: string } {
  switch (grant.kind) {
    case 'command':
      return { what: l10n.t('Run this command'), exactly: grant.text };
    case 'everyCommand':
      return { what: l10n.t('Run every command') };
    case 'read':
    case 'write': {
      const isWhole = workingDirectory !== undefined && displayPath(workingDirectory) === grant.root;
      const { whole, part } = FILE_WORDS[grant.kind];
      return { what: isWhole ? whole : part, exactly: grant.root };
    }
    case 'url':
      return { what: l10n.t('Fetch pages of'), exactly: grant.origin };
    case 'tool':
      return { what: l10n.t('Call this tool'), exactly: grant.name };
    case 'lentTool':
      return { what: l10n.t`Call this tool (${lenderText(grant)})`, exactly: grant.name };
  }
}

/** The name comes last, because a provider chooses it. */
function lenderText({ provider, trust, origin }: LentToolGrant): string {
  const who = trusts.find((known) => known === trust);
  const whose = who ? trustWords({ trust: who, origin }) : l10n.t('of a client');
  return provider === undefined ? whose : l10n.t`${whose}: “${oneLine(provider)}”`;
}
