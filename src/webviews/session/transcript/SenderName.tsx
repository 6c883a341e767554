/** What sent a message that the user did not write. */
import * as l10n from '../../../base/l10n.ts';
import type { MessageView } from '../../../views/session/transcript/messageView.ts';
import { filled } from '../../text/filled.ts';
import { ProviderName } from '../toolCall/Runner.tsx';

export function SenderName({ sentBy }: { sentBy: NonNullable<MessageView['sentBy']> }) {
  if ('what' in sentBy) return <>{sentBy.what}</>;
  const provider = <ProviderName name={sentBy.provider} />;
  return (
    <>
      {sentBy.stream === undefined
        ? filled(l10n.t('the provider {0}'), provider)
        : filled(l10n.t('the provider {0} (stream {1})'), provider, sentBy.stream)}
    </>
  );
}
