/** What the user did while the host is away and that is not shown anywhere else. */
import * as l10n from '../../../base/l10n.ts';
import { heldElsewhere } from '../../../views/session/composer/deliveries.ts';
import { Icon } from '../parts/Icon.tsx';
import type { PendingAction } from '../protocol.ts';

export function PendingActions({ pending }: { pending: readonly PendingAction[] }) {
  const held = heldElsewhere(pending);
  if (held.length === 0) return null;
  return (
    <div class="note" role="status">
      <Icon name="debug-disconnect" />
      <span class="row-text">{l10n.t`Will be sent when the host is back: ${held.join(', ')}.`}</span>
    </div>
  );
}
