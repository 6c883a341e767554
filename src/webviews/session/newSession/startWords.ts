/** The words of a session that is not there yet, kept like the drafts of sessions: those that are typed, and those that a session is started with. */
import { emptyDraft, withDraft } from '../drafts/chatDrafts.ts';
import { persist, readPersisted } from '../page/pageShell.ts';

// eslint-disable-next-line texts/translated -- a key
const TYPED = 'new session';
const STARTING = 'starting';

export function typedWords(): string {
  return readPersisted().drafts[TYPED]?.text ?? '';
}

export function saveTypedWords(text: string): void {
  persist('drafts', TYPED, text === '' ? undefined : { text, attachments: [] });
}

export function isSessionStarting(): boolean {
  return readPersisted().drafts[STARTING] !== undefined;
}

/** The session is asked for. What is typed from now on is for the next one. */
export function beginStart(text: string): void {
  persist('drafts', STARTING, { text, attachments: [] });
  saveTypedWords('');
}

/** A session takes its words with it. Without one they come back, before what was typed since. */
export function endStart(hasSession: boolean): void {
  const words = readPersisted().drafts[STARTING];
  if (!words) return;
  if (!hasSession) saveTypedWords(withDraft({ ...emptyDraft, text: typedWords() }, words).text);
  persist('drafts', STARTING, undefined);
}
