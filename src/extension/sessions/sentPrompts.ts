/** Prompts that the host has not settled, by chat. They are stored so that a reload of the window does not lose them. */
import type * as vscode from 'vscode';
import { sameJson } from '../../base/sameJson.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import { type Gesture, isMessage } from '../../views/session/sessionGesture.ts';
import { sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';

const STORAGE_KEY = 'tapline.sentPrompts';

type Prompt = Gesture<'chat/turnStarted' | 'chat/pendingMessageSet'>;
type Performed = { readonly action: ActionLike };

export class SentPrompts {
  constructor(private readonly storage: vscode.Memento) {}

  /** Restores to a new client the prompts that an earlier client of this window did not see settled, except those that are pending. */
  restore(chat: SessionRef, model: Pick<ChatModel, 'pending' | 'restore'>): void {
    const known = new Set(promptsOf(model.pending).map(idOf));
    for (const prompt of this.#all()[sessionKey(chat)] ?? []) {
      if (isMessage(prompt) && !known.has(idOf(prompt))) model.restore(prompt);
    }
  }

  /** Stores the prompts among the pending actions, and removes all others. */
  async store(session: SessionRef, pending: readonly Performed[]): Promise<void> {
    const { [sessionKey(session)]: before = [], ...others } = this.#all();
    const prompts = promptsOf(pending);
    if (sameJson(before, prompts)) return;
    await this.storage.update(STORAGE_KEY, prompts.length === 0 ? others : { ...others, [sessionKey(session)]: prompts });
  }

  #all(): Record<string, Prompt[]> {
    return this.storage.get<Record<string, Prompt[]>>(STORAGE_KEY, {});
  }
}

function promptsOf(pending: readonly Performed[]): Prompt[] {
  return pending.flatMap(({ action }) => (isMessage(action) ? [action] : []));
}

function idOf(prompt: Prompt): string {
  return prompt.type === 'chat/turnStarted' ? prompt.turnId : prompt.id;
}
