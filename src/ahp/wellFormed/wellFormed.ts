/**
 * Makes a host's state fit its types before anybody reads it. A host may send anything and the reducers keep it, but readers rely on the types.
 * What fits stays the same object. What does not is left out, replaced by an empty value, or made a part of unknown kind, which is shown
 * as it came. The dialects do it to all that they upgrade, so that no reader can forget it. Reducers go on with the state as it came.
 */
import type { ChannelKind, ChannelStates } from '../channels/channelReducers.ts';
import { wellFormedAnnotations } from './annotations.ts';
import { wellFormedAutomationRun, wellFormedAutomations } from './automations.ts';
import { wellFormedCanvas } from './canvas.ts';
import { wellFormedChangeset } from './changeset.ts';
import { wellFormedChat } from './chat.ts';
import { wellFormedResourceWatch } from './resourceWatch.ts';
import { wellFormedRoot } from './root.ts';
import { wellFormedSession } from './session.ts';
import { wellFormedTerminal } from './terminal.ts';

/** Of each kind the same object for the same state. What did not change between two states costs nothing. */
export const wellFormed: { readonly [K in ChannelKind]: (state: ChannelStates[K]) => ChannelStates[K] } = {
  root: wellFormedRoot,
  session: wellFormedSession,
  chat: wellFormedChat,
  terminal: wellFormedTerminal,
  changeset: wellFormedChangeset,
  annotations: wellFormedAnnotations,
  resourceWatch: wellFormedResourceWatch,
  automations: wellFormedAutomations,
  automationRun: wellFormedAutomationRun,
  canvas: wellFormedCanvas,
};
