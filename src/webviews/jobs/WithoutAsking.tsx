/** What the tasks of a job do without asking, by the entry. */
import { shownText } from '../../views/portal/shownText.ts';

export function WithoutAsking({ tasks = {} }: { tasks: Readonly<Record<string, string>> | undefined }) {
  return (
    <>
      {Object.entries(tasks).map(([task, what]) => (
        <p key={task} class="unasked">
          “{shownText(task)}” {shownText(what)}.
        </p>
      ))}
    </>
  );
}
