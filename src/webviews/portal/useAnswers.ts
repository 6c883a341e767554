import { useRef, useState } from 'preact/hooks';
import type { ProgramAnswer } from '../../views/attention/answerAction.ts';
import { type AttentionOutcome, outcomeText, type WaitingItem } from '../../views/portal/attentionData.ts';
import { sendAnswer } from './portalApi.ts';

/** An answer that was not given, or may not have been. */
export interface Refusal {
  /** Of the item. */
  title: string;
  text: string;
  /** By the ids of questions. */
  problems?: ReadonlyMap<string, string>;
}

export interface Answers {
  /** By the ids of the items. */
  refusals: ReadonlyMap<string, Refusal>;
  /** Ids of the items that were answered on this page. */
  answered: ReadonlySet<string>;
  /** The answer is on its way, or was taken, so another one is not sent. */
  isSent(item: WaitingItem): boolean;
  /** Sends it once, about exactly what is shown. Nothing is sent again by itself. */
  send(item: WaitingItem, answer: ProgramAnswer): void;
  dismiss(id: string): void;
}

/** The answers that were given on this page. `onRefused`: the page may not know what waits. */
export function useAnswers(onRefused: () => void): Answers {
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map());
  const [, draw] = useState({});
  const sent = useRef(new Set<string>());
  const answered = useRef(new Set<string>());
  const dismiss = (id: string) => setRefusals((before) => new Map([...before].filter(([one]) => one !== id)));
  const refuse = ({ id, title }: WaitingItem, outcome: AttentionOutcome) => {
    const problems = outcome.problems && { problems: new Map(Object.entries(outcome.problems)) };
    setRefusals((before) => new Map(before).set(id, { title, text: outcomeText(outcome), ...problems }));
  };
  return {
    refusals,
    answered: answered.current,
    isSent: (item) => sent.current.has(keyOf(item)),
    send(item, answer) {
      const key = keyOf(item);
      if (sent.current.has(key)) return;
      sent.current.add(key);
      answered.current.add(item.id);
      dismiss(item.id);
      draw({});
      void sendAnswer(item.id, item.revision, answer).then((outcome) => {
        if (outcome.error === undefined) return;
        sent.current.delete(key);
        answered.current.delete(item.id);
        refuse(item, outcome);
        onRefused();
      });
    },
    dismiss,
  };
}

function keyOf({ id, revision }: WaitingItem): string {
  return `${id} ${revision}`;
}
