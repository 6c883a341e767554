/** The traces of a session, newest first. What comes while the user is in the list waits for them, so that no row moves under the pointer. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AskTower, SpanPlace } from '../../views/traces/towerQuestion.ts';
import { type Trace, tracesOf } from '../../views/traces/waterfall.ts';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { filled } from '../text/filled.ts';
import { AskedPart } from './Disclosure.tsx';
import type { TowerTraces } from './protocol.ts';
import { useAsked } from './useAsked.ts';
import { Waterfall } from './Waterfall.tsx';

const MAX_TRACES = 50;
const TRACES_SETTING = 'tapline.traces.enabled';

export interface TracesProps {
  title: string;
  ask: AskTower;
  traces: TowerTraces;
  /** Absent: this page shows no session. */
  onPlace?: ((place: SpanPlace) => void) | undefined;
  /** Absent: this page cannot open it. */
  onSettings?: (() => void) | undefined;
}

export function Traces({ title, ask, traces: state, onPlace, onSettings }: TracesProps) {
  const { value, problem } = useAsked('traces', () => ask({ what: 'traces' }));
  const [withQuiet, setWithQuiet] = useState(false);
  const [shown, setShown] = useState<readonly Trace[]>();
  const part = useRef<HTMLDivElement>(null);
  const toNewest = useRef(false);
  const all = value && tracesOf(value.spans);
  const known = new Set(shown?.map(({ id }) => id));
  const newer = shown && all ? all.filter(({ id, isQuiet }) => !known.has(id) && (withQuiet || !isQuiet)).length : 0;
  useEffect(() => {
    if (!all) return;
    const isInIt = part.current?.matches(':hover, :focus-within') === true;
    // What is known of those that are there may still change.
    if (!shown || !isInIt) setShown(all);
    else setShown(shown.map((trace) => all.find(({ id }) => id === trace.id) ?? trace));
  }, [value]);
  useLayoutEffect(() => {
    // The button goes as it is pressed, and the focus would go with it.
    if (toNewest.current) part.current?.querySelector<HTMLElement>('[data-row]')?.focus();
    toNewest.current = false;
  }, [shown]);
  const showNewer = () => {
    toNewest.current = true;
    setShown(all);
  };
  const listed = shown?.filter(({ isQuiet }) => withQuiet || !isQuiet) ?? [];
  const quiet = shown?.filter(({ isQuiet }) => isQuiet).length ?? 0;
  const drawn = listed.slice(0, MAX_TRACES);
  return (
    <AskedPart label={l10n.t`Traces of ${title}`} problem={problem} isKnown={value !== undefined}>
      <TracesOff state={state} onSettings={onSettings} />
      {shown?.length === 0 && state.isOn && (
        <p class="emitter-hint">{l10n.t('Nothing has been traced in this session yet. A span is here once it is over.')}</p>
      )}
      {quiet > 0 && (
        <label class="tower-choice">
          <input type="checkbox" checked={withQuiet} onChange={() => setWithQuiet(!withQuiet)} />{' '}
          {l10n.plural(
            quiet,
            l10n.t`Also ${l10n.countText(quiet)} run that told nothing`,
            l10n.t`Also ${l10n.countText(quiet)} runs that told nothing`,
          )}
        </label>
      )}
      <p>
        {newer > 0 && (
          <button type="button" class="emitter-button" onClick={showNewer}>
            {l10n.plural(newer, l10n.t`Show ${l10n.countText(newer)} newer trace`, l10n.t`Show ${l10n.countText(newer)} newer traces`)}
          </button>
        )}
      </p>
      {/* Without their number, which may change every two seconds. */}
      <p class="visually-hidden" role="status">
        {newer > 0 && l10n.t('There are newer traces.')}
      </p>
      <div ref={part}>{drawn.length > 0 && <Waterfall title={title} traces={drawn} ask={ask} onPlace={onPlace} />}</div>
      {(value?.isCut || listed.length > drawn.length) && (
        <p class="emitter-hint">
          {l10n.t('Older traces are left out. “tap_query_records” and “npm run gateway -- records” have them all.')}
        </p>
      )}
    </AskedPart>
  );
}

function TracesOff({ state: { isOn, problem }, onSettings }: { state: TowerTraces; onSettings: (() => void) | undefined }) {
  if (problem !== undefined)
    return (
      <p class="emitter-problem">
        <VisibleText text={problem} prose />
      </p>
    );
  if (isOn) return null;
  return (
    <div class="tower-off">
      <p>
        {filled(
          l10n.t(
            'Traces are off, so nothing new comes here. Switch on the setting {0} to see how long each run, turn and call takes. Spans stay on this computer, and hold no prompts and no output.',
          ),
          <code>{TRACES_SETTING}</code>,
        )}
      </p>
      {onSettings && (
        <button type="button" class="emitter-button" onClick={onSettings}>
          {l10n.t('Open the Setting')}
        </button>
      )}
    </div>
  );
}
