/** A tool call: one line that says what it does or did and opens to all of it; edits, subagents and live terminals stand below it. */
import { memo } from 'preact/compat';
import type { ToolCallState } from '../../../ahp/v1/toolCall.ts';
import { answerName, answerText, type CallAnswer } from '../../../views/session/deliveries.ts';
import { toolCallView, type ToolInput } from '../../../views/session/toolCallView.ts';
import { CodeText } from '../parts/CodeText.tsx';
import { FileEditRow } from './FileEditRow.tsx';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { InlineText } from '../parts/InlineText.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { SubagentRow } from './SubagentRow.tsx';
import { TerminalView } from './TerminalView.tsx';
import { ToolContent } from './ToolContent.tsx';

interface ToolCallRowProps {
  call: ToolCallState;
  /** Of the user, on its way to the host. */
  answer?: CallAnswer;
  /** Why the user's answer did not come to anything. */
  rejection?: RejectedMessage;
}

export const ToolCallRow = memo(function ToolCallRow({ call, answer, rejection }: ToolCallRowProps) {
  const { store, away } = useSession();
  const view = toolCallView(call, store.times.duration(call.toolCallId), { isUnsettled: answer !== undefined, isAway: away });
  const onItsWay = answer && answerText(answer);
  const live = view.phase === 'running';
  const { input, structured, error } = view;
  return (
    <div class={`tool-call phase-${view.phase}`}>
      <Fold
        id={`c:${call.toolCallId}`}
        summary={
          <>
            <Icon name={view.icon} />
            <span class="row-text">
              <InlineText segments={view.summary} />
            </span>
            {view.facts.map((fact) => (
              <span key={fact} class="fact">
                {fact}
              </span>
            ))}
          </>
        }
      >
        {() => (
          <>
            {input ? <ToolInputText input={input} /> : <p class="hint">No input.</p>}
            {view.content.map((content, index) =>
              content.type === 'terminal' && live ? null : <ToolContent key={index} content={content} />,
            )}
            {structured !== undefined && <CodeText text={structured} label="Result" />}
            {error !== undefined && <p class="error-text">{error}</p>}
          </>
        )}
      </Fold>
      {onItsWay !== undefined && (
        <p class="row hint" role="status">
          {onItsWay}
        </p>
      )}
      {rejection && <RejectionNote rejection={rejection} what={`Your ${answerName(rejection.action)}`} />}
      {view.content.map((content, index) => {
        if (content.type === 'fileEdit') return <FileEditRow key={index} edit={content} />;
        if (content.type === 'subagent') return <SubagentRow key={index} content={content} live={live} />;
        if (content.type === 'terminal' && live) return <TerminalView key={index} resource={content.resource} title={content.title} />;
        return null;
      })}
    </div>
  );
});

/** All of a tool's input, a command or URL set apart. */
export function ToolInputText({ input }: { input: ToolInput }) {
  return (
    <>
      {input.command !== undefined && <CodeText text={input.command} label="Command" visible />}
      {input.url !== undefined && <CodeText text={input.url} label="URL" visible />}
      {input.rest !== undefined && <CodeText text={input.rest} label={input.restName ?? 'Input'} visible />}
    </>
  );
}
