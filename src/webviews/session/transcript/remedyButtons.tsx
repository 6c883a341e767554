/** Buttons that provide the models that an agent needs, if this window can do that. */
import * as l10n from '../../../base/l10n.ts';
import type { ModelSource } from '../../../views/hosts/agentModels.ts';
import { useSession } from '../page/sessionContext.tsx';

const sources = {
  gitHub: { label: l10n.t('Sign in to GitHub'), command: 'signInToGitHub' },
  ownModels: { label: l10n.t('Add a model…'), command: 'addModel' },
} as const;

export function GiveModelsButton({ source }: { source: ModelSource }) {
  const { readOnly, ownHost, post } = useSession();
  // Keys of the user's models are sent to the embedded host only.
  if (readOnly || (source === 'ownModels' && !ownHost)) return null;
  const { label, command } = sources[source];
  return (
    <button type="button" class="link-button" data-needs="commands" onClick={() => post({ type: 'runCommand', command })}>
      {label}
    </button>
  );
}

export function ChooseModelButton() {
  const { readOnly } = useSession();
  if (readOnly) return null;
  return (
    <button type="button" class="link-button" onClick={openModelPicker}>
      {l10n.t('Choose another model')}
    </button>
  );
}

function openModelPicker(): void {
  const picker = document.querySelector<HTMLSelectElement>('[data-picker=model]');
  picker?.focus();
  picker?.showPicker();
}
