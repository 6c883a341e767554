/** All that is known of a session except what was said in it, as JSON. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionConfigState } from '../../../ahp/channels/shapes/config.ts';
import type { SessionSummary } from '../../../ahp/channels/shapes/summaries.ts';
import { isSecretField } from '../../../ahp/client/recording/wireLogWriter.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { isSensitive } from '../../configForm/configFields.ts';
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
  const { uri, host, summary, chats } = input;
  const session = withoutSensitive(input.session);
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
  // eslint-disable-next-line texts/translated -- JSON
  return whole.length <= MAX_LENGTH ? whole : json({ ...details, state: 'Too large to be shown.' }).slice(0, MAX_LENGTH);
}

const REMOVED = '(removed)';

function json(value: object): string {
  return JSON.stringify(value, (key, inner: unknown) => (isSecretField(key) && typeof inner !== 'boolean' ? REMOVED : inner), 2);
}

/** Without the values that their schema says nobody may read. */
function withoutSensitive(session: SessionState): SessionState {
  const { config } = session;
  if (!config) return session;
  const { schema, values } = config;
  return { ...session, config: { schema: withoutDefaults(schema), values: valueOf(schema, values) } as SessionConfigState };
}

/** What stands at `property` of a schema, and what is in it. */
function valueOf(property: unknown, value: unknown): unknown {
  if (!isRecord(property)) return value;
  if (isSensitive(property)) return REMOVED;
  if (Array.isArray(value)) return value.map((item) => valueOf(property.items, item));
  if (!isRecord(value)) return value;
  const known = isRecord(property.properties) ? property.properties : {};
  return mapped(value, (inner, name) => valueOf(Object.hasOwn(known, name) ? known[name] : property.additionalProperties, inner));
}

/** The default of a secret is one too. */
function withoutDefaults(property: unknown): unknown {
  if (!isRecord(property)) return property;
  const { properties, items } = property;
  return {
    ...property,
    ...('default' in property && { default: valueOf(property, property.default) }),
    ...(isRecord(properties) && { properties: mapped(properties, withoutDefaults) }),
    ...(isRecord(items) && { items: withoutDefaults(items) }),
  };
}

function mapped(record: Record<string, unknown>, to: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));
}
