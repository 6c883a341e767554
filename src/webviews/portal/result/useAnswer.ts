import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { Shape } from '../../../views/portal/portalCalls.ts';
import { ask } from '../portalApi.ts';

export interface Answer<T> {
  value?: T;
  problem?: string;
}

/** What the portal answers, once. It is asked again when what is asked for has changed. */
export function useAnswer<T>(path: string, body: object, shape: Shape<T>, key: string): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { key?: string }>({});
  useEffect(() => {
    const stop = new AbortController();
    ask(path, body, shape, stop.signal).then(
      (value) => setAnswer({ key, value }),
      (error: unknown) => stop.signal.aborted || setAnswer({ key, problem: messageOf(error) }),
    );
    return () => stop.abort();
  }, [path, key]);
  return answer.key === key ? answer : {};
}
