/** What sent a message that the user did not write. */
import type { MessageView } from '../../../views/session/transcript/messageView.ts';
import { ProviderName } from '../toolCall/Runner.tsx';

export function SenderName({ sentBy }: { sentBy: NonNullable<MessageView['sentBy']> }) {
  if ('what' in sentBy) return <>{sentBy.what}</>;
  return (
    <>
      the provider <ProviderName name={sentBy.provider} />
      {sentBy.stream !== undefined && ` (stream ${sentBy.stream})`}
    </>
  );
}
