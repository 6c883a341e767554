/** Entry of the page “Control Tower”: what is watched for all sessions, and what came of it. */
import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import './controlTower.css';
import type { AskEmitters } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { AskTower } from '../../views/traces/towerQuestion.ts';
import { EmitterPanel, SeenEmitters } from '../session/watching/EmitterPanel.tsx';
import { ownSelectAll } from '../port/ownSelectAll.ts';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { DisclosureButton } from './Disclosure.tsx';
import { Goals } from './Goals.tsx';
import type { TowerMessage, TowerPageMessage, TowerSession, TowerShellMessage, TowerTraces } from './protocol.ts';
import { TowerRequests } from './towerRequests.ts';
import { Traces } from './Traces.tsx';

declare function acquireVsCodeApi(): { postMessage(message: TowerPageMessage): void };

const api = acquireVsCodeApi();
const post = (message: TowerPageMessage) => api.postMessage(message);
const requests = new TowerRequests(post);
ownSelectAll(document);

function ControlTower({ shown: { sessions, elsewhere, traces, problem } }: { shown: TowerMessage }) {
  return (
    <main>
      <h1>Control Tower</h1>
      <div role="status">{problem !== undefined && <p class="emitter-problem">{problem}</p>}</div>
      {sessions.length + elsewhere.length === 0 && problem === undefined && (
        <p class="emitter-hint">No session of this window is with the gateway. Open one, and what is watched for it is shown here.</p>
      )}
      {sessions.map((session) => (
        <Session key={JSON.stringify([session.hostId, session.uri])} session={session} traces={traces} />
      ))}
      {elsewhere.map(({ id, title, emitters }) => (
        <section key={id} aria-label={title}>
          <h2>
            <VisibleText text={title} prose />
          </h2>
          <p class="emitter-hint">Of another window or program, where it can be changed.</p>
          <div class="emitters">
            <SeenEmitters emitters={emitters} />
          </div>
        </section>
      ))}
    </main>
  );
}

function Session({ session: { hostId, uri, title, host, problem }, traces }: { session: TowerSession; traces: TowerTraces }) {
  const ref: SessionRef = { hostId, uri };
  const ask = useMemo<AskEmitters>(() => (request) => requests.emitters(ref, request), [hostId, uri]);
  const askTower = useMemo<AskTower>(() => (question) => requests.tower(ref, question), [hostId, uri]);
  const [open, setOpen] = useState({ traces: false, goals: false });
  return (
    <section aria-label={title}>
      <h2>
        <button type="button" class="tower-title" onClick={() => post({ type: 'openSession', session: ref })}>
          <VisibleText text={title} prose />
        </button>{' '}
        <span class="emitter-facts">
          <VisibleText text={host} prose />
        </span>
      </h2>
      {problem === undefined ? (
        <EmitterPanel ask={ask} onWatch={() => post({ type: 'watch', session: ref })} />
      ) : (
        <p class="emitter-hint">
          <VisibleText text={problem} prose />
        </p>
      )}
      <div class="emitter-buttons">
        <DisclosureButton label="Traces" isOpen={open.traces} onToggle={() => setOpen({ ...open, traces: !open.traces })} />
        <DisclosureButton label="Goals and Claims" isOpen={open.goals} onToggle={() => setOpen({ ...open, goals: !open.goals })} />
      </div>
      {open.traces && (
        <Traces
          {...{ title, traces }}
          ask={askTower}
          onPlace={(place) => post({ type: 'openPlace', session: ref, place })}
          onSettings={() => post({ type: 'openTraceSettings' })}
        />
      )}
      {open.goals && <Goals title={title} ask={askTower} />}
    </section>
  );
}

// The shell posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly TowerShellMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const message of data) {
    if (message.type === 'answer') requests.answered(message);
    else if (message.type === 'sessions') render(<ControlTower shown={message} />, document.body);
  }
});
post({ type: 'ready' });
