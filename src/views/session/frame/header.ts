/** The header of a session: its host, agent and model, its folder and its state. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { SessionStatus } from '../../../ahp/common/status.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { type ChoiceField, type ConfigField, configFields, type SwitchField } from '../../configForm/configFields.ts';
import { type Picker, pickerOf, type PickerOption } from '../../configForm/picker.ts';
import { agentOf, modelFacts, modelProblem, usableModels } from '../../hosts/agentModels.ts';
import { oneLine } from '../../text/oneLine.ts';
import { displayPath } from '../../text/displayPath.ts';
import { nextModel } from '../composer/composer.ts';
import { folderOf, type OpenChat } from '../openChat.ts';
import { waitingOf } from '../waiting/waiting.ts';

export interface HeaderView {
  title: string;
  /** True until the host has sent a title. */
  untitled: boolean;
  /** "This computer · Copilot CLI · GPT-5", without unknown parts. */
  facts: readonly string[];
  workingDirectory?: string;
  /** Whether it is the user's folder or a Git worktree, and the branch. Absent outside a repository. */
  branch?: string;
  /** A demo agent, which has no model. */
  demo: boolean;
  state: { kind: 'failed' | 'needsYou' | 'running' | 'away' | 'error' | 'idle'; label: string };
}

/**
 * `removed`: the host no longer has the session. `away`: the host cannot be reached, so it is not known whether the session continues. `waits`: in
 * the session or in a subagent of it.
 */
export function headerView(
  { session, chat }: OpenChat,
  root: RootState | undefined,
  hostLabel: string,
  host?: 'removed' | 'away',
  waits = waitingOf(chat).length > 0,
): HeaderView {
  const { title, provider } = session;
  const agent = agentOf(session, root);
  const chosen = nextModel(chat)?.id;
  const model = agent?.models.find((candidate) => candidate.id === chosen)?.name ?? chosen;
  const folder = folderOf(chat) ?? folderOf(session);
  return {
    title: oneLine(title) || l10n.t('New session'),
    untitled: title === '',
    facts: [hostLabel, agent?.displayName || provider, model].filter((fact): fact is string => Boolean(fact)),
    ...(folder === undefined ? {} : { workingDirectory: displayPath(folder) }),
    ...branchOf(session),
    demo: provider === 'demo',
    state: host === 'removed' ? { kind: 'failed', label: l10n.t('Removed') } : stateOf({ session, chat }, host === 'away', waits),
  };
}

/** The branch may be out of date: hosts do not say when the user checks out another one. */
function branchOf({ config, _meta }: SessionState): { branch?: string } {
  const { isolation, branch: configured } = config?.values ?? {};
  const from = oneLine(configured);
  const own = oneLine(_meta?.[WORKTREE_BRANCH]);
  if (isolation === 'worktree')
    return {
      branch: [from ? l10n.t`Worktree from ${from}` : l10n.t('Worktree'), own && l10n.t`branch ${own}`].filter(Boolean).join(' · '),
    };
  return from ? { branch: l10n.t`Began on branch ${from}` } : {};
}

function stateOf({ session, chat }: OpenChat, isAway: boolean, waits: boolean): HeaderView['state'] {
  if (session.lifecycle === 'failed') return { kind: 'failed', label: l10n.t('Not created') };
  const state = chatState(chat, isAway, waits);
  // Some hosts make the session with its first turn only, so it may stay so for as long as nobody says anything.
  return state.kind === 'idle' && session.lifecycle === 'creating' ? { kind: 'idle', label: l10n.t('New') } : state;
}

const AWAY: HeaderView['state'] = { kind: 'away', label: l10n.t('Not connected') };

/** What a chat does, for example that of a subagent. */
export function chatState(chat: ChatState, isAway: boolean, waits = waitingOf(chat).length > 0): HeaderView['state'] {
  // Also while the host is away: the answer is sent after the reconnect.
  if (waits) return { kind: 'needsYou', label: l10n.t('Needs you') };
  if (isAway) return AWAY;
  if (chat.activeTurn) return { kind: 'running', label: oneLine(chat.activity) || l10n.t('Working') };
  if ((chat.status & SessionStatus.Error) !== 0) return { kind: 'error', label: l10n.t('Failed') };
  return { kind: 'idle', label: l10n.t('Idle') };
}

/** The models that the session's agent offers, and the current one even if it is no longer offered. Undefined when there is no choice. */
export function modelPicker(open: OpenChat, root: RootState | undefined): Picker | undefined {
  const models = usableModels(agentOf(open.session, root));
  const current = nextModel(open.chat)?.id;
  if (models.length === 0) return undefined;
  const options: PickerOption[] = models.map((model) => ({
    value: model.id,
    label: model.name || model.id,
    facts: modelFacts(model),
  }));
  if (current === undefined) options.unshift({ value: '', label: l10n.t('Default model') });
  const gone = modelProblem(open.session, current, root)?.kind === 'gone';
  if (gone && current !== undefined) options.unshift({ value: current, label: current, facts: [l10n.t('not offered any more')] });
  return { id: 'model', title: l10n.t('Model'), value: current ?? '', options, ...(gone && { isGone: true }) };
}

/** Options of the chosen model, such as reasoning effort, that have a list of values. */
export function modelOptionPickers({ session, chat }: OpenChat, root: RootState | undefined): Picker[] {
  const chosen = nextModel(chat);
  const schema = usableModels(agentOf(session, root)).find((model) => model.id === chosen?.id)?.configSchema;
  return pickersOf(schema ? configFields(schema, chosen?.config) : []);
}

/** Settings of the session, such as its approval mode, that can still be changed and have a list of values. */
export function sessionConfigPickers(session: SessionState): Picker[] {
  return pickersOf(changeable(session));
}

/** Settings of the session that can still be switched on and off. */
export function sessionSwitches(session: SessionState): SwitchField[] {
  return changeable(session).filter((field) => field.kind === 'switch');
}

/** Settings of the session that can still be changed and need a form. */
export function sessionForm(session: SessionState): ConfigField[] {
  return changeable(session).filter((field) => field.kind !== 'switch' && !isListed(field));
}

function changeable({ config }: SessionState): ConfigField[] {
  return config ? configFields(config.schema, config.values).filter(({ isMutable, isReadOnly }) => isMutable && !isReadOnly) : [];
}

function pickersOf(fields: readonly ConfigField[]): Picker[] {
  return fields.filter(isListed).map(pickerOf);
}

/** All its values are known. */
function isListed(field: ConfigField): field is ChoiceField {
  return field.kind === 'choice' && field.of === 'string' && !field.isDynamic;
}
