/** What has been kept of all that is watched, and of what providers have told. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { AskEmitters, StreamView } from '../../../views/emitters/emitterRequest.ts';
import { secondText } from '../../../views/text/time/clockText.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { filled } from '../../text/filled.ts';

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
  const withEvents = streams?.filter(({ events }) => events.length > 0);
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
          {!withEvents && problem === undefined && <p class="emitter-hint">{l10n.t('Asking the gateway…')}</p>}
          {withEvents?.length === 0 && <p class="emitter-hint">{l10n.t('No stream has an event yet.')}</p>}
          {withEvents?.map(({ provider, name, events }) => (
            <details key={JSON.stringify([provider, name])} class="stream">
              <summary>
                <strong>
                  <VisibleText text={name} prose />
                </strong>{' '}
                <span class="emitter-facts">
                  {filled(
                    l10n.plural(events.length, l10n.t('of {0} · the newest {1} event'), l10n.t('of {0} · the newest {1} events')),
                    <VisibleText text={provider} prose />,
                    l10n.countText(events.length),
                  )}
                </span>
              </summary>
              <ol class="stream-events" aria-label={l10n.t`Events of ${name}, newest first`} tabIndex={0}>
                {events.map(({ at, level, text }, index) => (
                  <li key={index} class={`filter-line outcome-${level}`}>
                    <time class="emitter-facts" dateTime={at}>
                      {secondText(Date.parse(at))}
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
