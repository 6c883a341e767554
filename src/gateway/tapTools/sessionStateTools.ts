/** Tools with which a model sees its session as its user does, and asks for another mode. */
import * as z from 'zod';
import { CannotAnswer } from '../sessions/session.ts';
import { NotAllowed, type TapCall, type TapTool, tapTool } from './tapTool.ts';

const getState = tapTool(
  {
    name: 'tap_get_session_state',
    description:
      'See this session as its user does: its settings with their values and choices (mode, approvals), the model, what the agent does, messages that wait, the clients that lend tools, the task list, work in the background, and emitters. Changes nothing.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  z.strictObject({}),
  async (_, { gateway, session }) => {
    const emitters = gateway.emitters.list(session).map(({ name, state, ownership, runs }) => ({ name, state, ownership, runs }));
    const own = { label: session.label, ...(session.cwd !== undefined && { folder: session.cwd }), idle: session.inbox.isIdle, emitters };
    try {
      return { ...own, ...(await session.owner.ask('session/facts', { sessionId: session.id })) };
    } catch (error) {
      if (error instanceof CannotAnswer) return { ...own, more: 'who has this session tells no more of it' };
      throw error;
    }
  },
);

const setMode = tapTool(
  {
    name: 'tap_set_session_mode',
    description:
      'Ask the user to let this session go on in another mode, such as "plan" or "interactive". tap_get_session_state has the values in choices of the settings mode, approvals or autoApprove. The user is asked each time, and warned where you would do everything without asking; on a no nothing changes, and you do not ask again. Example: {"mode": "plan", "confirm": true}',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  z.strictObject({
    mode: z.string().min(1).max(100).describe('The value of the setting, as tap_get_session_state has it in choices'),
    confirm: z.literal(true).describe('That you mean it. The user is asked all the same'),
  }),
  async ({ mode }, call) => {
    try {
      return await change(call, mode);
    } catch (error) {
      throw error instanceof CannotAnswer ? new NotAllowed('who has this session cannot change its mode') : error;
    }
  },
);

async function change({ session, ask }: TapCall, mode: string): Promise<string> {
  const { owner, id: sessionId } = session;
  const wish = await owner.ask('session/modeChange', { sessionId, mode });
  if (wish.is === 'refused') throw new Error(wish.why);
  if (wish.is === 'same') return `the mode is ${JSON.stringify(mode)} already`;
  if (!(await ask(wish.question)))
    throw new NotAllowed('the user was not asked or has said no, so nothing has changed. Do not try it again');
  if (session.ending) throw new Error('the session has ended while the user was asked');
  const { done, why } = await owner.ask('session/setMode', { sessionId, mode, setting: wish.setting, from: wish.from });
  if (!done) throw new Error(`the mode has not changed: ${why ?? 'nobody says why'}`);
  return `the setting ${wish.setting} is ${JSON.stringify(mode)} now`;
}

export const sessionTools: readonly TapTool[] = [getState, setMode];
