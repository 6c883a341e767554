/**
 * Tells screen readers what changed for the user: that something needs them, that a turn finished or failed. Never the stream. The text
 * stays where a screen reader finds it later, so it says what waits only as long as that waits.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { oneLine } from '../../../views/oneLine.ts';
import { plainText } from '../../../views/session/inlineText.ts';
import { visibleText } from '../../../views/session/visibleText.ts';
import { waitingOf, type Waiting } from '../../../views/session/waiting.ts';

export function Announcer({ session }: { session: SessionState }) {
  const [text, setText] = useState('');
  const known = useRef<{ waiting: Set<string>; running: string | undefined }>(undefined);
  /** What `text` says that it needs the user. */
  const said = useRef<string>(undefined);
  useEffect(() => {
    const waiting = waitingOf(session);
    const running = session.activeTurn?.id;
    const before = known.current;
    known.current = { waiting: new Set(waiting.map(idOf)), running };
    if (!before) return;
    const say = (now: string, about?: string) => {
      setText(now);
      said.current = about;
    };
    const fresh = waiting.find((item) => !before.waiting.has(idOf(item)));
    const isOver = said.current !== undefined && !known.current.waiting.has(said.current);
    const next = fresh ?? (isOver ? waiting[0] : undefined);
    if (next) say(`Needs you: ${titleOf(next)}`, idOf(next));
    else if (isOver) say('');
    if (!next && before.running !== undefined && running !== before.running) {
      const ended = session.turns.find((turn) => turn.id === before.running);
      if (ended?.state === 'complete') say('Finished');
      else if (ended?.state === 'error') say(`Failed: ${ended.error?.message ?? 'the turn ended with an error'}`);
      else if (ended?.state === 'cancelled') say('Stopped');
    }
  }, [session]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}

const idOf = (item: Waiting) => (item.kind === 'question' ? `question ${item.request.id}` : `${item.kind} ${item.call.toolCallId}`);

function titleOf(item: Waiting): string {
  const title =
    item.kind === 'question'
      ? (item.request.message ?? item.request.questions?.[0]?.message ?? 'a question')
      : plainText(item.kind === 'call' ? (item.call.confirmationTitle ?? item.call.displayName) : item.call.displayName);
  return oneLine(
    visibleText(title)
      .map((segment) => segment.text)
      .join(''),
  );
}
