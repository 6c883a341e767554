/** What is watched for a session, oldest first, so that no row moves under the pointer: each emitter with its state, what came of its lines, and what can be done to it. */
import * as l10n from '../../../base/l10n.ts';
import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { AskEmitters, EmitterStatus } from '../../../views/emitters/emitterRequest.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { EmitterRow } from './EmitterRow.tsx';
import { Streams } from './Streams.tsx';
import { useEmitters } from './useEmitters.ts';

interface EmitterPanelProps {
  ask: AskEmitters;
  /** What is to be watched is asked by the shell. */
  onWatch(): void;
}

export function EmitterPanel({ ask, onWatch }: EmitterPanelProps) {
  const { all, problem, refresh } = useEmitters(ask);
  const [said, setSaid] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const doing = useRef(false);
  const act = async (what: () => Promise<unknown>, done: string): Promise<void> => {
    // A second press of the key is about the same.
    if (doing.current) return;
    doing.current = true;
    try {
      await what();
      setFailed(undefined);
      setSaid(done);
    } catch (error) {
      setFailed(messageOf(error));
    } finally {
      doing.current = false;
      refresh();
    }
  };
  const troubles = [failed, problem].filter((text) => text !== undefined);
  return (
    <div class="emitters">
      <div role="alert">
        {troubles.map((text) => (
          <p key={text} class="emitter-problem">
            <VisibleText text={text} prose />
          </p>
        ))}
      </div>
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {!all && problem === undefined && <p class="emitter-hint">{l10n.t('Asking the gateway…')}</p>}
      {all?.length === 0 && <p class="emitter-hint">{l10n.t('Nothing is watched for this session yet.')}</p>}
      {all && all.length > 0 && (
        <ul class="emitter-list" aria-label={l10n.t('What is watched')}>
          {all.map((status) => (
            <EmitterRow key={status.name} {...{ status, ask, act }} />
          ))}
        </ul>
      )}
      <div class="emitter-buttons">
        <button type="button" class="emitter-button" data-needs="commands" onClick={onWatch}>
          {l10n.t('Watch Something…')}
        </button>
        <Streams ask={ask} />
      </div>
    </div>
  );
}

/** Of others, who alone can change them. */
export function SeenEmitters({ emitters }: { emitters: readonly EmitterStatus[] }) {
  return (
    <ul class="emitter-list" aria-label={l10n.t('What is watched')}>
      {emitters.map((status) => (
        <EmitterRow key={status.name} status={status} />
      ))}
    </ul>
  );
}
