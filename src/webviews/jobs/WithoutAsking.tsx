/** What the tasks of a job do without asking, by the entry: one line that unfolds. */
import { shownText } from '../../views/portal/shownText.ts';
import { counted } from '../../views/text/counted.ts';

interface WithoutAskingProps {
  tasks: Readonly<Record<string, string>> | undefined;
  /** Unfolded until the user folds it: nothing is started before it was said. */
  isOpen?: boolean;
}

export function WithoutAsking({ tasks = {}, isOpen = false }: WithoutAskingProps) {
  const all = Object.entries(tasks);
  if (all.length === 0) return null;
  return (
    <details class="unasked" open={isOpen}>
      <summary>
        {counted(all.length, 'task')} {all.length === 1 ? 'acts' : 'act'} without asking:{' '}
        {all.map(([task]) => shownText(task, 80)).join(', ')}
      </summary>
      {all.map(([task, what]) => (
        <p key={task}>
          “{shownText(task)}” {shownText(what)}.
        </p>
      ))}
    </details>
  );
}
