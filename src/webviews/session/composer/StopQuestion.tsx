/** Stops a turn, after a question if work would be lost. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { type ComposerState, stopTurn } from '../../../views/session/composer/composer.ts';
import { useSession } from '../page/sessionContext.tsx';

/** How long a second Escape confirms. */
const CONFIRM_MS = 3000;

export interface Stop {
  asking: boolean;
  /** Stops or asks. While the question is shown, it stops. */
  ask(): void;
  /** The question has the focus, so it stays until it is answered. */
  hold(): void;
  confirm(): void;
  dismiss(): void;
}

export function useStop(chat: ChatState | undefined, state: ComposerState): Stop {
  const { dispatch, chat: uri } = useSession();
  const [asking, setAsking] = useState(false);
  const [held, setHeld] = useState(false);
  const turnId = chat?.activeTurn?.id;
  useLayoutEffect(() => {
    if (!asking) setHeld(false);
    if (!asking || held) return undefined;
    const timer = setTimeout(() => setAsking(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [asking, held]);
  // The turn has ended by itself.
  useEffect(() => setAsking(false), [turnId]);
  const confirm = () => {
    setAsking(false);
    const stop = chat && stopTurn(chat, Date.now());
    if (stop) dispatch(uri, stop);
  };
  const ask = () => {
    if (!state.canStop) return;
    if (asking || !state.stopLosesWork) confirm();
    else setAsking(true);
  };
  return { asking, ask, hold: () => setHeld(true), confirm, dismiss: () => setAsking(false) };
}

export function StopQuestion({ stop }: { stop: Stop }) {
  if (!stop.asking) return null;
  return (
    <div class="note" role="alert" onFocusIn={stop.hold} onPointerEnter={stop.hold}>
      <span class="row-text">{l10n.t('Stop this turn? Work in progress is lost. Press Escape again to stop.')}</span>
      <vscode-button onClick={stop.confirm}>{l10n.t('Stop')}</vscode-button>
      <vscode-button secondary onClick={stop.dismiss}>
        {l10n.t('Keep going')}
      </vscode-button>
    </div>
  );
}
