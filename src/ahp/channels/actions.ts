/** All actions of AHP 1.0 (0.9.0, and what 1.0.0 adds), who may dispatch them, and their envelope. */
import type { ActionsOf, UnknownTag } from '../common/schemas.ts';
import { type AnnotationsAction, annotationsClientActions } from './annotations.ts';
import { type AutomationRunAction, automationRunClientActions, type AutomationsAction, automationsClientActions } from './automations.ts';
import type { CanvasAction } from './canvas.ts';
import { type ChangesetAction, changesetClientActions } from './changeset.ts';
import { type ChatAction, chatClientActions } from './chat/actions.ts';
import type { ResourceWatchAction } from './resourceWatch.ts';
import { type RootAction, rootClientActions } from './root.ts';
import { type SessionAction, sessionClientActions } from './session/actions.ts';
import type { URI } from './shapes/basic.ts';
import { type TerminalAction, terminalClientActions } from './terminal.ts';

export type KnownAction =
  | RootAction
  | SessionAction
  | ChatAction
  | TerminalAction
  | ChangesetAction
  | AnnotationsAction
  | ResourceWatchAction
  | AutomationsAction
  | AutomationRunAction
  | CanvasAction;
export type ActionType = KnownAction['type'];
/** An action that is not known changes no state. */
export type StateAction = KnownAction | ActionsOf<Record<UnknownTag, object>>;

/** What clients may dispatch, by type. Actions of all other types come from the host only. */
export const clientActions = {
  ...rootClientActions,
  ...sessionClientActions,
  ...chatClientActions,
  ...terminalClientActions,
  ...changesetClientActions,
  ...annotationsClientActions,
  ...automationsClientActions,
  ...automationRunClientActions,
};
export type ClientActionType = keyof typeof clientActions;

/** True for the types that a client may dispatch, false for any other value. */
export function isClientDispatchable(type: unknown): type is ClientActionType {
  return typeof type === 'string' && Object.hasOwn(clientActions, type);
}

/** Who dispatched an action. Absent for actions of the host. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

/** The `params` of an `action` notification. */
export interface ActionEnvelope {
  /** The resource that the action belongs to. */
  channel: URI;
  action: StateAction;
  /** Grows over the whole host. Gaps are normal. */
  serverSeq: number;
  origin?: ActionOrigin;
  /** Set when the host refused the action of `origin`, which then changes no state. */
  rejectionReason?: string;
}
