/** The sessions of the portal and those that its host keeps, and the page of one of them. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import { hostIdOf, OWN_HOST_ID } from '../../../views/portal/wire/pageWire.ts';
import { type PortalView, portalSession, viewHref, withWholeUri } from '../../../views/portal/page/portalAddress.ts';
import type { SessionSummary } from '../../../views/portal/sessionData.ts';
import { sameSession, type SessionRef, sessionKey } from '../../../views/session/sessionRef.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { relativeTime } from '../../../views/text/time/relativeTime.ts';
import { Unbroken } from '../../session/text/VisibleText.tsx';
import { DetailHead } from '../frame/DetailHead.tsx';
import { ListAndDetail } from '../frame/ListAndDetail.tsx';
import { type Row, Rows } from '../frame/Rows.tsx';
import { showInstead } from '../portalView.ts';
import type { PortalData } from './portalData.ts';
import { SessionDetail } from './SessionDetail.tsx';

interface SessionsAreaProps {
  view: Extract<PortalView, { kind: 'session' | 'sessions' }>;
  data: PortalData;
}

const sessionsView = { view: { kind: 'sessions' }, name: l10n.t('Sessions') } as const;
const NEW: PortalView = { kind: 'sessions', isNew: true };

export function SessionsArea({ view, data }: SessionsAreaProps) {
  const { sessions, kept, tasks, now, act } = data;
  const session = view.kind === 'session' ? withWholeUri(view.session, kept.agent) : undefined;
  const live = session && sessions.find((one) => sameSession(refOf(one), session));
  const others = kept.sessions.filter(({ uri }) => !sessions.some((one) => one.host === undefined && one.uri === uri));
  const known = live ?? (session && kept.sessions.find(({ uri }) => sameSession({ hostId: OWN_HOST_ID, uri }, session)));
  const isNew = view.kind === 'sessions' && view.isNew === true;
  const current = session && sessionKey(session);
  return (
    <ListAndDetail
      title={l10n.t('Sessions')}
      isChosen={session !== undefined || isNew}
      actions={
        <a class="button" href={viewHref(NEW)} aria-current={isNew ? 'true' : undefined}>
          {l10n.t('Start a session')}
        </a>
      }
      list={
        <>
          {sessions.length === 0 && <p class="hint">{l10n.t('No session runs.')}</p>}
          <Rows label={l10n.t('Sessions that run')} rows={sessions.map(liveRow)} {...(current !== undefined && { current })} />
          {others.length > 0 && (
            <details class="group" open={sessions.length === 0}>
              <summary>{l10n.t`Other sessions of the host (${`${l10n.countText(others.length)}${kept.isComplete ? '' : '+'}`})`}</summary>
              <p class="hint">
                {l10n.t('Those that have ended for the portal, and those of other clients. What you write there goes to the agent again.')}
              </p>
              <Rows
                label={l10n.t('Other sessions of the host')}
                rows={others.map(({ uri, title, modifiedAt, isWorking, needsUser }) =>
                  sessionRow(
                    { hostId: OWN_HOST_ID, uri },
                    title,
                    needsUser ? l10n.t('Waits for you') : isWorking ? l10n.t('Works') : relativeTime(modifiedAt, now),
                  ),
                )}
                {...(current !== undefined && { current })}
              />
            </details>
          )}
        </>
      }
      detail={
        session ? (
          <SessionDetail
            key={current}
            {...{ session, live, tasks, act }}
            atCard={view.kind === 'session' && view.atCard === true}
            title={oneLine(known?.title) || l10n.t('Session')}
            back={sessionsView}
          />
        ) : isNew ? (
          <StartSession data={data} />
        ) : (
          <p class="hint empty">{l10n.t('Choose a session to read it and go on with it.')}</p>
        )
      }
    />
  );
}

/** As pages name it. */
function refOf({ host, uri }: SessionSummary): SessionRef {
  return { hostId: hostIdOf(host), uri };
}

function liveRow(one: SessionSummary): Row {
  const { host, title, waiting, isWorking, use } = one;
  const facts = [
    waiting > 0 ? l10n.t('Waits for you') : isWorking ? l10n.t('Works') : l10n.t('Idle'),
    ...(host === undefined ? [] : [l10n.t`at ${oneLine(host)}`]),
    ...(use ? [useText(use)] : []),
  ];
  return sessionRow(refOf(one), oneLine(title), facts.join(' · '));
}

function useText({ jobName, taskName }: NonNullable<SessionSummary['use']>): string {
  return jobName === undefined ? l10n.t`task ${oneLine(taskName)}` : l10n.t`job ${oneLine(jobName)}, task ${oneLine(taskName)}`;
}

function sessionRow(session: SessionRef, title: string, about: string): Row {
  return {
    id: sessionKey(session),
    view: { kind: 'session', session },
    content: (
      <>
        <span class="row-line name">
          <Unbroken text={title || l10n.t('Session without a title')} />
        </span>
        <span class="row-line hint">{about}</span>
      </>
    ),
  };
}

function StartSession({ data: { models, folder, setFolder, kept, act } }: { data: PortalData }) {
  const [chosen, choose] = useState('');
  const model = chosen || (models[0]?.id ?? '');
  return (
    <>
      <DetailHead title={l10n.t('Start a session')} back={sessionsView} focusKey="new" />
      <form
        class="detail-body"
        onSubmit={(event) => {
          event.preventDefault();
          act(`copilot/session/start/${encodeURIComponent(model)}`, folder, ({ sessionId }) =>
            showInstead({ kind: 'session', session: portalSession(String(sessionId), kept.agent) }),
          );
        }}
      >
        <label>
          {l10n.t('Folder')}
          <input value={folder} required spellcheck={false} onInput={({ currentTarget }) => setFolder(currentTarget.value)} />
        </label>
        <label>
          {l10n.t('Model')}
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
            {l10n.t('Start the session')}
          </button>
          {!model && <span class="hint">{l10n.t('The agent has no model yet: connect one in Tapline.')}</span>}
        </p>
      </form>
    </>
  );
}
