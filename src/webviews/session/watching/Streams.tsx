/** What has been kept of all that is watched, and of what providers have told. */
import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { AskEmitters, StreamView } from '../../../views/emitters/emitterRequest.ts';
import { counted } from '../../../views/text/counted.ts';
import { VisibleText } from '../text/VisibleText.tsx';

const ASK_EVERY_MS = 2_000;

export function Streams({ ask }: { ask: AskEmitters }) {
  const [isOpen, setOpen] = useState(false);
  const [streams, setStreams] = useState<readonly StreamView[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isOpen) return undefined;
    let isOver = false;
    let timer = 0;
    const look = async () => {
      try {
        const answer = document.visibilityState === 'visible' ? await ask({ deed: 'streams' }) : undefined;
        if (isOver) return;
        if (answer) setStreams(answer);
        setProblem(undefined);
      } catch (error) {
        if (isOver) return;
        setProblem(messageOf(error));
      }
      timer = window.setTimeout(() => void look(), ASK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOpen, ask]);
  const filled = streams?.filter(({ events }) => events.length > 0);
  return (
    <>
      <button type="button" class="emitter-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {l10n.t('Streams')}
      </button>
      {isOpen && (
        <div class="streams">
          <div role="alert">
            {problem !== undefined && (
              <p class="emitter-problem">
                <VisibleText text={problem} prose />
              </p>
            )}
          </div>
          {!filled && problem === undefined && <p class="emitter-hint">{l10n.t('Asking the gateway…')}</p>}
          {filled?.length === 0 && <p class="emitter-hint">{l10n.t('No stream has an event yet.')}</p>}
          {filled?.map(({ provider, name, events }) => (
            <details key={JSON.stringify([provider, name])} class="stream">
              <summary>
                <strong>
                  <VisibleText text={name} prose />
                </strong>{' '}
                <span class="emitter-facts">
                  of <VisibleText text={provider} prose /> · the newest {counted(events.length, 'event')}
                </span>
              </summary>
              <ol class="stream-events" aria-label={l10n.t`Events of ${name}, newest first`} tabIndex={0}>
                {events.map(({ at, level, text }, index) => (
                  <li key={index} class={`filter-line outcome-${level}`}>
                    <time class="emitter-facts" dateTime={at}>
                      {timeText(at)}
                    </time>
                    <span class="filter-text">
                      <VisibleText text={text} />
                    </span>
                  </li>
                ))}
              </ol>
            </details>
          ))}
        </div>
      )}
    </>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function timeText(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? '' : clock.format(time);
}
