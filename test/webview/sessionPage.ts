/** The session webview in a headless Chromium, with the test in place of the extension. */
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import { ROOT_URI, type RootState } from '../../src/ahp/v1/root.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { parseWebviewMessage } from '../../src/webviews/session/parseWebviewMessage.ts';
import type {
  Draft,
  ExtensionMessage,
  PendingAction,
  SessionGesture,
  SessionMessage,
  ShownSession,
  WebviewMessage,
} from '../../src/webviews/session/protocol.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

type Posted = WebviewMessage | SessionMessage;
type PostedType = Exclude<Posted['type'], 'inSession'>;

/** Builds the bundle and starts the browser. */
export function startHarness(): Promise<Harness<SessionPage>> {
  return startWebview('session', (page) => new SessionPage(page));
}

export class SessionPage extends WebviewPage<Posted> {
  /** Those that concern a session, each with the session that it names. */
  readonly inSession: Extract<WebviewMessage, { type: 'inSession' }>[] = [];
  private shown = '';

  protected take(message: unknown): Posted | undefined {
    const parsed = parseWebviewMessage(message);
    if (parsed?.type !== 'inSession') return parsed;
    this.inSession.push(parsed);
    return parsed.message;
  }

  async send(...messages: ExtensionMessage[]): Promise<void> {
    await this.sendAll(messages);
  }

  /** Shows a session as the extension does after the page is ready. */
  async show(
    session: SessionState,
    { root, shown, draft, pending }: { root?: RootState; shown?: Partial<ShownSession>; draft?: Draft; pending?: PendingAction[] } = {},
  ): Promise<void> {
    const uri = session.summary.resource;
    this.shown = uri;
    await this.send(
      { type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer', ...shown }, ...(draft && { draft }) },
      { type: 'connection', connection: { kind: 'connected' } },
      ...(root ? [{ type: 'snapshot' as const, uri: ROOT_URI, confirmed: root, pending: [], status: { kind: 'live' as const } }] : []),
      { type: 'snapshot', uri, confirmed: session, pending: pending ?? [], status: { kind: 'live' } },
    );
  }

  /** Confirmed actions of the shown session. */
  async actions(...actions: StateAction[]): Promise<void> {
    await this.send({ type: 'actions', uri: this.shown, actions, now: Date.now(), pending: [] });
  }

  /** The next message of a type that no earlier call has returned. */
  async next<T extends PostedType>(type: T): Promise<Posted & { type: T }> {
    return (await this.until(`a ${type} message`, (message) => message.type === type)) as Posted & { type: T };
  }

  async nextAction<T extends SessionGesture['type']>(type: T): Promise<Extract<SessionGesture, { type: T }>> {
    const message = await this.until(
      `a dispatch of ${type}`,
      (candidate) => candidate.type === 'dispatch' && candidate.action.type === type,
    );
    return (message as { action: SessionGesture }).action as Extract<SessionGesture, { type: T }>;
  }
}
