/** In the place of a part that is still loading, or could not be loaded. A card that holds it is cut, and cannot be agreed to. */
import * as l10n from '../../base/l10n.ts';
import type { LatePart } from './latePart.ts';

interface LateNoteProps {
  part: LatePart<unknown>;
  /** What is said meanwhile. */
  loading?: string;
  /** Are asked for again together with it. */
  others?: readonly LatePart<unknown>[];
}

export function LateNote({ part, loading, others = [] }: LateNoteProps) {
  if (part.problem === undefined)
    return (
      <p class="hint" data-cut>
        {loading}
      </p>
    );
  return (
    <p class="hint" role="alert" data-cut>
      {l10n.t`${part.name} could not be loaded: ${part.problem}`}{' '}
      <button type="button" class="link-button" onClick={() => [part, ...others].forEach((one) => one.retry())}>
        {l10n.t('Retry')}
      </button>
    </p>
  );
}
