/** What happens in a job, a task or a session, as it happens. */
import { useEffect, useState } from 'preact/hooks';
import { type LiveLine, liveLine } from '../../views/portal/liveLine.ts';
import { call, follow, type Json } from './portalApi.ts';

/** Of each group. */
const MAX_LINES = 500;

/** The events of one queue. Events of different queues have no order, so each is shown by itself. */
interface Group {
  title: string;
  lines: readonly LiveLine[];
}

/** `path`: such as `job/ID`. What it starts is followed too. */
export function LiveLog({ path }: { path: string }) {
  const [groups, setGroups] = useState<ReadonlyMap<string, Group>>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    setGroups(new Map());
    const add = (key: string, title: string, line: LiveLine) =>
      setGroups((before) => new Map(before).set(key, { title, lines: [...(before.get(key)?.lines ?? []), line].slice(-MAX_LINES) }));
    const failed = (error: unknown) => {
      if (!stop.signal.aborted)
        add('', 'Not followed any more', { kind: 'bad', text: error instanceof Error ? error.message : String(error) });
    };
    void followAll(path, add, failed, stop.signal).catch(failed);
    return () => stop.abort();
  }, [path]);
  return (
    <div class="log" role="log" aria-label="Events" tabIndex={0}>
      {groups.size === 0 && <p class="hint">Nothing has happened yet, or it happened before the portal was started again.</p>}
      {[...groups].map(([key, { title, lines }]) => (
        <section key={key}>
          <h3>{title}</h3>
          <ol>
            {lines.map(({ kind, text }, at) => (
              <li key={at} class={kind}>
                {text}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

async function followAll(
  path: string,
  add: (key: string, title: string, line: LiveLine) => void,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { token } = await call('token', undefined, signal);
  const one = (what: string, title: string): Promise<void> =>
    follow(
      what,
      String(token),
      (response: Json) => {
        const line = liveLine(response);
        if (line) add(what, title, line);
        const { callback, taskId, workId, sessionId } = response;
        if (callback === 'workStarted') one(`task/${String(taskId)}`, `Task of step ${String(workId)}`).catch(failed);
        if (callback === 'taskSessionStarted') one(`session/${String(sessionId)}`, title.replace(/^Task/, 'Session')).catch(failed);
      },
      signal,
    );
  const titles: Record<string, string> = { job: 'Job', task: 'Task', session: 'Session' };
  await one(path, titles[path.split('/', 1)[0] ?? ''] ?? '');
}
