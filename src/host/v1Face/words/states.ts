/**
 * The states of channels as those of AHP v1. Parts are made once for each object. What AHP v1 has no words for is left out, and nothing
 * in a state makes it throw.
 */
import type { ChangesetFile, ChangesetState } from '../../../ahp/channels/changeset.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { AgentInfo, RootState, SessionModelInfo } from '../../../ahp/channels/root.ts';
import type { SessionActiveClient, SessionState } from '../../../ahp/channels/session/state.ts';
import type { TerminalClaim, TerminalInfo, TerminalLifecycle } from '../../../ahp/channels/shapes/basic.ts';
import type { Customization, CustomizationEnablement, PluginCustomization } from '../../../ahp/channels/shapes/customizations.ts';
import type { ChatSummary } from '../../../ahp/channels/shapes/summaries.ts';
import type { TerminalState } from '../../../ahp/channels/terminal.ts';
import { omitAbsent } from '../../../ahp/common/reducers/reducer.ts';
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import { activityOf, SessionStatus, statusBits, withActivity, withFlag } from '../../../ahp/common/status.ts';
import type { CustomizationRef, TerminalClaim as V1TerminalClaim } from '../../../ahp/v1/common.ts';
import { activeClientOf } from '../../../ahp/dialects/v1/downgrade.ts';
import type * as V1Root from '../../../ahp/v1/root.ts';
import type * as V1 from '../../../ahp/v1/session.ts';
import type { TerminalState as V1TerminalState } from '../../../ahp/v1/terminal.ts';
import type { SessionActiveClient as V1ActiveClient } from '../../../ahp/v1/toolCall.ts';
import { remembered, rememberedList } from '../../../ahp/common/remembered.ts';
import { isRead, type ListedSession, type SessionFacts } from '../../state/listedSession.ts';
import { v1Session, v1Terminal, visibleName } from './names.ts';
import { openRequests, rememberedSome, v1ActiveTurn, v1Model, v1Pending, v1Queue, v1Turns, waitsOnlyForSignIn } from './v1Parts.ts';

// ---- Root and terminals

const v1Models = rememberedList(
  remembered(({ id, provider, name, maxContextWindow, supportsVision, policyState, configSchema }: SessionModelInfo) =>
    omitAbsent<V1Root.SessionModelInfo>({
      ...{ id, provider, name, maxContextWindow, supportsVision, policyState },
      configSchema: configSchema as V1Root.SessionModelInfo['configSchema'],
    }),
  ),
);

export const v1Agents = rememberedList(
  remembered(({ provider, displayName, description, models, protectedResources, customizations }: AgentInfo) =>
    omitAbsent<V1Root.AgentInfo>({
      ...{ provider, displayName, description, models: v1Models(models), protectedResources },
      customizations: customizations?.filter(isPlugin).map(v1Plugin),
    }),
  ),
);

export const v1Claim = remembered((claim: TerminalClaim): V1TerminalClaim => {
  if (claim.kind !== 'session') return claim;
  const { kind, chat, turnId, toolCallId } = claim;
  return omitAbsent<V1TerminalClaim>({ kind, session: v1Session(chat), turnId, toolCallId });
});

function exitCodeOf(lifecycle: TerminalLifecycle): number | undefined {
  return lifecycle.status === 'exited' ? lifecycle.exitCode : undefined;
}

export const v1Terminals = rememberedList(
  remembered(({ resource, title, claim, lifecycle }: TerminalInfo) =>
    omitAbsent<V1Root.TerminalInfo>({ resource: v1Terminal(resource), title, claim: v1Claim(claim), exitCode: exitCodeOf(lifecycle) }),
  ),
);

export const v1Root = remembered(({ agents, activeSessions, terminals, config }: RootState) =>
  omitAbsent<V1Root.RootState>({
    ...{ agents: v1Agents(agents), activeSessions, terminals: terminals && v1Terminals(terminals) },
    config: config as V1Root.RootConfigState | undefined,
  }),
);

export const v1TerminalState = remembered(({ lifecycle, claim, isPty: _isPty, ...terminal }: TerminalState) =>
  omitAbsent<V1TerminalState>({ ...terminal, claim: v1Claim(claim), exitCode: exitCodeOf(lifecycle) }),
);

// ---- What belongs to a session

function isPlugin(customization: Customization): customization is PluginCustomization {
  return customization.type === 'plugin';
}

const v1Plugin = remembered((plugin: PluginCustomization & { nonce?: string }): CustomizationRef => {
  const { uri, name, icons, nonce } = plugin;
  return omitAbsent<CustomizationRef>({ uri, displayName: name, icons, nonce });
});

const v1Customization = remembered((plugin: PluginCustomization): V1.SessionCustomization => {
  const { load, clientId, enablement = [] } = plugin;
  const statusMessage = load && 'message' in load ? load.message : undefined;
  const enabled = isEnabled(enablement);
  return omitAbsent<V1.SessionCustomization>({ customization: v1Plugin(plugin), enabled, clientId, status: load?.kind, statusMessage });
});

/** The narrowest decision counts. */
function isEnabled(enablement: readonly CustomizationEnablement[]): boolean {
  for (const scope of ['session', 'workspace', 'global'])
    for (const decision of enablement) if (decision.kind === scope && 'enabled' in decision) return decision.enabled;
  return true;
}

/** Directories and servers are left out. */
export const v1Customizations = rememberedSome((customization: Customization) =>
  isPlugin(customization) ? v1Customization(customization) : undefined,
);

const v1ActiveClientOf = remembered(activeClientOf);

/** The one client of AHP v1 that lends tools. */
export function v1ActiveClient(
  clients: readonly SessionActiveClient[],
  isV1Client: (clientId: string) => boolean,
): V1ActiveClient | undefined {
  const client = clients.find(({ clientId }) => isV1Client(clientId));
  return client && v1ActiveClientOf(client);
}

export function editsIn(changes: ChangesetState | undefined): readonly FileEdit[] {
  return changes ? fileEdits(changes.files) : [];
}
const fileEdits = rememberedSome(({ edit }: ChangesetFile): FileEdit => edit);

/** The flags of the session with the activity of its first chat. It is read where both are read. */
export function familyStatus(session: number, chat: number): number {
  const flags = withFlag(statusBits(session), SessionStatus.IsRead, isRead(session) && isRead(chat));
  return withActivity(flags, activityOf(statusBits(chat)));
}

function timeOf(iso: string, otherwise: number): number {
  const time = Date.parse(iso);
  return Number.isFinite(time) ? time : otherwise;
}

// ---- Sessions

/** The session of AHP v1 that is this chat. `edits`: of the session's first chat. */
export function v1SessionState(
  { uri, createdAt }: Pick<SessionFacts, 'uri' | 'createdAt'>,
  session: SessionState,
  chat: ChatState,
  edits: readonly FileEdit[],
  isV1Client: (clientId: string) => boolean,
): V1.SessionState {
  const resource = v1Session(chat.resource);
  const { turns, activeTurn, steeringMessage, queuedMessages } = chat;
  const requests = activeTurn ? openRequests(activeTurn.responseParts) : [];
  const common = omitAbsent<Omit<V1.SessionState, 'summary' | 'lifecycle'>>({
    turns: v1Turns(turns),
    activeTurn: activeTurn && v1ActiveTurn(activeTurn),
    steeringMessage: steeringMessage && v1Pending(steeringMessage),
    queuedMessages: queuedMessages && v1Queue(queuedMessages),
    inputRequests: requests.length > 0 ? requests : undefined,
  });
  const model = chat.draft?.model;
  const base = {
    ...{ resource, provider: session.provider, createdAt, modifiedAt: timeOf(chat.modifiedAt, createdAt) },
    model: model && v1Model(model),
  };
  if (resource !== uri)
    return {
      summary: omitAbsent<V1.SessionSummary>({
        ...base,
        title: titleOfSubagent(session, chat),
        status: statusOf(chat),
        activity: chat.activity,
        workingDirectory: directoryOf(chat, session),
      }),
      lifecycle: 'ready',
      ...common,
    };
  const { lifecycle, creationError, serverTools, config, customizations, _meta } = session;
  return omitAbsent<V1.SessionState>({
    summary: omitAbsent<V1.SessionSummary>({
      ...base,
      title: session.title,
      status: familyStatus(session.status, statusOf(chat)),
      activity: activityTold(session, chat),
      project: session.project,
      workingDirectory: session.workingDirectories?.[0],
      diffs: edits.length > 0 ? (edits as FileEdit[]) : undefined,
    }),
    lifecycle: lifecycle === 'failed' ? 'creationFailed' : lifecycle,
    ...common,
    ...{ creationError, serverTools, activeClient: v1ActiveClient(session.activeClients, isV1Client) },
    config: config as V1.SessionConfigState | undefined,
    customizations: customizations && v1Customizations(customizations),
    _meta,
  });
}

function statusOf({ status, activeTurn }: ChatState): number {
  const bits = statusBits(status);
  const waits = activeTurn !== undefined && activityOf(bits) === SessionStatus.InputNeeded;
  return waits && waitsOnlyForSignIn(activeTurn) ? withActivity(bits, SessionStatus.InProgress) : bits;
}

function titleOfSubagent({ chats }: SessionState, { resource, title }: { resource: URI; title: string }): string {
  return chats.find((entry) => entry.resource === resource)?.title ?? title;
}

/** Of a session and its first chat. */
export function activityTold(session: { activity?: string }, chat: { activity?: string } | undefined): string | undefined {
  return chat?.activity ?? session.activity;
}

function directoryOf(chat: { workingDirectories?: URI[] }, session: { workingDirectories?: URI[] }): URI | undefined {
  return chat.workingDirectories?.[0] ?? session.workingDirectories?.[0];
}

// ---- Lists

/** The session and its subagents, which are listed beside it. */
export function v1Summaries(listed: ListedSession): V1.SessionSummary[] {
  const { resource } = listed.summary;
  const ofSubagents = listed.chats.flatMap((chat) => {
    const name = visibleName(chat.resource, resource);
    return name === undefined || name === resource ? [] : [subagentSummary(listed, chat, name)];
  });
  return [sessionSummary(listed), ...ofSubagents];
}

function sessionSummary({ summary, chats, model, edits }: ListedSession): V1.SessionSummary {
  const { resource, provider, title, project, workingDirectories } = summary;
  const chat = chats.find((entry) => visibleName(entry.resource, resource) === resource);
  const createdAt = timeOf(summary.createdAt, 0);
  return omitAbsent<V1.SessionSummary>({
    ...{ resource, provider, title, project, createdAt },
    status: chat ? familyStatus(summary.status, chat.status) : statusBits(summary.status),
    activity: activityTold(summary, chat),
    modifiedAt: timeOf(chat?.modifiedAt ?? summary.modifiedAt, createdAt),
    model: model && v1Model(model),
    workingDirectory: workingDirectories?.[0],
    diffs: edits.length > 0 ? (edits as FileEdit[]) : undefined,
  });
}

function subagentSummary({ summary }: ListedSession, chat: ChatSummary, resource: URI): V1.SessionSummary {
  const createdAt = timeOf(summary.createdAt, 0);
  return omitAbsent<V1.SessionSummary>({
    ...{ resource, provider: summary.provider, title: chat.title, status: statusBits(chat.status), activity: chat.activity },
    ...{ createdAt, modifiedAt: timeOf(chat.modifiedAt, createdAt) },
    workingDirectory: directoryOf(chat, summary),
  });
}
