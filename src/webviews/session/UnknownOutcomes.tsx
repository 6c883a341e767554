/** Gestures (other than messages, which say it themselves) that may or may not have reached the host. */
import type { PendingAction } from './protocol.ts';
import { DeliveryNote } from './UserMessageCard.tsx';

const names: Record<string, string> = {
  'session/turnCancelled': 'Stopping the turn',
  'session/toolCallConfirmed': 'Your answer to a call',
  'session/toolCallResultConfirmed': 'Your answer about a result',
  'session/inputCompleted': 'Your answers',
  'session/titleChanged': 'The new title',
  'session/modelChanged': 'The new model',
  'session/configChanged': 'The new setting',
};
const shownElsewhere = ['session/turnStarted', 'session/pendingMessageSet'];

export function UnknownOutcomes({ pending }: { pending: readonly PendingAction[] }) {
  return (
    <>
      {pending
        .filter(({ outcome, action }) => outcome === 'unknown' && !shownElsewhere.includes(action.type))
        .map(({ clientSeq, action }) => (
          <div key={clientSeq} class="note" role="alert">
            <span>{(Object.hasOwn(names, action.type) && names[action.type]) || 'A change'}</span>
            <DeliveryNote delivery={{ kind: 'unknown', clientSeq }} />
          </div>
        ))}
    </>
  );
}
