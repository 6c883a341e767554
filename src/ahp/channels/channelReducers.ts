/** The kinds of channels, their states and their reducers. The kind is known from the subscription; a URI does not tell it. */
import { type AnnotationsState, annotationsReducer } from './annotations.ts';
import { automationRunReducer, type AutomationRunState, automationsReducer, type AutomationsState } from './automations.ts';
import { canvasReducer, type CanvasState } from './canvas.ts';
import { changesetReducer, type ChangesetState } from './changeset.ts';
import { chatReducer } from './chat/chatReducer.ts';
import type { ChatState } from './chat/state.ts';
import { resourceWatchReducer, type ResourceWatchState } from './resourceWatch.ts';
import { rootReducer } from './reducers/rootReducer.ts';
import { terminalReducer } from './reducers/terminalReducer.ts';
import type { RootState } from './root.ts';
import { sessionReducer } from './session/sessionReducer.ts';
import type { SessionState } from './session/state.ts';
import type { TerminalState } from './terminal.ts';

/** Each `(state, action, now) => state`; `now` is in ms since the epoch. The same reference comes back when nothing changed. */
export const channelReducers = {
  root: rootReducer,
  session: sessionReducer,
  chat: chatReducer,
  terminal: terminalReducer,
  changeset: changesetReducer,
  annotations: annotationsReducer,
  resourceWatch: resourceWatchReducer,
  automations: automationsReducer,
  automationRun: automationRunReducer,
  canvas: canvasReducer,
};

export interface ChannelStates {
  root: RootState;
  session: SessionState;
  chat: ChatState;
  terminal: TerminalState;
  changeset: ChangesetState;
  annotations: AnnotationsState;
  resourceWatch: ResourceWatchState;
  automations: AutomationsState;
  automationRun: AutomationRunState;
  canvas: CanvasState;
}
export type ChannelKind = keyof ChannelStates;
export type ChannelState = ChannelStates[ChannelKind];

/** A field that only states of this kind have. Those that come first count: a session names its annotations, too. */
const marks: readonly (readonly [ChannelKind, string])[] = [
  ['terminal', 'content'],
  ['root', 'agents'],
  ['session', 'lifecycle'],
  ['chat', 'turns'],
  ['changeset', 'files'],
  ['annotations', 'annotations'],
  ['resourceWatch', 'recursive'],
  ['automations', 'entries'],
  ['automationRun', 'sessions'],
  ['canvas', 'canvasId'],
];

/** For a recorded state. A client knows the kind from its subscription. */
export function kindOfState(state: object): ChannelKind | undefined {
  return marks.find(([, mark]) => mark in state)?.[0];
}
