/** What the tasks of a job do without asking, by the entry: one line that unfolds. */
import * as l10n from '../../base/l10n.ts';
import { unaskedText } from '../../views/portal/records/unaskedText.ts';
import { shownText } from '../../views/portal/shownText.ts';

interface WithoutAskingProps {
  tasks: Readonly<Record<string, string>> | undefined;
  /** Unfolded until the user folds it: nothing is started before it was said. */
  isOpen?: boolean;
}

export function WithoutAsking({ tasks = {}, isOpen = false }: WithoutAskingProps) {
  const all = Object.entries(tasks);
  if (all.length === 0) return null;
  const names = all.map(([task]) => shownText(task, 80)).join(', ');
  return (
    <details class="unasked" open={isOpen}>
      <summary>
        {l10n.plural(
          all.length,
          l10n.t`${l10n.countText(all.length)} task acts without asking: ${names}`,
          l10n.t`${l10n.countText(all.length)} tasks act without asking: ${names}`,
        )}
      </summary>
      {all.map(([task, what]) => (
        <p key={task}>{sentence(shownText(task), what)}</p>
      ))}
    </details>
  );
}

function sentence(task: string, what: string): string {
  const deeds = unaskedText(what);
  return deeds === undefined ? l10n.t`“${task}”: ${shownText(what)}` : l10n.t`“${task}” ${deeds}, without asking.`;
}
