import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../../../base/errors.ts';
import type { ResultAnswer, ResultBody, ResultQuestion } from '../../../../views/portal/result/resultQuestions.ts';
import { useResultPort } from './resultPort.ts';

export interface Answer<T> {
  value?: T;
  problem?: string;
}

/** What the portal answers, once. It is asked again when `key` is another one. */
export function useAnswer<Q extends ResultQuestion>(question: Q, body: ResultBody<Q>, key: string): Answer<ResultAnswer<Q>> {
  const { ask } = useResultPort();
  const [answer, setAnswer] = useState<Answer<ResultAnswer<Q>> & { key?: string }>({});
  useEffect(() => {
    const stop = new AbortController();
    ask(question, body, stop.signal).then(
      (value) => setAnswer({ key, value }),
      (error: unknown) => stop.signal.aborted || setAnswer({ key, problem: messageOf(error) }),
    );
    return () => stop.abort();
  }, [question, key]);
  return answer.key === key ? answer : {};
}
