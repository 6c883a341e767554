/** The card of a call that has stopped until the user signs in to what it needs. The question before anything is sent comes from VS Code. */
import * as l10n from '../../../base/l10n.ts';
import type { ToolCallAuthRequiredState } from '../../../ahp/channels/shapes/toolCall.ts';
import { resourceName, signInReason } from '../../../views/hosts/signInRequest.ts';
import { runnerOf } from '../../../views/session/toolCall/callProvider.ts';
import { toolCallLabel } from '../../../views/session/toolCall/toolCallView.ts';
import { cardName } from '../../../views/session/waiting/waiting.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { filled } from '../../text/filled.ts';
import { useSession } from '../page/sessionContext.tsx';
import { InlineText } from '../text/InlineText.tsx';
import { CardButtons } from './CardButtons.tsx';
import { WaitingCard } from './WaitingCard.tsx';

export function SignInCard({ turnId, call }: { turnId: string; call: ToolCallAuthRequiredState }) {
  const { chat, readOnly, post, knownCalls } = useSession();
  const { auth, toolCallId } = call;
  return (
    <WaitingCard
      kind="signIn"
      name={cardName({ kind: 'signIn', turnId, call })}
      icon="key"
      title={l10n.t`Sign in to ${resourceName(auth.resource)}?`}
      runner={runnerOf(knownCalls, turnId, call)}
      foot={() =>
        !readOnly && (
          <CardButtons>
            <vscode-button onClick={() => post({ type: 'signIn', uri: chat, turnId, toolCallId })}>{l10n.t('Sign in…')}</vscode-button>
          </CardButtons>
        )
      }
    >
      {() => (
        <>
          <p class="card-text">
            {signInReason(auth)} {filled(l10n.t('This call waits for it: {0}'), <InlineText segments={toolCallLabel(call)} />)}
          </p>
          {auth.description !== undefined && <p class="card-text">{oneLine(auth.description)}</p>}
          <p class="hint">{oneLine(auth.resource.resource)}</p>
          {!readOnly && <p class="hint">{l10n.t('Without it the call does not go on. Stop the turn to end it.')}</p>}
        </>
      )}
    </WaitingCard>
  );
}
