/** A tool call as one line that can be opened. Edits, subagents and live terminals are rows below it. */
import * as l10n from '../../../base/l10n.ts';
import { memo } from 'preact/compat';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { answerName, answerText, type CallAnswer } from '../../../views/session/composer/deliveries.ts';
import { runnerOf } from '../../../views/session/toolCall/callProvider.ts';
import { decisionFacts } from '../../../views/session/trail/callDecision.ts';
import { inputRef, toolCallView, type ToolInput } from '../../../views/session/toolCall/toolCallView.ts';
import { CodeText } from '../text/CodeText.tsx';
import { CallSummary } from './CallSummary.tsx';
import { FileEditRow } from './FileEditRow.tsx';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { ProviderName, RunnerLine } from './Runner.tsx';
import { SubagentRow } from './SubagentRow.tsx';
import { TerminalView } from './terminal/TerminalView.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { ResourceRow, ToolContent } from './ToolContent.tsx';

interface ToolCallRowProps {
  turnId: string;
  call: ToolCallState;
  /** The user's answer, while the host has not confirmed it. */
  answer?: CallAnswer;
  /** Why the user's answer had no effect. */
  rejection?: RejectedMessage;
}

export const ToolCallRow = memo(function ToolCallRow({ turnId, call, answer, rejection }: ToolCallRowProps) {
  const { chat, store, away, knownCalls, decisions } = useSession();
  const view = toolCallView(call, store.times.duration(call.toolCallId), { isUnsettled: answer !== undefined, isAway: away });
  const runner = runnerOf(knownCalls, turnId, call);
  const isLent = call.contributor !== undefined;
  const onItsWay = answer && answerText(answer);
  const made = decisions.filter((one) => one.session === chat && one.turnId === turnId && one.callId === call.toolCallId);
  const decided = answer ? '' : decisionFacts(call, made).join(', ');
  const live = view.phase === 'running';
  const { input, structured, error } = view;
  const ref = inputRef(call);
  return (
    <div class={`tool-call phase-${view.phase}`} data-call={call.toolCallId}>
      <Fold
        id={`c:${call.toolCallId}`}
        summary={
          <>
            <Icon name={view.icon} />
            {runner.provider !== undefined && (
              <span class="runner-chip" title={runner.text}>
                <ProviderName name={runner.provider} />
              </span>
            )}
            <CallSummary segments={view.summary} />
            {view.facts.map((fact) => (
              <span key={fact} class="fact">
                {fact}
              </span>
            ))}
            {decided !== '' && (
              <span class="fact decided" title={decided}>
                <VisibleText text={decided} />
              </span>
            )}
          </>
        }
      >
        {() => (
          <>
            {decided !== '' && (
              <p class="hint">
                <VisibleText text={decided} />
              </p>
            )}
            {isLent && <RunnerLine runner={runner} />}
            {ref && <ResourceRow resource={ref} />}
            {input && <ToolInputText input={input} tool={call.toolName} />}
            {!input && !ref && <p class="hint">{l10n.t('No input.')}</p>}
            {view.content.map((content, index) =>
              content.type === 'terminal' && live ? null : <ToolContent key={index} content={content} />,
            )}
            {structured !== undefined && <CodeText text={structured} label={l10n.t('Result')} language="json" />}
            {error !== undefined && <p class="error-text">{error}</p>}
          </>
        )}
      </Fold>
      {decided !== '' && (
        <p class="decided call-reason hint">
          <VisibleText text={decided} />
        </p>
      )}
      {view.reason !== undefined && <p class="call-reason hint">{view.reason}</p>}
      {onItsWay !== undefined && (
        <p class="row hint" role="status">
          {onItsWay}
        </p>
      )}
      {rejection && <RejectionNote rejection={rejection} what={answerName(rejection.action)} />}
      {view.content.map((content, index) => {
        if (content.type === 'fileEdit') return <FileEditRow key={index} edit={content} />;
        if (content.type === 'subagent') return <SubagentRow key={index} content={content} live={live} />;
        if (content.type === 'terminal' && live) return <TerminalView key={index} resource={content.resource} title={content.title} />;
        return null;
      })}
    </div>
  );
});

/** The whole input of a tool, with a command or URL shown separately. */
export function ToolInputText({ input, tool }: { input: ToolInput; tool: string }) {
  return (
    <>
      {input.command !== undefined && <CodeText text={input.command} label={l10n.t('Command')} visible searched language={shellOf(tool)} />}
      {input.url !== undefined && <CodeText text={input.url} label="URL" visible searched />}
      {input.rest !== undefined && (
        <CodeText text={input.rest} label={input.restName ?? l10n.t('Input')} visible {...(isJson(input) && { language: 'json' })} />
      )}
    </>
  );
}

/** Only colours depend on it. */
function shellOf(tool: string): string {
  return /powershell|pwsh/i.test(tool) ? 'powershell' : 'bash';
}

/** What has no name of its own is the fields of an input, or what is no JSON at all. */
function isJson({ rest = '', restName }: ToolInput): boolean {
  return restName === undefined && rest.startsWith('{');
}
