/** Whether this window lends tools to the session: a fact of the header, or a line below it with the way out. */
import { Icon } from '../parts/Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';
import type { LendingInfo } from '../protocol.ts';

export function LendingFact({ lending }: { lending: LendingInfo | undefined }) {
  if (lending?.tone !== 'fine') return null;
  return (
    <span>
      <Icon name="tools" /> {lending.text} <LendingButton lending={lending} />
    </span>
  );
}

export function LendingBanner({ lending }: { lending: LendingInfo | undefined }) {
  if (lending?.tone !== 'problem') return null;
  return (
    <div class="banner lending" role="status">
      <Icon name="tools" />
      <span class="row-text">{lending.text}</span>
      <div class="banner-actions">
        <LendingButton lending={lending} />
      </div>
    </div>
  );
}

function LendingButton({ lending: { action } }: { lending: LendingInfo }) {
  const { post } = useSession();
  return action ? (
    <button type="button" class="link-button" data-needs="commands" onClick={() => post({ type: 'runCommand', command: action.command })}>
      {action.label}
    </button>
  ) : null;
}
