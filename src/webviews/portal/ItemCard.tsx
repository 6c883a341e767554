/** The card of one thing that waits, in one revision: exactly what is decided about, and the answers. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { InputAnswer } from '../../ahp/common/inputRequest.ts';
import { choicesOf, programAnswers, requestOf, type WaitingItem } from '../../views/portal/attentionData.ts';
import type { Field, Fields } from '../../views/session/waiting/questions.ts';
import { type ConfirmationChoice, questionTitle } from '../../views/session/waiting/waiting.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { CodeView } from '../session/text/CodeView.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { CardButtons } from '../session/waiting/CardButtons.tsx';
import { CardFrame, type CardFrameProps } from '../session/waiting/CardFrame.tsx';
import { ChoiceButtons } from '../session/waiting/ChoiceButtons.tsx';
import { DenyForm } from '../session/waiting/DenyForm.tsx';
import { type Problems, QuestionForm } from '../session/waiting/questions/QuestionForm.tsx';
import { isLink, openLink } from './portalLinks.ts';
import type { Answers } from './useAnswers.ts';

export interface ItemCardProps extends Pick<CardFrameProps, 'top' | 'whereIds' | 'focusAfter'> {
  item: WaitingItem;
  answers: Answers;
}

/** Must get the item's revision as its key. */
export function ItemCard(props: ItemCardProps) {
  const { item, top, whereIds, focusAfter, answers } = props;
  const frame = { name: item.id, top, whereIds, focusAfter };
  const foot = (
    <p class="hint sent" role="status">
      {answers.isSent(item) && 'Your answer is on its way.'}
    </p>
  );
  if (item.kind === 'call' || item.kind === 'result') return <CallCard {...{ item, answers, frame, foot }} />;
  const request = requestOf(item);
  if (request && !item.isPartial) return <QuestionCard {...{ item, answers, frame, foot, request }} />;
  return <PlainCard {...{ item, answers, frame, foot }} />;
}

interface BodyProps extends Pick<ItemCardProps, 'item' | 'answers'> {
  frame: Pick<CardFrameProps, 'name' | 'top' | 'whereIds' | 'focusAfter'>;
  foot: ComponentChildren;
}

/** A call before it runs, or its result before the model gets it. */
function CallCard({ item, answers, frame, foot }: BodyProps) {
  const { kind, what, call, result, isPartial } = item;
  const isResult = kind === 'result';
  const [denying, setDenying] = useState(false);
  const choices = isResult ? resultChoices(item) : choicesOf(item);
  const denial = choices.find(({ approve }) => !approve);
  const answer = ({ approve, optionId: option }: ConfirmationChoice, reason = '') =>
    answers.send(item, {
      decision: approve ? 'approve' : 'deny',
      ...(option !== undefined && { option }),
      ...(!approve && reason.trim() !== '' && { reason: reason.trim() }),
    });
  const title = isResult ? 'Give the result to the model?' : (call?.title ?? call?.displayName ?? what);
  return (
    <CardFrame
      {...frame}
      kind={isResult ? 'result' : 'call'}
      icon="warning"
      title={title}
      foot={(agree) =>
        denying && denial ? (
          <DenyForm withoutSuggestion onDeny={(reason) => answer(denial, reason)} onCancel={() => setDenying(false)} />
        ) : (
          <CardButtons>
            <ChoiceButtons {...{ choices, agree }} onChoice={answer} onDenyWithReason={isResult ? undefined : () => setDenying(true)} />
          </CardButtons>
        )
      }
    >
      {() => (
        <>
          {call && <CallFacts call={call} />}
          {result && <ResultText result={result} />}
          {isPartial && <Partial />}
          {foot}
        </>
      )}
    </CardFrame>
  );
}

function resultChoices({ decisions }: WaitingItem): ConfirmationChoice[] {
  const choices = [
    { label: 'Give result', approve: true, primary: true },
    { label: 'Withhold', approve: false, primary: false },
  ];
  return choices.filter(({ approve }) => decisions.includes(approve ? 'approve' : 'deny'));
}

function CallFacts({ call }: { call: NonNullable<WaitingItem['call']> }) {
  const { toolName, displayName, toolKind, clientId, message, input, files } = call;
  return (
    <>
      <p class="card-text" data-judged>
        Tool: <VisibleText text={displayName} prose />
        {displayName !== toolName && (
          <>
            {' ('}
            <VisibleText text={toolName} prose />)
          </>
        )}
        {clientId !== undefined && (
          <>
            , run by the client <VisibleText text={clientId} prose />
          </>
        )}
      </p>
      {message.trim() !== '' && message.trim() !== input?.trim() && (
        <p class="card-text" data-judged>
          The agent says: <VisibleText text={message} prose />
        </p>
      )}
      {input !== undefined && (
        <CodeView
          text={input}
          label={toolKind === 'terminal' ? 'Command' : toolKind === 'typing' ? 'What is typed' : 'Input'}
          onCopy={copy}
        />
      )}
      {files.map(({ before, after }, at) => (
        <p key={at} class="card-text" data-judged>
          It changes <Path uri={before ?? after ?? ''} />
          {before !== undefined && after !== undefined && before !== after && (
            <>
              {' → '}
              <Path uri={after} />
            </>
          )}
        </p>
      ))}
    </>
  );
}

function ResultText({ result: { success, content, structuredContent, error } }: { result: NonNullable<WaitingItem['result']> }) {
  return (
    <>
      {!success && (
        <p class="card-text" data-judged>
          The call has failed.
        </p>
      )}
      {content.map((text, at) => (
        <CodeView key={at} text={text} label={content.length > 1 ? `Result ${at + 1} of ${content.length}` : 'Result'} onCopy={copy} />
      ))}
      {structuredContent !== undefined && <CodeView text={structuredContent} label="Structured result" onCopy={copy} />}
      {error !== undefined && <CodeView text={error} label="Error" onCopy={copy} />}
    </>
  );
}

/** What was typed, by item and question, so that it is there again after the card was closed or shown anew. */
const typedBefore = new Map<string, Fields>();

function QuestionCard({ item, answers, frame, foot, request }: BodyProps & { request: NonNullable<ReturnType<typeof requestOf>> }) {
  const formId = useId();
  const key = `${item.id}\n${JSON.stringify(item.question)}`;
  const [fields, setFields] = useState<Fields>(() => typedBefore.get(key) ?? {});
  const [wrong, setWrong] = useState<Problems>();
  const change = (id: string, field: Field) => {
    const next = { ...fields, [id]: field };
    typedBefore.set(key, next);
    setFields(next);
  };
  const accept = (given: Record<string, InputAnswer>) => {
    const made = programAnswers(request, given);
    if ('problems' in made) setWrong(made.problems);
    else answers.send(item, made.answer);
  };
  return (
    <CardFrame {...frame} kind="question" icon="question" title={questionTitle(request)}>
      {(agree) => (
        <>
          <QuestionForm
            {...{ formId, request, fields, agree }}
            refused={answers.refusals.get(item.id)?.problems ?? wrong}
            opens={isLink}
            onOpen={openLink}
            onCopy={copy}
            onChange={({ id }, field) => change(id, field)}
            onAccept={accept}
            onRefuse={(decision) => answers.send(item, { decision })}
          />
          {foot}
        </>
      )}
    </CardFrame>
  );
}

/** For what cannot be allowed here, and for what has only to be noticed. */
function PlainCard({ item, answers, frame, foot }: BodyProps) {
  const { kind, what, decisions, isPartial } = item;
  return (
    <CardFrame {...frame} kind="thing" icon="warning" title={what}>
      {() => (
        <>
          {isPartial && <Partial />}
          {kind === 'signIn' && <p class="card-text">Sign in in Tapline.</p>}
          <CardButtons>
            {(['markRead', 'deny', 'decline', 'cancel'] as const)
              .filter((decision) => decisions.includes(decision))
              .map((decision) => (
                <vscode-button key={decision} secondary onClick={() => answers.send(item, { decision })}>
                  {labels[decision]}
                </vscode-button>
              ))}
          </CardButtons>
          {foot}
        </>
      )}
    </CardFrame>
  );
}

const labels = { markRead: 'Mark as read', deny: 'Deny', decline: 'Decline', cancel: 'Cancel' };

function Partial() {
  return (
    <p class="card-text" data-judged>
      Not all of it can be shown here: it is too long, or not all of it is text. Here it can only be refused. To allow it, open its session
      in Tapline, where the agent host of the portal is listed as “Portal”.
    </p>
  );
}

/** A URI, as a path where it is one. */
export function Path({ uri }: { uri: string }) {
  return (
    <bdi>
      <VisibleText text={displayPath(uri)} prose />
    </bdi>
  );
}

function copy(text: string): void {
  void navigator.clipboard.writeText(text);
}
