/** The page of the inbox in a headless Chromium, with the test in place of the extension. */
import type { SessionGesture, SessionMessage } from '../../src/webviews/session/protocol.ts';
import {
  type InboxExtensionMessage,
  type InboxItem,
  type InboxMessage,
  type ItemsMessage,
  parseInboxMessage,
} from '../../src/webviews/inbox/protocol.ts';
import type { ToolCallPendingConfirmationState, ToolCallPendingResultConfirmationState } from '../../src/ahp/channels/shapes/toolCall.ts';
import type { InputRequest } from '../../src/ahp/common/inputRequest.ts';
import { waitingCall } from './sessions.ts';
import { startWebview, WebviewPage } from './webviewPage.ts';

type InSession = Extract<InboxMessage, { type: 'inSession' }>;

export const startInbox = () => startWebview('inbox', (page) => new InboxPage(page));

export class InboxPage extends WebviewPage<InboxMessage> {
  protected take(message: unknown): InboxMessage | undefined {
    return parseInboxMessage(message);
  }

  async send(...messages: InboxExtensionMessage[]): Promise<void> {
    await this.sendAll(messages);
  }
  async show(items: readonly InboxItem[], changes: Partial<ItemsMessage> = {}): Promise<void> {
    await this.send({ type: 'items', items, hosts: { isLoading: false, away: [] }, severalHosts: true, onScreen: false, ...changes });
  }

  /** What was done in any session, as `host action thing`, without drafts of answers. */
  get answers(): string[] {
    return this.posted.flatMap((message) => {
      if (message.type !== 'inSession' || message.message.type !== 'dispatch') return [];
      const { action } = message.message;
      return action.type === 'chat/inputAnswerChanged' ? [] : [`${message.session.hostId} ${brief(action)}`];
    });
  }
  async answer(): Promise<InSession & { message: Extract<SessionMessage, { type: 'dispatch' }> }> {
    return (await this.until(
      'an answer',
      (message) =>
        message.type === 'inSession' && message.message.type === 'dispatch' && message.message.action.type !== 'chat/inputAnswerChanged',
    )) as never;
  }
  card(hostId: string) {
    return this.page.locator(`[data-item^="${hostId}"] section`);
  }
  get order(): Promise<(string | null)[]> {
    return this.page.locator('[data-item]').evaluateAll((all) => all.map((one) => one.getAttribute('data-item')));
  }
  /** The item that has the focus. */
  get focused(): Promise<string | null | undefined> {
    return this.page.evaluate(() => document.activeElement?.closest('[data-item]')?.getAttribute('data-item'));
  }
}

function brief(action: SessionGesture): string {
  switch (action.type) {
    case 'chat/toolCallConfirmed':
      return `${action.approved ? 'approve' : 'deny'} ${action.toolCallId}`;
    case 'chat/toolCallResultConfirmed':
      return `${action.approved ? 'share' : 'withhold'} ${action.toolCallId}`;
    case 'chat/inputCompleted':
      return `${action.response} ${action.requestId}`;
    default:
      return action.type;
  }
}

const item = (hostId: string, kind: InboxItem['kind'], thing: string, changes: Partial<InboxItem>): InboxItem => ({
  id: `${hostId} ${kind} ${thing}`,
  hostId,
  hostLabel: hostId === 'embedded' ? 'This computer' : hostId,
  kind,
  uri: 'demo:/1',
  chat: 'demo:/1',
  title: 'Fix the login redirect',
  what: 'Approve or deny: Run',
  since: Date.now() - 200_000,
  folder: 'file:///home/ada/web-app',
  ...changes,
});
export const callItem = (
  hostId: string,
  toolCallId = 'c',
  call: Partial<ToolCallPendingConfirmationState> = {},
  changes: Partial<InboxItem> = {},
) =>
  item(hostId, 'call', toolCallId, {
    waiting: { kind: 'call', turnId: 't', call: { ...waitingCall(toolCallId), ...call } as ToolCallPendingConfirmationState },
    ...changes,
  });
export const resultItem = (hostId: string, toolCallId: string, call: Partial<ToolCallPendingResultConfirmationState> = {}) =>
  item(hostId, 'result', toolCallId, {
    waiting: {
      kind: 'result',
      turnId: 't',
      call: {
        ...waitingCall(toolCallId),
        status: 'pending-result-confirmation',
        confirmed: 'setting',
        success: true,
        pastTenseMessage: 'Read the clipboard',
        content: [{ type: 'text', text: 'a secret' }],
        ...call,
      },
    },
  });
export const questionItem = (hostId: string, request: InputRequest) =>
  item(hostId, 'question', request.id, { what: 'Answer: How many people?', waiting: { kind: 'question', request } });
export const plainItem = (
  hostId: string,
  kind: 'failed' | 'signIn' | 'unknown' | 'review',
  what: string,
  changes: Partial<InboxItem> = {},
) => item(hostId, kind, '', { what, ...changes });
