/**
 * Announces to screen readers what waits, each thing once, and that a turn finished or failed, but not the stream. A screen reader can also read
 * the text later, so the text says that something waits only as long as it waits.
 */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { failureOf } from '../../../views/session/transcript/transcript.ts';
import type { WaitingIn } from '../../../views/attention/waitingBelow.ts';
import { whoAsks } from '../../../views/pairing/originWords.ts';
import { type PendingPairing, spoken } from '../../../views/pairing/pairingView.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { plainText } from '../../../views/text/inlineText.ts';
import { visibleText } from '../../../views/text/visibleText.ts';
import { sessionKey } from '../../../views/session/sessionRef.ts';
import { resourceName } from '../../../views/hosts/signInRequest.ts';
import { type Waiting, waitingKey } from '../../../views/session/waiting/waiting.ts';
import { useSession } from '../page/sessionContext.tsx';
import { persist, readPersisted } from '../page/pageShell.ts';

interface AnnouncerProps {
  chat: ChatState;
  /** In the chat and in its subagents. */
  waiting: readonly WaitingIn[];
  pairings: readonly PendingPairing[];
}

export function Announcer({ chat, waiting, pairings }: AnnouncerProps) {
  const { hostId } = useSession();
  const [text, setText] = useState('');
  const pairing = pairings.at(-1);
  const lastRunning = useRef<{ turnId: string | undefined }>(undefined);
  /** The ids of what `text` announces. */
  const said = useRef<readonly string[]>([]);
  useEffect(() => {
    const running = chat.activeTurn?.id;
    const before = lastRunning.current;
    lastRunning.current = { turnId: running };
    const items = waiting.map((one) => ({ ...one, id: idOf(hostId, one) }));
    // Remembered by the page, which may show another session meanwhile, or be loaded again.
    const fresh = items.filter(({ id }) => !readPersisted().announced[id]);
    for (const { id } of fresh) persist('announced', id, true);
    const isOver = said.current.length > 0 && !items.some(({ id }) => said.current.includes(id));
    const [first, ...others] = fresh;
    if (first) {
      said.current = fresh.map(({ id }) => id);
      return setText(announcement(titleOf(first.waiting), others.length));
    }
    if (isOver) {
      said.current = [];
      setText('');
    }
    if (!before || before.turnId === undefined || running === before.turnId) return undefined;
    const ended = chat.turns.find((turn) => turn.id === before.turnId);
    if (ended?.state === 'complete') setText(l10n.t('Finished'));
    else if (ended?.state === 'error')
      setText(l10n.t`Failed: ${failureOf(ended)?.error.message ?? l10n.t('the turn ended with an error')}`);
    else if (ended?.state === 'cancelled') setText(l10n.t('Stopped'));
    return undefined;
  }, [chat, waiting, hostId]);
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {text}
      </div>
      {/* Apart, because a screen reader reads all of a region when a part of it changes. */}
      <div class="visually-hidden" role="status" id="pairing-status">
        {pairing && l10n.t`Pairing code ${spoken(pairing.code)} for ${whoAsks(pairing.origin)}`}
      </div>
    </>
  );
}

function announcement(title: string, others: number): string {
  if (others === 0) return l10n.t`Needs you: ${title}`;
  return l10n.plural(
    others,
    l10n.t`Needs you: ${title}, and ${l10n.countText(others)} other thing`,
    l10n.t`Needs you: ${title}, and ${l10n.countText(others)} other things`,
  );
}

function idOf(hostId: string, { uri, waiting }: WaitingIn): string {
  return `${sessionKey({ hostId, uri })}\n${waiting.kind} ${waitingKey(waiting)}`;
}

function titleOfCall(item: Exclude<Waiting, { kind: 'question' }>): string {
  if (item.kind === 'signIn') return l10n.t`sign in to ${resourceName(item.call.auth.resource)}`;
  return plainText(item.kind === 'call' ? (item.call.confirmationTitle ?? item.call.displayName) : item.call.displayName);
}

function titleOf(item: Waiting): string {
  const title =
    item.kind === 'question' ? (item.request.message ?? item.request.questions?.[0]?.message ?? l10n.t('a question')) : titleOfCall(item);
  return oneLine(
    visibleText(title)
      .map((segment) => segment.text)
      .join(''),
  );
}
