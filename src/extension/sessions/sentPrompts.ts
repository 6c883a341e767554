/** Prompts that the host has not settled, by session. They are stored so that a reload of the window does not lose them. */
import type * as vscode from 'vscode';
import { sameJson } from '../../base/sameJson.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { PendingAction } from '../../ahp/client/resources/pending.ts';
import type { SessionPendingMessageSetAction, SessionTurnStartedAction } from '../../ahp/v1/clientActions.ts';
import { sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';

const STORAGE_KEY = 'tapline.sentPrompts';

type Prompt = SessionTurnStartedAction | SessionPendingMessageSetAction;

export class SentPrompts {
  constructor(private readonly storage: vscode.Memento) {}

  /** Restores to a new client the prompts that an earlier client of this window did not see settled, except those in `pending`. */
  restore(session: SessionRef, client: Pick<AgentHostClient, 'restorePending'>, pending: readonly PendingAction[]): void {
    const known = new Set(promptsOf(pending).map(idOf));
    for (const prompt of this.#all()[sessionKey(session)] ?? []) {
      if (!known.has(idOf(prompt))) client.restorePending(session.uri, prompt);
    }
  }

  /** Stores the prompts among the pending actions, and removes all others. */
  async store(session: SessionRef, pending: readonly PendingAction[]): Promise<void> {
    const { [sessionKey(session)]: before = [], ...others } = this.#all();
    const prompts = promptsOf(pending);
    if (sameJson(before.map(idOf), prompts.map(idOf))) return;
    await this.storage.update(STORAGE_KEY, prompts.length === 0 ? others : { ...others, [sessionKey(session)]: prompts });
  }

  #all(): Record<string, Prompt[]> {
    return this.storage.get<Record<string, Prompt[]>>(STORAGE_KEY, {});
  }
}

function promptsOf(pending: readonly PendingAction[]): Prompt[] {
  return pending.flatMap(({ action }) =>
    action.type === 'session/turnStarted' || action.type === 'session/pendingMessageSet' ? [action] : [],
  );
}

function idOf(prompt: Prompt): string {
  return prompt.type === 'session/turnStarted' ? prompt.turnId : prompt.id;
}
