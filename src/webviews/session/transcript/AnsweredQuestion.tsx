/** A question that was answered, where it was asked. */
import type { InputRequest } from '../../../ahp/common/inputRequest.ts';
import { answersText } from '../../../views/session/waiting/answered.ts';
import { questionTitle } from '../../../views/session/waiting/waiting.ts';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

export function AnsweredQuestion({ request, response }: { request: InputRequest; response: string }) {
  const answers = answersText(request, response);
  return (
    <div class="row answered-question">
      <Icon name="question" />
      <span class="row-text">
        <VisibleText text={questionTitle(request)} prose /> <span class="fact">{answers.outcome}</span>
        {answers.lines.map((line) => (
          <span key={line} class="choice-description">
            <VisibleText text={line} prose />
          </span>
        ))}
      </span>
    </div>
  );
}
