/** All that is known of a session except what was said in it, as JSON. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionSummary } from '../../../ahp/channels/shapes/summaries.ts';
import { isSecretField } from '../../../ahp/client/recording/wireLog.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { oneLine } from '../../text/oneLine.ts';
import { nextModel } from '../composer/composer.ts';

/** In characters. A longer one is shown without the state. */
const MAX_LENGTH = 5_000_000;

export interface DetailsInput {
  readonly uri: string;
  readonly host: { readonly id: string; readonly label: string };
  readonly session: SessionState;
  readonly summary: SessionSummary | undefined;
  readonly chats: readonly { readonly title: string; readonly chat: ChatState }[];
}

/** The branch that the session works on. Hosts do not say when the user checks out another one. */
export function branchName({ config, _meta }: Pick<SessionState, 'config' | '_meta'>): string | undefined {
  const { isolation, branch } = config?.values ?? {};
  // Of a work tree it is the branch that it was made from.
  return oneLine(_meta?.[WORKTREE_BRANCH]) || (isolation === 'worktree' ? undefined : oneLine(branch) || undefined);
}

export function sessionDetails(input: DetailsInput): string {
  const { uri, host, session, summary, chats } = input;
  const { title, provider, activeClients, serverTools, config, workingDirectories, project } = session;
  const details = {
    title,
    uri,
    host,
    agent: provider,
    created: summary?.createdAt,
    modified: summary?.modifiedAt,
    project,
    folders: workingDirectories,
    workTree: config?.values.isolation === 'worktree',
    branch: branchName(session),
    chats: chats.map(({ title: name, chat }) => {
      const { resource, turns, turnsNextCursor } = chat;
      return { title: name, uri: resource, model: nextModel(chat), turns: turns.length, hasOlderTurns: turnsNextCursor !== undefined };
    }),
    toolsOfTheHost: serverTools?.map(({ name }) => name),
    clientsThatLendTools: activeClients.map(({ clientId, displayName, tools }) => ({
      ...{ clientId, displayName },
      tools: tools.map(({ name }) => name),
    })),
    settings: config?.values,
  };
  const whole = json({ ...details, state: session });
  return whole.length <= MAX_LENGTH ? whole : json({ ...details, state: 'Too large to be shown.' }).slice(0, MAX_LENGTH);
}

function json(value: object): string {
  return JSON.stringify(value, (key, inner: unknown) => (isSecretField(key) && typeof inner !== 'boolean' ? '(removed)' : inner), 2);
}
