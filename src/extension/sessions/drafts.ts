/** Messages that were typed and not sent, by session or chat. They survive a reload of the window. */
import type * as vscode from 'vscode';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Draft } from '../../webviews/session/protocol.ts';
import { SentPrompts } from './sentPrompts.ts';
import { sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';

const STORAGE_KEY = 'tapline.drafts';

export class Drafts {
  /** Messages that were sent and are not settled. */
  readonly sent: SentPrompts;

  constructor(private readonly storage: vscode.Memento) {
    this.sent = new SentPrompts(storage);
  }

  /** By session and chat. */
  ofHost(hostId: string): Record<URI, Draft> {
    const start = sessionKey({ hostId, uri: '' });
    const own = Object.entries(this.#all()).filter(([key]) => key.startsWith(start));
    return Object.fromEntries(own.map(([key, draft]) => [key.slice(start.length), draft]));
  }

  async set(session: SessionRef, draft: Draft): Promise<void> {
    const { [sessionKey(session)]: _old, ...others } = this.#all();
    const empty = !draft.text && draft.attachments.length + (draft.items?.length ?? 0) === 0;
    await this.storage.update(STORAGE_KEY, empty ? others : { ...others, [sessionKey(session)]: draft });
  }

  #all(): Record<string, Draft> {
    return this.storage.get<Record<string, Draft>>(STORAGE_KEY, {});
  }
}
