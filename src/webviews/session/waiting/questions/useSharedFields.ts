/** What is typed into the questions of a request, which other windows see and change too, through the host. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InputAnswer, InputQuestion, InputRequest } from '../../../../ahp/common/inputRequest.ts';
import { sameJson } from '../../../../base/sameJson.ts';
import { draftOf, type Field, type Fields, initialFields } from '../../../../views/session/waiting/questionForm.ts';
import { persist, readPersisted } from '../../page/pageShell.ts';

/** After a key, before other windows see what was typed. */
const SHARE_DELAY_MS = 300;

interface SharedFieldsProps {
  request: InputRequest;
  /** Under which the page keeps what is typed. */
  form: string;
  /** What is there when nothing was typed. */
  earlier: Fields;
  /** True while the user is in the controls of the question. */
  isIn(questionId: string): boolean;
  share(questionId: string, answer: InputAnswer | undefined): void;
}

export interface SharedFields {
  fields: Fields;
  /** Questions that another window has answered otherwise while the user was in them. */
  contested: ReadonlySet<string>;
  change(question: InputQuestion, field: Field): void;
  /** Shows the answer of the other window. */
  adopt(questionId: string): void;
  /** The form was sent. */
  forget(): void;
}

export function useSharedFields({ request, form, earlier, isIn, share }: SharedFieldsProps): SharedFields {
  // What was typed in this page wins over the host's draft: it may be newer, and may not be a valid answer yet ("-").
  const [typed, setTyped] = useState<Fields>(() => (readPersisted().forms[form] as Fields | undefined) ?? earlier);
  const [contested, setContested] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  /** The answers at the host that are no news: what stood there when the user last changed the question, and what was shared then. */
  const known = useRef(new Map<string, readonly (InputAnswer | undefined)[]>());
  const latest = useRef(request);
  latest.current = request;
  useEffect(() => {
    const pending = timers.current;
    return () => pending.forEach((timer) => clearTimeout(timer));
  }, []);

  /** Of several changes in one moment each sees those before it. */
  const current = useRef(typed);
  const keep = (next: Fields) => {
    current.current = next;
    setTyped(next);
    persist('forms', form, next);
  };
  const settle = (questionId: string, answers: readonly (InputAnswer | undefined)[]) => {
    known.current.set(questionId, answers);
    setContested((now) => (now.has(questionId) ? new Set([...now].filter((id) => id !== questionId)) : now));
  };
  const adopt = (questionId: string) => {
    clearTimeout(timers.current.get(questionId));
    timers.current.delete(questionId);
    settle(questionId, [answerAt(request, questionId)]);
    const { [questionId]: _, ...others } = current.current;
    keep(others);
  };
  useLayoutEffect(() => {
    for (const { id } of request.questions ?? []) {
      const answer = answerAt(request, id);
      const before = known.current.get(id);
      const isNews = before?.some((one) => sameJson(one, answer)) === false;
      if (!before) known.current.set(id, [answer]);
      // What is not shared yet is newer, and goes to the others in a moment.
      if (!isNews || timers.current.has(id) || !Object.hasOwn(current.current, id)) continue;
      if (isIn(id)) setContested((now) => new Set(now).add(id));
      else adopt(id);
    }
  }, [request.answers]);

  return {
    fields: { ...initialFields(request), ...typed },
    contested,
    change(question, field) {
      const { id } = question;
      keep({ ...current.current, [id]: field });
      clearTimeout(timers.current.get(id));
      const later = setTimeout(() => {
        timers.current.delete(id);
        const answer = draftOf(question, field);
        settle(id, [answerAt(latest.current, id), answer]);
        share(id, answer);
      }, SHARE_DELAY_MS);
      timers.current.set(id, later);
    },
    adopt,
    forget() {
      timers.current.forEach((timer) => clearTimeout(timer));
      persist('forms', form, undefined);
    },
  };
}

/** Agents choose the ids. */
function answerAt({ answers }: InputRequest, id: string): InputAnswer | undefined {
  return answers && Object.hasOwn(answers, id) ? answers[id] : undefined;
}
