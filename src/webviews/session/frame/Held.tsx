/** What the user did while the host is away, where it has no place of its own that could say so. */
import { heldElsewhere } from '../../../views/session/deliveries.ts';
import { Icon } from '../parts/Icon.tsx';
import type { PendingAction } from '../protocol.ts';

export function Held({ pending }: { pending: readonly PendingAction[] }) {
  const held = heldElsewhere(pending);
  if (held.length === 0) return null;
  return (
    <div class="note" role="status">
      <Icon name="debug-disconnect" />
      <span class="row-text">Will be sent when the host is back: {held.join(', ')}.</span>
    </div>
  );
}
