/** Reduces a session. Its customizations have a file of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import {
  createReducer,
  isAbsent,
  listIn,
  listOf,
  plainOf,
  putAt,
  type Recipe,
  setConfigValues,
  setField,
  setWhole,
} from '../../common/reducers/reducer.ts';
import { changeStatus, SessionStatus, withActivity, withFlag } from '../../common/status.ts';
import { addDirectory, removeDirectory, replaceDirectory } from '../shapes/directories.ts';
import type { SessionAction, SessionActionOf } from './actions.ts';
import { removeCustomization, setCustomization, setEnablement, setServerInBackground, setServerState } from './customizationReducer.ts';
import type { SessionInputRequest, SessionState } from './state.ts';

const recipe: Recipe<SessionState, SessionAction> = (draft, action) => {
  switch (action.type) {
    case 'session/ready':
      setField(draft, 'lifecycle', 'ready');
      break;
    case 'session/creationFailed':
      setField(draft, 'lifecycle', 'failed');
      if (isRecord(action.error)) setField(draft, 'creationError', action.error);
      break;

    case 'session/chatAdded':
      addChat(draft, action);
      break;
    case 'session/chatRemoved':
      removeChat(draft, action);
      break;
    case 'session/chatUpdated':
      updateChat(draft, action);
      break;
    case 'session/chatsReordered':
      reorderChats(draft, action);
      break;
    case 'session/defaultChatChanged':
      setText(draft, 'defaultChat', action.defaultChat);
      break;

    case 'session/titleChanged':
      if (typeof action.title === 'string') setField(draft, 'title', action.title);
      break;
    case 'session/activityChanged':
      setText(draft, 'activity', action.activity);
      break;
    case 'session/isReadChanged':
      changeStatus(draft, (status) => withFlag(status, SessionStatus.IsRead, action.isRead === true));
      break;
    case 'session/isArchivedChanged':
      changeStatus(draft, (status) => withFlag(status, SessionStatus.IsArchived, action.isArchived === true));
      break;
    case 'session/configChanged': {
      const config = draft.config;
      if (isRecord(config) && isRecord(action.config)) setConfigValues(config, action.config, action.replace === true);
      break;
    }
    case 'session/metaChanged':
      if (isAbsent(action._meta) || isRecord(action._meta)) setField(draft, '_meta', action._meta);
      break;
    case 'session/changesetsChanged':
      if (isAbsent(action.changesets) || Array.isArray(action.changesets)) setField(draft, 'changesets', action.changesets);
      break;
    case 'session/serverToolsChanged':
      if (Array.isArray(action.tools)) setWhole(draft, 'serverTools', action.tools);
      break;

    case 'session/activeClientSet':
      setActiveClient(draft, action);
      break;
    case 'session/activeClientRemoved': {
      const index = placeOfClient(draft, action.clientId);
      if (index >= 0) draft.activeClients.splice(index, 1);
      break;
    }

    case 'session/workingDirectorySet':
      addDirectory(draft, action.directory);
      break;
    case 'session/workingDirectoryRemoved':
      removeDirectory(draft, action.directory);
      break;
    case 'session/workingDirectoryReplaced':
      replaceDirectory(draft, action.directory, action.replacement);
      break;

    case 'session/inputNeededSet':
      setInputNeeded(draft, action);
      break;
    case 'session/inputNeededRemoved':
      removeInputNeeded(draft, action);
      break;

    case 'session/customizationsChanged':
      if (Array.isArray(action.customizations)) setField(draft, 'customizations', [...action.customizations]);
      break;
    case 'session/customizationUpdated':
      setCustomization(draft, action.customization);
      break;
    case 'session/customizationRemoved':
      removeCustomization(draft, action.id);
      break;
    case 'session/customizationToggled':
      setEnablement(draft, action.id, action.enablement);
      break;
    case 'session/mcpServerStateChanged':
      if (isRecord(action.state)) setServerState(draft, action.id, action.state, action.channel);
      break;
    case 'session/mcpServerStartRequested':
      setServerState(draft, action.id, { kind: 'starting' });
      break;
    case 'session/mcpServerStopRequested':
      setServerState(draft, action.id, { kind: 'stopped' });
      break;
    case 'session/mcpServerBackgroundRequested':
      setServerInBackground(draft, action.id);
      break;
    default:
  }
};

export const sessionReducer = createReducer(recipe);

/** Sets an optional text, or removes it. */
function setText(draft: SessionState, key: 'activity' | 'defaultChat', value: string | undefined): void {
  if (isAbsent(value) || typeof value === 'string') setField(draft, key, value);
}

// ---- Chats

function placeOfChat(draft: SessionState, chat: string): number {
  return isAbsent(chat) ? -1 : listOf(draft.chats).findIndex((summary) => summary?.resource === chat);
}

function addChat(draft: SessionState, { summary }: SessionActionOf<'session/chatAdded'>): void {
  if (!isRecord(summary) || typeof summary.resource !== 'string') return;
  putAt(listIn(draft, 'chats'), placeOfChat(draft, summary.resource), summary);
}

function removeChat(draft: SessionState, { chat }: SessionActionOf<'session/chatRemoved'>): void {
  const index = placeOfChat(draft, chat);
  if (index < 0) return;
  draft.chats.splice(index, 1);
  if (draft.defaultChat === chat) setField(draft, 'defaultChat', undefined);
}

function updateChat(draft: SessionState, { chat, changes }: SessionActionOf<'session/chatUpdated'>): void {
  const index = placeOfChat(draft, chat);
  const summary = plainOf(listOf(draft.chats)[index]);
  // Which chat it is cannot change. The names may be any, such as `__proto__`, so they are not assigned one by one.
  if (summary && isRecord(changes)) putAt(draft.chats, index, { ...summary, ...changes, resource: summary.resource });
}

/** Only an exact permutation counts. */
function reorderChats(draft: SessionState, { chats: order }: SessionActionOf<'session/chatsReordered'>): void {
  const chats = listOf(plainOf(draft.chats));
  if (!Array.isArray(order) || order.length !== chats.length || new Set(order).size !== order.length) return;
  const byUri = new Map(chats.map((summary) => [summary?.resource, plainOf(summary)]));
  const ordered = order.map((chat) => byUri.get(chat)).filter((summary) => summary !== undefined);
  if (ordered.length === order.length) setField(draft, 'chats', ordered);
}

// ---- Active clients

function placeOfClient(draft: SessionState, clientId: string): number {
  return listOf(draft.activeClients).findIndex((client) => client?.clientId === clientId);
}

function setActiveClient(draft: SessionState, { activeClient }: SessionActionOf<'session/activeClientSet'>): void {
  if (!isRecord(activeClient) || typeof activeClient.clientId !== 'string') return;
  putAt(listIn(draft, 'activeClients'), placeOfClient(draft, activeClient.clientId), activeClient);
}

// ---- Input needed

function placeOfInput(draft: SessionState, id: string): number {
  return isAbsent(id) ? -1 : listOf(draft.inputNeeded).findIndex((request) => request?.id === id);
}

function setInputNeeded(draft: SessionState, { request }: SessionActionOf<'session/inputNeededSet'>): void {
  if (!isRecord(request) || typeof request.id !== 'string') return;
  putAt(listIn(draft, 'inputNeeded'), placeOfInput(draft, request.id), request);
  updateStatus(draft);
}

function removeInputNeeded(draft: SessionState, { id }: SessionActionOf<'session/inputNeededRemoved'>): void {
  const index = placeOfInput(draft, id);
  if (!draft.inputNeeded || index < 0) return;
  draft.inputNeeded.splice(index, 1);
  if (draft.inputNeeded.length === 0) setField(draft, 'inputNeeded', undefined);
  updateStatus(draft);
}

const WAITS = SessionStatus.InputNeeded - SessionStatus.InProgress;

/** The session waits while anything of the list waits for the user. After that, it goes on with what it did. */
function updateStatus(draft: SessionState): void {
  const waits = listOf(draft.inputNeeded).some(waitsForPerson);
  changeStatus(draft, (status) => (waits ? withActivity(status, SessionStatus.InputNeeded) : withFlag(status, WAITS, false)));
}

function waitsForPerson(request: SessionInputRequest): boolean {
  return !isRecord(request) || request.kind !== 'toolClientExecution';
}
