/** The actions that lead from one state of a session to another, as far as there are actions. */
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import { listOf } from '../../ahp/common/reducers/reducer.ts';
import { SessionStatus, statusBits } from '../../ahp/common/status.ts';
import { sameJson } from '../../base/sameJson.ts';

export function sessionDifference(before: SessionState, after: SessionState): SessionAction[] {
  const differs = (key: keyof SessionState) => !sameJson(before[key], after[key]);
  const actions: SessionAction[] = [];
  if (differs('lifecycle')) {
    if (after.lifecycle === 'ready') actions.push({ type: 'session/ready' });
    else if (after.creationError) actions.push({ type: 'session/creationFailed', error: after.creationError });
  }
  if (differs('title')) actions.push({ type: 'session/titleChanged', title: after.title });
  if (differs('activity'))
    actions.push({ type: 'session/activityChanged', ...(after.activity !== undefined && { activity: after.activity }) });
  const isSet = (flag: number) =>
    [before, after].map(({ status }) => Math.floor(statusBits(status) / flag) % 2 === 1) as [boolean, boolean];
  const [wasRead, isRead] = isSet(SessionStatus.IsRead);
  if (wasRead !== isRead) actions.push({ type: 'session/isReadChanged', isRead });
  const [wasArchived, isArchived] = isSet(SessionStatus.IsArchived);
  if (wasArchived !== isArchived) actions.push({ type: 'session/isArchivedChanged', isArchived });
  if (differs('serverTools')) actions.push({ type: 'session/serverToolsChanged', tools: after.serverTools ?? [] });
  if (differs('customizations')) actions.push({ type: 'session/customizationsChanged', customizations: after.customizations ?? [] });
  if (after.config && !sameJson(before.config?.values, after.config.values)) {
    actions.push({ type: 'session/configChanged', config: after.config.values, replace: true });
  }
  if (differs('_meta')) actions.push({ type: 'session/metaChanged', ...(after._meta && { _meta: after._meta }) });
  actions.push(...chatDifference(before, after), ...clientDifference(before, after), ...neededDifference(before, after));
  return actions;
}

function chatDifference(before: SessionState, after: SessionState): SessionAction[] {
  const known = new Map(before.chats.map((chat) => [chat.resource, chat]));
  const removed = before.chats.filter(({ resource }) => !after.chats.some((chat) => chat.resource === resource));
  return [
    ...removed.map(({ resource }): SessionAction => ({ type: 'session/chatRemoved', chat: resource })),
    ...after.chats.flatMap((chat) => chatChange(known.get(chat.resource), chat)),
  ];
}

function chatChange(before: ChatSummary | undefined, after: ChatSummary): SessionAction[] {
  if (!before) return [{ type: 'session/chatAdded', summary: after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof ChatSummary)[];
  const changed = keys.filter((key) => !sameJson(before[key], after[key]));
  // The time alone is nothing new, and a change cannot remove a field.
  if (changed.every((key) => key === 'modifiedAt')) return [];
  if (changed.some((key) => after[key] === undefined)) return [{ type: 'session/chatAdded', summary: after }];
  return [{ type: 'session/chatUpdated', chat: after.resource, changes: Object.fromEntries(changed.map((key) => [key, after[key]])) }];
}

function clientDifference(before: SessionState, after: SessionState): SessionAction[] {
  const gone = before.activeClients.filter(({ clientId }) => !after.activeClients.some((client) => client.clientId === clientId));
  const isNew = after.activeClients.filter((client) => !before.activeClients.some((earlier) => sameJson(earlier, client)));
  return [
    ...gone.map(({ clientId }): SessionAction => ({ type: 'session/activeClientRemoved', clientId })),
    ...isNew.map((activeClient): SessionAction => ({ type: 'session/activeClientSet', activeClient })),
  ];
}

function neededDifference(before: SessionState, after: SessionState): SessionAction[] {
  const [earlier, now] = [listOf(before.inputNeeded), listOf(after.inputNeeded)];
  const gone = earlier.filter(({ id }) => !now.some((request) => request.id === id));
  const isNew = now.filter((request) => !earlier.some((other) => sameJson(other, request)));
  return [
    ...isNew.map((request): SessionAction => ({ type: 'session/inputNeededSet', request })),
    ...gone.map(({ id }): SessionAction => ({ type: 'session/inputNeededRemoved', id })),
  ];
}
