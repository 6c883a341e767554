/** The sessions of the portal, and those that its host keeps. */
import { useState } from 'preact/hooks';
import type { KeptSessions, ModelSummary, SessionSummary } from '../../views/portal/sessionData.ts';
import { hostIdOf, OWN_HOST_ID } from '../../views/portal/pageWire.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { relativeTime } from '../../views/text/relativeTime.ts';
import type { Act } from './portalApi.ts';
import { viewHref } from './portalView.ts';

interface SessionsSectionProps {
  /** Those that run. */
  sessions: readonly SessionSummary[];
  kept: KeptSessions;
  now: number;
  models: readonly ModelSummary[];
  folder: string;
  onFolder(folder: string): void;
  /** The user has started one. */
  onStart(sessionId: string): void;
  act: Act;
}

export function SessionsSection({ sessions, kept, now, models, folder, onFolder, onStart, act }: SessionsSectionProps) {
  const [chosen, choose] = useState('');
  const model = chosen || (models[0]?.id ?? '');
  const others = kept.sessions.filter(({ uri }) => !sessions.some((one) => one.host === undefined && one.uri === uri));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {sessions.length === 0 && <p class="hint">No session runs.</p>}
      <ul class="runs">
        {sessions.map((one) => (
          <Row
            key={one.sessionId}
            session={refOf(one)}
            title={oneLine(one.title)}
            about={`${one.host === undefined ? '' : `at ${oneLine(one.host)} · `}${one.waiting > 0 ? 'Waits for you' : one.isWorking ? 'Works' : 'Idle'}`}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>
            Other sessions of the host ({others.length}
            {kept.isComplete ? '' : '+'})
          </summary>
          <p class="hint">
            Those that have ended for the portal, and those of other clients. What you write there goes to the agent again.
          </p>
          <ul class="runs">
            {others.map(({ uri, title, modifiedAt, isWorking, needsUser }) => (
              <Row
                key={uri}
                session={{ hostId: OWN_HOST_ID, uri }}
                title={title}
                about={needsUser ? 'Waits for you' : isWorking ? 'Works' : relativeTime(modifiedAt, now)}
              />
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>Start a session</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(`copilot/session/start/${encodeURIComponent(model)}`, folder, ({ sessionId }) => onStart(String(sessionId)));
          }}
        >
          <label>
            Folder
            <input value={folder} required spellcheck={false} onInput={({ currentTarget }) => onFolder(currentTarget.value)} />
          </label>
          <label>
            Model
            <select value={model} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {oneLine(name)}
                </option>
              ))}
            </select>
          </label>
          <p class="row">
            <button type="submit" class="main-button" disabled={!model}>
              Start the session
            </button>
            {!model && <span class="hint">The agent has no model yet: connect one in Tapline.</span>}
          </p>
        </form>
      </details>
    </section>
  );
}

/** A session of the list, as pages name it. */
function refOf({ host, uri }: SessionSummary): SessionRef {
  return { hostId: hostIdOf(host), uri };
}

function Row({ session, title, about }: { session: SessionRef; title: string; about: string }) {
  return (
    <li>
      <a class="step-head" href={viewHref({ kind: 'session', session, title })}>
        <span class="name">{title || 'Session without a title'}</span> <span class="hint">{about}</span>
      </a>
    </li>
  );
}
