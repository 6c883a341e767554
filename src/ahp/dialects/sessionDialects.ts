/** The dialects as a page of sessions needs them: the kinds of resources that it shows. The client has all of all kinds in `dialects.ts`. */
import { chatReducer } from '../channels/chat/chatReducer.ts';
import { rootReducer } from '../channels/reducers/rootReducer.ts';
import { terminalReducer } from '../channels/reducers/terminalReducer.ts';
import { sessionReducer } from '../channels/session/sessionReducer.ts';
import { wellFormedChat } from '../wellFormed/chat.ts';
import { wellFormedRoot } from '../wellFormed/root.ts';
import { wellFormedSession } from '../wellFormed/session.ts';
import { wellFormedTerminal } from '../wellFormed/terminal.ts';
import { channelStatesOf } from './channels/channelStates.ts';
import type { DialectName, StateDialect, WellFormed } from './dialect.ts';
import { v1StatesOf } from './v1/v1States.ts';

const reducers = { root: rootReducer, session: sessionReducer, chat: chatReducer, terminal: terminalReducer };
const wellFormed: WellFormed = { root: wellFormedRoot, session: wellFormedSession, chat: wellFormedChat, terminal: wellFormedTerminal };

export const sessionDialects: Readonly<Record<DialectName, StateDialect>> = {
  v1: v1StatesOf(wellFormed),
  channels: channelStatesOf(reducers, wellFormed),
};
