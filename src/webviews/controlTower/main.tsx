/** Entry of the page “Control Tower”: what is watched for all sessions, and what came of it. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import './controlTower.css';
import type { AskEmitters } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { AskTower } from '../../views/traces/towerQuestion.ts';
import { EmitterPanel, SeenEmitters } from '../session/watching/EmitterPanel.tsx';
import { shellPort } from '../port/shellPort.ts';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { DisclosureButton } from './Disclosure.tsx';
import { Goals } from './Goals.tsx';
import type {
  AskedSession,
  TowerMessage,
  TowerPageMessage,
  TowerSession,
  TowerShellMessage,
  TowerTraces,
  WatchedElsewhere,
} from './protocol.ts';
import { TowerRequests } from './towerRequests.ts';
import { Traces, type TracesProps } from './Traces.tsx';

const post = (message: TowerPageMessage) => shellPort.post(message);
const requests = new TowerRequests(post);
let shown: TowerMessage | undefined;
const untold: Omit<TowerMessage, 'type'> = { sessions: [], elsewhere: [], traces: { isOn: false } };
/** Why the shell of the page cannot be reached. */
let linkProblem: string | undefined;

function draw(): void {
  render(<ControlTower shown={shown} problem={linkProblem ?? shown?.problem} />, document.body);
}

interface ControlTowerProps {
  /** Undefined: nothing has been told yet. */
  shown: TowerMessage | undefined;
  problem: string | undefined;
}

function ControlTower({ shown, problem }: ControlTowerProps) {
  const { sessions, elsewhere, traces, isSeenOnly } = shown ?? untold;
  return (
    <main>
      <h1>{l10n.t('Control Tower')}</h1>
      <div role="status">{problem !== undefined && <p class="emitter-problem">{problem}</p>}</div>
      {shown && sessions.length + elsewhere.filter(({ isOfRuns }) => !isOfRuns).length === 0 && problem === undefined && (
        <p class="emitter-hint">
          {isSeenOnly
            ? l10n.t('No session is with the gateway now. Open one in VS Code, and what is watched for it is shown here.')
            : l10n.t('No session of this window is with the gateway. Open one, and what is watched for it is shown here.')}
        </p>
      )}
      {sessions.map((session) => (
        <Session key={JSON.stringify([session.hostId, session.uri])} session={session} traces={traces} />
      ))}
      {elsewhere.map((session) => (
        <Elsewhere key={session.id} session={session} traces={traces} isSeenOnly={isSeenOnly} />
      ))}
    </main>
  );
}

function Session({ session: { hostId, uri, title, host, problem }, traces }: { session: TowerSession; traces: TowerTraces }) {
  const ref: SessionRef = { hostId, uri };
  const ask = useMemo<AskEmitters>(() => (request) => requests.emitters(ref, request), [hostId, uri]);
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
      <Done
        {...{ title, traces }}
        of={ref}
        onPlace={(place) => post({ type: 'openPlace', session: ref, place })}
        onSettings={() => post({ type: 'openTraceSettings' })}
      />
    </section>
  );
}

interface ElsewhereProps {
  session: WatchedElsewhere;
  traces: TowerTraces;
  isSeenOnly: boolean | undefined;
}

function Elsewhere({ session: { id, title: told, emitters, isOfRuns }, traces, isSeenOnly }: ElsewhereProps) {
  // The portal has it in English.
  const title = isOfRuns ? l10n.t('Runs of portals') : told;
  return (
    <section aria-label={title}>
      <h2>
        <VisibleText text={title} prose />
      </h2>
      {!isSeenOnly && !isOfRuns && <p class="emitter-hint">{l10n.t('Of another window or program, where it can be changed.')}</p>}
      {emitters.length === 0 && !isOfRuns && <p class="emitter-hint">{l10n.t('Nothing is watched for this session.')}</p>}
      {emitters.length > 0 && (
        <div class="emitters">
          <SeenEmitters emitters={emitters} />
        </div>
      )}
      <Done {...{ title, traces }} of={{ atGateway: id }} onSettings={isSeenOnly ? undefined : () => post({ type: 'openTraceSettings' })} />
    </section>
  );
}

interface DoneProps extends Pick<TracesProps, 'title' | 'traces' | 'onPlace' | 'onSettings'> {
  of: AskedSession;
}

/** What the session has done: its traces, and what its agent has had checked. */
function Done({ title, traces, of, onPlace, onSettings }: DoneProps) {
  const key = JSON.stringify(of);
  const ask = useMemo<AskTower>(() => (question) => requests.tower(of, question), [key]);
  const [open, setOpen] = useState({ traces: false, goals: false });
  return (
    <>
      <div class="emitter-buttons">
        <DisclosureButton label={l10n.t('Traces')} isOpen={open.traces} onToggle={() => setOpen({ ...open, traces: !open.traces })} />
        <DisclosureButton
          label={l10n.t('Goals and Claims')}
          isOpen={open.goals}
          onToggle={() => setOpen({ ...open, goals: !open.goals })}
        />
      </div>
      {open.traces && <Traces {...{ title, traces, ask, onPlace, onSettings }} />}
      {open.goals && <Goals title={title} ask={ask} />}
    </>
  );
}

function receive(message: TowerShellMessage): void {
  if (message.type === 'answer') return requests.answered(message);
  shown = message;
  return draw();
}

shellPort.listen({
  receive: (message) => receive(message as TowerShellMessage),
  unsent: ({ message, reason }) => 'id' in message && requests.answered({ type: 'answer', id: Number(message.id), error: reason }),
  link(problem) {
    linkProblem = problem;
    draw();
  },
});
draw();
post({ type: 'ready' });
