/* eslint-disable texts/translated -- for the gateway */
/** What the gateway is told of a session, and what it may change there. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { Settlement } from '../../../ahp/client/resources/subscription.ts';
import type { SessionAnswers } from '../../../tap/wire/owner/ownerQuestions.ts';
import { agreedMode, modeChange } from '../../../views/session/facts/modeChange.ts';
import { seenCommands } from '../../../views/session/facts/seenCommands.ts';
import { sessionFacts } from '../../../views/session/facts/sessionFacts.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import { oneLine } from '../../../views/text/oneLine.ts';

export interface AnsweringSession {
  readonly clientId: string;
  /** As the host has confirmed it. */
  session(): SessionState | undefined;
  /** Its default chat. */
  chat(): ChatState | undefined;
  configure(config: Record<string, unknown>): Promise<Settlement>;
}

export function sessionAnswers({ clientId, session, chat, configure }: AnsweringSession): SessionAnswers {
  const known = () => {
    const state = session();
    if (!state) throw new Error('the session is not known yet');
    return state;
  };
  return {
    'session/commands': ({ command }) => {
      const state = chat();
      if (!state) throw new Error('the session is not known yet');
      return { runs: seenCommands(state, command) };
    },
    'session/facts': () => {
      const state = known();
      // In English, because the model reads it. The question about a mode is for the user.
      return sessionFacts(state, oneLine(state.title) || 'New session', chat(), clientId);
    },
    'session/modeChange': ({ mode }) => {
      const state = known();
      return modeChange(state, sessionTitle(state), mode);
    },
    'session/setMode': async ({ mode, setting, from }) => {
      const state = known();
      const change = agreedMode(state, sessionTitle(state), { mode, setting, from });
      if (typeof change === 'string') return { done: false, why: change };
      const settlement = await configure(change);
      return settlement.kind === 'confirmed' ? { done: true } : { done: false, why: settlement.reason.slice(0, 2_000) };
    },
  };
}
