/**
 * The models that messages were sent with. In version 1 only a session has a model, so the store has no place for them. The session gets the
 * model when the message starts a turn. They are kept as long as the message is, in this run of the host.
 */
import type { ModelSelection, UserMessage } from '../../ahp/v1/common.ts';

const models = new WeakMap<UserMessage, ModelSelection>();

export function setMessageModel(message: UserMessage, model: ModelSelection): void {
  models.set(message, model);
}

/** Undefined: the session's. */
export function messageModel(message: UserMessage): ModelSelection | undefined {
  return models.get(message);
}
