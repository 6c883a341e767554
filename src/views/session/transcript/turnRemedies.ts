/** What a user can do after the last turn of a session failed. */
import * as l10n from '../../../base/l10n.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { ErrorInfo } from '../../../ahp/common/shapes.ts';
import { agentOf, modelProblem, modelSources, type ModelSource } from '../../hosts/agentModels.ts';
import { isReadOnly, nextModel, saveProblem } from '../composer/composer.ts';
import type { OpenChat } from '../openChat.ts';
import { failureOf } from './transcript.ts';

export type Remedy =
  /** Starts a turn with this message. */
  | { kind: 'send'; label: string; message: Message }
  /** Goes on with the turn itself. */
  | { kind: 'resume'; turnId: string }
  | { kind: 'giveModels'; source: ModelSource }
  | { kind: 'chooseModel' };

/** Errors of turns that were interrupted from outside. `EngineDied` comes from the Copilot agent of our host. */
const INTERRUPTIONS = new Set(['hostRestarted', 'EngineDied']);
// eslint-disable-next-line texts/translated -- for the model
const GO_ON = 'Continue where you were interrupted.';

export function isInterruption(error: ErrorInfo | undefined): boolean {
  return error !== undefined && INTERRUPTIONS.has(error.errorType);
}

/** Best first. Empty while a turn is running, when the last one did not fail, or when nothing can be sent. */
export function turnRemedies({ session, chat }: OpenChat, root: RootState | undefined): Remedy[] {
  const last = chat.turns.at(-1);
  const failure = last && failureOf(last);
  if (!last || chat.activeTurn || (last.state !== 'error' && !failure)) return [];
  if (isReadOnly(chat) || saveProblem(session) !== undefined) return [];
  const model = nextModel(chat);
  const { model: _, ...words } = last.message;
  const retry: Remedy = { kind: 'send', label: l10n.t('Retry'), message: { ...words, origin: { kind: 'user' }, ...(model && { model }) } };
  const agent = agentOf(session, root);
  const problem = modelProblem(session, model?.id, root);
  if (problem?.kind === 'gone') return [{ kind: 'chooseModel' }];
  if (agent && (problem?.kind === 'none' || failure?.error.errorType === 'authRequired')) {
    return [...modelSources(agent).map((source): Remedy => ({ kind: 'giveModels', source })), retry];
  }
  if (failure?.resumable) return [{ kind: 'resume', turnId: last.id }, retry];
  if (isInterruption(failure?.error) && last.responseParts.length > 1) {
    const message: Message = { text: GO_ON, origin: { kind: 'user' }, ...(model && { model }) };
    return [{ kind: 'send', label: l10n.t('Continue'), message }, retry];
  }
  return [retry];
}
