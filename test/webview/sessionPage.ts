/** The session webview in a headless Chromium, with the test in place of the extension. */
import type { ActionLike } from '../../src/ahp/common/reducers/reducer.ts';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import { v1Dialect } from '../../src/ahp/dialects/v1/v1Dialect.ts';
import { kindOfResource } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { ROOT_URI, type RootState } from '../../src/ahp/v1/root.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { parseWebviewMessage } from '../../src/webviews/session/parseWebviewMessage.ts';
import type {
  ActionsMessage,
  Draft,
  ExtensionMessage,
  PageAbility,
  PendingAction,
  RejectedMessage,
  SessionGesture,
  SessionMessage,
  ShownSession,
  SnapshotMessage,
  WebviewMessage,
} from '../../src/webviews/session/protocol.ts';
import type { DisplayLanguage } from '../../src/base/l10n.ts';
import type { ThemeName } from './themes.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

type Posted = WebviewMessage | SessionMessage;
type PostedType = Exclude<Posted['type'], 'inSession'>;

/** What the user did, or an action of AHP v1. */
type Done = SessionGesture | StateAction;
export type Unsettled = Omit<PendingAction, 'action'> & { action: Done };
/** Messages of a host of AHP v1, of which what follows from the URI may be left out. */
type Sent =
  | Exclude<ExtensionMessage, { type: 'snapshot' | 'actions' | 'rejected' }>
  | SnapshotMessage
  | (Omit<SnapshotMessage, 'kind' | 'pending'> & { pending: readonly Unsettled[] })
  | (Omit<ActionsMessage, 'actions' | 'pending'> & { actions: readonly Done[]; pending?: readonly Unsettled[] })
  | (Omit<RejectedMessage, 'uri'> & { uri?: string });

function isGesture(action: ActionLike): action is SessionGesture {
  return action.type.startsWith('chat/') || (action.type.startsWith('session/') && !('session' in action));
}

/** As a host of AHP v1 has it. Chats with URIs of their own are those of other hosts. */
function inV1(uri: string, action: Done): ActionLike {
  if (uri.startsWith('ahp-chat:')) return action;
  return (isGesture(action) && v1Dialect.actionsFor(uri, action, undefined)?.at(-1)) || action;
}

function completed(sent: Sent): ExtensionMessage {
  const settled = (uri: string, pending: readonly Unsettled[]) =>
    pending.map((one) => ({ ...one, action: inV1(uri, one.action), ...(isGesture(one.action) && { asked: one.action }) }));
  switch (sent.type) {
    case 'snapshot':
      if ('kind' in sent) return sent;
      return { ...sent, kind: kindOfResource(sent.uri), dialect: 'v1', pending: settled(sent.uri, sent.pending) };
    case 'actions': {
      const { uri, actions, pending, ...rest } = sent;
      const done = actions.map((action) => inV1(uri, action));
      return { ...rest, uri, actions: done, ...(pending && { pending: settled(uri, pending) }) };
    }
    case 'rejected':
      return { ...sent, uri: sent.uri ?? sent.session.uri };
    default:
      return sent;
  }
}

/** Builds the bundle and starts the browser. */
export function startHarness(): Promise<Harness<SessionPage>> {
  return startWebview('session', (page) => new SessionPage(page));
}

export class SessionPage extends WebviewPage<Posted> {
  /** Those that concern a session, each with the session that it names. */
  readonly inSession: Extract<WebviewMessage, { type: 'inSession' }>[] = [];
  #shown = '';

  protected take(message: unknown): Posted | undefined {
    const parsed = parseWebviewMessage(message);
    if (parsed?.type !== 'inSession') return parsed;
    this.inSession.push(parsed);
    return parsed.message;
  }

  override async load(folder: string, name: string, theme: ThemeName, language?: DisplayLanguage): Promise<void> {
    await super.load(folder, name, theme, language);
    await this.untilWhole();
  }

  /** Until what the first picture does without is there. */
  protected async untilWhole(): Promise<void> {
    await this.page.evaluate(`customElements.whenDefined('vscode-button').then(() => undefined)`);
    await this.settle();
  }

  async send(...messages: Sent[]): Promise<void> {
    await this.sendAll(messages.map(completed));
  }

  /** Shows a session as the extension does after the page is ready. */
  async show(
    session: SessionState,
    {
      root,
      shown,
      draft,
      pending,
      lacks,
    }: { root?: RootState; shown?: Partial<ShownSession>; draft?: Draft; pending?: Unsettled[]; lacks?: PageAbility[] } = {},
  ): Promise<void> {
    const uri = session.summary.resource;
    this.#shown = uri;
    await this.send(
      {
        type: 'show',
        session: { hostId: 'embedded', uri, hostLabel: 'This computer', ...shown },
        ...(draft && { drafts: { [uri]: draft } }),
        ...(lacks && { lacks }),
      },
      { type: 'connection', connection: { kind: 'connected' } },
      ...(root ? [{ type: 'snapshot' as const, uri: ROOT_URI, confirmed: root, pending: [], status: { kind: 'live' as const } }] : []),
      { type: 'snapshot', uri, confirmed: session, pending: pending ?? [], status: { kind: 'live' } },
    );
  }

  /** Confirmed actions of the shown session. */
  async actions(...actions: Done[]): Promise<void> {
    await this.send({ type: 'actions', uri: this.#shown, actions, now: Date.now(), pending: [] });
  }

  /** The next message of a type that no earlier call has returned. */
  async next<T extends PostedType>(type: T): Promise<Posted & { type: T }> {
    return (await this.until(`a ${type} message`, (message) => message.type === type)) as Posted & { type: T };
  }

  /** The next thing that the user did in the session or a chat, and where. */
  async nextDispatch<T extends SessionGesture['type']>(type: T): Promise<{ uri: string; action: Extract<SessionGesture, { type: T }> }> {
    const message = await this.until(
      `a dispatch of ${type}`,
      (candidate) => candidate.type === 'dispatch' && candidate.action.type === type,
    );
    return message as unknown as { uri: string; action: Extract<SessionGesture, { type: T }> };
  }

  async nextAction<T extends SessionGesture['type']>(type: T): Promise<Extract<SessionGesture, { type: T }>> {
    return (await this.nextDispatch(type)).action;
  }
}
