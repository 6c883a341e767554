/** Who runs a call, as this window knows it. The host writes none of it. */
import * as l10n from '../../../base/l10n.ts';
import type { RunnerView } from '../../../views/session/toolCall/callProvider.ts';
import { filled } from '../../text/filled.ts';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

/** The whole line. In a waiting card, the user decides by it. */
export function RunnerLine({ runner: { icon, provider, text } }: { runner: RunnerView }) {
  return (
    // Another runner is another element, so that having seen the first does not count.
    <p key={`${provider} ${text}`} class="runner" data-judged>
      <Icon name={icon} />
      <span>
        {provider !== undefined && (
          <>
            {filled(l10n.t('Tool of {0}'), <ProviderName name={provider} />)}
            {' · '}
          </>
        )}
        {text}
      </span>
    </p>
  );
}

/** A name that a provider has chosen for itself. */
export function ProviderName({ name }: { name: string }) {
  return (
    <bdi class="provider-name">
      <VisibleText text={name} />
    </bdi>
  );
}
