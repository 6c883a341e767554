/** Reduces a session. Its customizations have a file of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import { createReducer, isAbsent, listOf, type Recipe, replaceAt, setField, withConfigValues } from '../../common/reducers/reducer.ts';
import { SessionStatus, statusBits, withActivity, withFlag } from '../../common/status.ts';
import { withDirectory, withDirectoryReplaced, withoutDirectory } from '../shapes/directories.ts';
import type { SessionAction, SessionActionOf } from './actions.ts';
import {
  withCustomization,
  withEnablement,
  withoutCustomization,
  withServerInBackground,
  withServerState,
} from './customizationReducer.ts';
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
      setField(draft, 'status', withFlag(statusBits(draft.status), SessionStatus.IsRead, action.isRead === true));
      break;
    case 'session/isArchivedChanged':
      setField(draft, 'status', withFlag(statusBits(draft.status), SessionStatus.IsArchived, action.isArchived === true));
      break;
    case 'session/configChanged': {
      const config = draft.config;
      if (isRecord(config) && isRecord(action.config)) draft.config = withConfigValues(config, action.config, action.replace === true);
      break;
    }
    case 'session/metaChanged':
      if (isAbsent(action._meta) || isRecord(action._meta)) setField(draft, '_meta', action._meta);
      break;
    case 'session/changesetsChanged':
      if (isAbsent(action.changesets) || Array.isArray(action.changesets)) setField(draft, 'changesets', action.changesets);
      break;
    case 'session/serverToolsChanged':
      if (Array.isArray(action.tools)) setField(draft, 'serverTools', action.tools);
      break;

    case 'session/activeClientSet':
      setActiveClient(draft, action);
      break;
    case 'session/activeClientRemoved': {
      const clients = listOf(draft.activeClients);
      const index = clients.findIndex((client) => client?.clientId === action.clientId);
      if (index >= 0) draft.activeClients = clients.toSpliced(index, 1);
      break;
    }

    case 'session/workingDirectorySet':
      setField(draft, 'workingDirectories', withDirectory(draft.workingDirectories, action.directory));
      break;
    case 'session/workingDirectoryRemoved':
      setField(draft, 'workingDirectories', withoutDirectory(draft.workingDirectories, action.directory));
      break;
    case 'session/workingDirectoryReplaced': {
      const { directory, replacement } = action;
      setField(draft, 'workingDirectories', withDirectoryReplaced(draft.workingDirectories, directory, replacement));
      break;
    }

    case 'session/inputNeededSet':
      setInputNeeded(draft, action);
      break;
    case 'session/inputNeededRemoved':
      removeInputNeeded(draft, action);
      break;

    case 'session/customizationsChanged':
      if (Array.isArray(action.customizations)) setField(draft, 'customizations', action.customizations);
      break;
    case 'session/customizationUpdated':
      setField(draft, 'customizations', withCustomization(draft.customizations, action.customization));
      break;
    case 'session/customizationRemoved':
      setField(draft, 'customizations', withoutCustomization(draft.customizations, action.id));
      break;
    case 'session/customizationToggled':
      setField(draft, 'customizations', withEnablement(draft.customizations, action.id, action.enablement));
      break;
    case 'session/mcpServerStateChanged':
      if (isRecord(action.state)) {
        setField(draft, 'customizations', withServerState(draft.customizations, action.id, action.state, action.channel));
      }
      break;
    case 'session/mcpServerStartRequested':
      setField(draft, 'customizations', withServerState(draft.customizations, action.id, { kind: 'starting' }));
      break;
    case 'session/mcpServerStopRequested':
      setField(draft, 'customizations', withServerState(draft.customizations, action.id, { kind: 'stopped' }));
      break;
    case 'session/mcpServerBackgroundRequested':
      setField(draft, 'customizations', withServerInBackground(draft.customizations, action.id));
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
  const chats = listOf(draft.chats);
  const index = placeOfChat(draft, summary.resource);
  draft.chats = index < 0 ? [...chats, summary] : replaceAt(chats, index, summary);
}

function removeChat(draft: SessionState, { chat }: SessionActionOf<'session/chatRemoved'>): void {
  const index = placeOfChat(draft, chat);
  if (index < 0) return;
  draft.chats = listOf(draft.chats).toSpliced(index, 1);
  if (draft.defaultChat === chat) setField(draft, 'defaultChat', undefined);
}

function updateChat(draft: SessionState, { chat, changes }: SessionActionOf<'session/chatUpdated'>): void {
  const chats = listOf(draft.chats);
  const index = placeOfChat(draft, chat);
  const summary = chats[index];
  // Which chat it is cannot change.
  if (summary && isRecord(changes)) draft.chats = replaceAt(chats, index, { ...summary, ...changes, resource: summary.resource });
}

/** Only an exact permutation counts. */
function reorderChats(draft: SessionState, { chats: order }: SessionActionOf<'session/chatsReordered'>): void {
  const byUri = new Map(listOf(draft.chats).map((summary) => [summary?.resource, summary]));
  if (!Array.isArray(order) || order.length !== listOf(draft.chats).length || new Set(order).size !== order.length) return;
  const chats = order.map((chat) => byUri.get(chat)).filter((summary) => summary !== undefined);
  if (chats.length === order.length) setField(draft, 'chats', chats);
}

// ---- Active clients

function setActiveClient(draft: SessionState, { activeClient }: SessionActionOf<'session/activeClientSet'>): void {
  if (!isRecord(activeClient) || typeof activeClient.clientId !== 'string') return;
  const clients = listOf(draft.activeClients);
  const index = clients.findIndex((client) => client?.clientId === activeClient.clientId);
  draft.activeClients = index < 0 ? [...clients, activeClient] : replaceAt(clients, index, activeClient);
}

// ---- Input needed

function setInputNeeded(draft: SessionState, { request }: SessionActionOf<'session/inputNeededSet'>): void {
  if (!isRecord(request) || typeof request.id !== 'string') return;
  const requests = listOf(draft.inputNeeded);
  const index = requests.findIndex((earlier) => earlier?.id === request.id);
  draft.inputNeeded = index < 0 ? [...requests, request] : replaceAt(requests, index, request);
  updateStatus(draft);
}

function removeInputNeeded(draft: SessionState, { id }: SessionActionOf<'session/inputNeededRemoved'>): void {
  const requests = listOf(draft.inputNeeded);
  const index = isAbsent(id) ? -1 : requests.findIndex((request) => request?.id === id);
  if (index < 0) return;
  setField(draft, 'inputNeeded', requests.length > 1 ? requests.toSpliced(index, 1) : undefined);
  updateStatus(draft);
}

const WAITS = SessionStatus.InputNeeded - SessionStatus.InProgress;

/** The session waits while anything of the list waits for the user. After that, it goes on with what it did. */
function updateStatus(draft: SessionState): void {
  const status = statusBits(draft.status);
  const waits = listOf(draft.inputNeeded).some(waitsForPerson);
  setField(draft, 'status', waits ? withActivity(status, SessionStatus.InputNeeded) : withFlag(status, WAITS, false));
}

function waitsForPerson(request: SessionInputRequest): boolean {
  return !isRecord(request) || request.kind !== 'toolClientExecution';
}
