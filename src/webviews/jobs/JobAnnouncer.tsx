/** Tells screen readers once what has changed in the job that is shown. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobStatus } from '../../views/portal/jobData.ts';
import { spokenChanges } from '../../views/portal/jobSteps.ts';

export function JobAnnouncer({ job }: { job: JobStatus }) {
  const [text, setText] = useState('');
  const known = useRef<JobStatus>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = job;
    // What was so before the job was shown is on the page.
    const changes = before ? spokenChanges(before, job) : '';
    if (changes) setText(changes);
  }, [job]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
