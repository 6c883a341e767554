/** Prompts that were sent and are not settled, by session: a reload of the window must not lose them, as it does not lose drafts. */
import type * as vscode from 'vscode';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { PendingAction } from '../../ahp/client/resources/subscription.ts';
import type { SessionPendingMessageSetAction, SessionTurnStartedAction } from '../../ahp/v1/session.ts';
import { sessionKey, type SessionRef } from './sessionRef.ts';

const STORAGE_KEY = 'tapline.sentPrompts';

type Prompt = SessionTurnStartedAction | SessionPendingMessageSetAction;

export class SentPrompts {
  constructor(private readonly storage: vscode.Memento) {}

  /** Gives a client what an earlier one of this window did not see settled. What it knows already is left out. */
  restore(session: SessionRef, client: Pick<AgentHostClient, 'restorePending'>, pending: readonly PendingAction[]): void {
    const known = new Set(promptsOf(pending).map(idOf));
    for (const prompt of this.#all()[sessionKey(session)] ?? []) {
      if (!known.has(idOf(prompt))) client.restorePending(session.uri, prompt);
    }
  }

  /** Keeps the prompts among what is pending now, and no others. */
  async note(session: SessionRef, pending: readonly PendingAction[]): Promise<void> {
    const { [sessionKey(session)]: before = [], ...others } = this.#all();
    const prompts = promptsOf(pending);
    if (JSON.stringify(before.map(idOf)) === JSON.stringify(prompts.map(idOf))) return;
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
