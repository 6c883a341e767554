/** A session of a host of today in the page of the current test. */
import type { ChatState, ResponsePart } from '../../src/ahp/channels/chat/state.ts';
import type { RootState } from '../../src/ahp/channels/root.ts';
import type { SessionState } from '../../src/ahp/channels/session/state.ts';
import type { ToolCallState } from '../../src/ahp/channels/shapes/toolCall.ts';
import { ROOT_URI } from '../../src/ahp/common/root.ts';
import { chatState, sessionState } from '../fakes/models.ts';
import { view } from './currentPage.ts';

export const SESSION = 'copilotcli:/1';
export const MAIN = 'ahp-chat://main/1';
export const SIDE = 'ahp-chat://side/1';
export const HELPER = 'ahp-chat://helper/1';

export const words = (content: string): ResponsePart => ({ kind: 'markdown', id: `m ${content}`, content });
export const asks = (fields: object = {}): ToolCallState =>
  ({
    ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run command', invocationMessage: 'Run it', toolInput: 'rm -rf build' },
    ...{ status: 'pending-confirmation', ...fields },
  }) as ToolCallState;
export const call = (toolCall: ToolCallState): ResponsePart => ({ kind: 'toolCall', toolCall });
export const chat = (resource: string, fields: Partial<ChatState> = {}): ChatState => chatState({ resource, ...fields });
export const summary = (resource: string, title: string, fields: object = {}) => ({
  ...{ resource, title, status: 1, modifiedAt: '2026-11-23T09:00:00Z' },
  ...fields,
});
export const session = (fields: Partial<SessionState> = {}): SessionState =>
  sessionState({ title: 'Two chats', defaultChat: MAIN, chats: [summary(MAIN, 'Main'), summary(SIDE, 'Aside')], ...fields });
export const root = (multipleChats?: object): RootState => ({
  agents: [
    {
      provider: 'copilot',
      displayName: 'Copilot',
      description: '',
      models: [],
      ...(multipleChats && { capabilities: { multipleChats } }),
    },
  ],
});
export const tell = (kind: 'session' | 'chat' | 'root', uri: string, confirmed: object) =>
  view.send({ type: 'snapshot', uri, kind, dialect: 'channels', confirmed, pending: [], status: { kind: 'live' } });
export async function show(state: SessionState, agents: RootState = root()): Promise<void> {
  await view.send(
    { type: 'show', session: { hostId: 'today', uri: SESSION, hostLabel: 'today' } },
    { type: 'connection', connection: { kind: 'connected' } },
  );
  await tell('root', ROOT_URI, agents);
  await tell('session', SESSION, state);
}
export const card = () => view.page.locator('.waiting-card');
export const tab = (name: string) => view.page.getByRole('tab', { name });
