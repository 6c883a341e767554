/** What waits for the user, where it is. It is answered on the pages that show it. */
import type { SessionSummary } from '../../views/portal/sessionData.ts';
import { refOf, sessionOf, type WaitingItem } from '../../views/portal/attentionData.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { relativeTime } from '../../views/text/relativeTime.ts';
import { InboxAnnouncer } from '../inbox/InboxAnnouncer.tsx';
import type { Attention } from './useAttention.ts';
import { viewHref } from './portalView.ts';

const HEADING_ID = 'needs-you';
const nothing: ReadonlySet<string> = new Set();

interface NeedsYouProps {
  attention: Attention;
  now: number;
  sessions: readonly SessionSummary[];
}

export function NeedsYou({ attention: { list, problem }, now, sessions }: NeedsYouProps) {
  const items = list?.items ?? [];
  return (
    <section aria-labelledby={HEADING_ID} class="needs-you">
      <h2 id={HEADING_ID} tabIndex={-1}>
        Needs you{items.length > 0 && ` (${items.length}${list?.isComplete ? '' : '+'})`}
      </h2>
      <div role="alert">{problem !== undefined && <p class="problem">{problem} What waits may be out of date.</p>}</div>
      {items.length === 0 && <p class="hint">{list?.isComplete ? 'Nothing needs you right now.' : 'Looking for what needs you…'}</p>}
      <ul class="runs">
        {items.map((item) => (
          <li key={item.id}>
            <a class="step-head" data-row={item.id} href={placeOf(item)}>
              <span class="name">{oneLine(item.title) || 'Session without a title'}</span> <span>{oneLine(item.what)}</span>{' '}
              <span class="hint">{factsOf(item, sessionOf(item, sessions), now).join(' · ')}</span>
            </a>
          </li>
        ))}
      </ul>
      {items.length > 1 && (
        <p>
          <a href={viewHref({ kind: 'needsYou' })}>Show all of them with their cards</a>
        </p>
      )}
      <InboxAnnouncer
        items={list && items.map(({ id, title, what, kind }) => ({ id, title, what, isLoading: kind === 'unknown' || undefined }))}
        answered={nothing}
      />
    </section>
  );
}

/** Of what it is a part, and where it happens. */
function factsOf({ host, folder, since }: WaitingItem, session: SessionSummary | undefined, now: number): string[] {
  const { jobName, taskName } = session?.use ?? {};
  return [
    jobName !== undefined && `job ${oneLine(jobName)}`,
    taskName !== undefined && `task ${oneLine(taskName)}`,
    host !== undefined && `at ${oneLine(host)}`,
    folder !== undefined && oneLine(displayPath(folder)),
    relativeTime(since, now),
  ].filter((fact) => fact !== false);
}

/** The links to what waits in sessions, in their place. */
export function WaitingHere({ items }: { items: readonly WaitingItem[] }) {
  return (
    <>
      {items.map((item) => (
        <p key={item.id} class="row">
          <span>“{oneLine(item.what)}” waits for you.</span>
          <a href={placeOf(item)}>Answer it</a>
        </p>
      ))}
    </>
  );
}

/** Where it is answered: in its session, at its card. The sign-in of a host and what only has to be noticed is in the list of all. */
function placeOf(item: WaitingItem): string {
  const session = refOf(item);
  return viewHref(session && item.kind !== 'failed' ? { kind: 'session', session, title: item.title, atCard: true } : { kind: 'needsYou' });
}
