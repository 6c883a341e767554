/** A session, live. */
import { messageOf } from '../../base/errors.ts';
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../../views/portal/errorText.ts';
import { emptyTranscript, type TranscriptPart, withOwnPrompt, withResponse } from '../../views/portal/transcript.ts';
import { MarkdownView } from '../session/text/MarkdownView.tsx';
import { follow } from './portalApi.ts';
import { isLink, openLink } from './portalLinks.ts';

interface TranscriptProps {
  sessionId: string;
  /** What the user has said on this page last; another object each time. */
  said?: { text: string };
}

/** Must get the session's id as its key. */
export function Transcript({ sessionId, said }: TranscriptProps) {
  const [state, setState] = useState(emptyTranscript);
  const [end, setEnd] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    follow(`session/${sessionId}`, (responses) => setState((before) => responses.reduce(withResponse, before)), stop.signal).then(
      (error) => setEnd(error === 'SessionClosed' ? 'The session has ended.' : `${errorText({ error })} Tapline shows its conversation.`),
      (error: unknown) => {
        if (!stop.signal.aborted) setEnd(`It is not followed any more: ${messageOf(error)}`);
      },
    );
    return () => stop.abort();
  }, [sessionId]);
  useEffect(() => {
    if (said) setState((before) => withOwnPrompt(before, said.text));
  }, [said]);
  return (
    <div class="transcript" role="log" aria-label="Transcript" tabIndex={0}>
      {state.dropped > 0 && <p class="hint">{state.dropped} earlier parts are not shown.</p>}
      {state.parts.map((part, at) => (
        <Part key={state.dropped + at} part={part} />
      ))}
      {state.parts.length === 0 && end === '' && <p class="hint">Nothing has happened yet.</p>}
      {end && <p class="hint">{end}</p>}
    </div>
  );
}

function Part({ part }: { part: TranscriptPart }) {
  switch (part.kind) {
    case 'prompt':
      return (
        <div class="prompt">
          <strong>{part.isOwn ? 'You' : 'Portal'}</strong>
          <p class="text">{part.text}</p>
        </div>
      );
    case 'message':
      return <Text text={part.text} />;
    case 'reasoning':
      return (
        <details>
          <summary>Reasoning</summary>
          <Text text={part.text} />
        </details>
      );
    case 'tool':
      return (
        <details class="tool">
          <summary>
            {part.name}: {part.status === 'Running' ? 'running' : part.status === 'Succeeded' ? 'succeeded' : 'did not succeed'}
          </summary>
          {part.input && <pre tabIndex={0}>{part.input}</pre>}
          {part.output && <pre tabIndex={0}>{part.output}</pre>}
          {part.problem !== undefined && <p class="problem">{part.problem}</p>}
        </details>
      );
    case 'error':
      return <p class="problem">Error: {part.text}</p>;
  }
}

/** Its address is the title of a link. */
function Text({ text }: { text: string }) {
  return <MarkdownView {...{ text, isLink }} onLink={openLink} onCopy={(code) => void navigator.clipboard.writeText(code)} />;
}
