/** What the agent has said in a turn although its evidence says otherwise. */
import * as l10n from '../../../base/l10n.ts';
import { contradictedClaims } from '../../../views/session/transcript/contradictedClaims.ts';
import type { TurnView } from '../../../views/session/transcript/transcript.ts';
import { filled } from '../../text/filled.ts';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

export function ContradictedClaims({ turn }: { turn: TurnView }) {
  const claims = contradictedClaims(turn.rows);
  if (claims.length === 0) return null;
  return (
    <ul class="contradicted" aria-label={l10n.t('Contradicted by the evidence')}>
      {claims.map(({ kind, text, line }) => (
        <li key={text} class="row">
          <Icon name="warning" />
          <span class="row-text">
            <strong>{kind === 'goal' ? l10n.t('This goal is not reached:') : l10n.t('This is not so:')}</strong>{' '}
            {filled(l10n.t('“{0}”'), <VisibleText text={text} prose />)}
            <span class="contradicted-line">
              <VisibleText text={line} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
