import * as l10n from '../../../base/l10n.ts';
import { useRef, useState } from 'preact/hooks';
import type { AskEmitters, EmitterStatus } from '../../../views/emitters/emitterRequest.ts';
import { emitterView } from '../../../views/emitters/emitterView.ts';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { FilterEditor } from './FilterEditor.tsx';
import { unusedFilter } from './unusedFilters.ts';

interface EmitterRowProps {
  status: EmitterStatus;
  /** Absent, with `act`: it can be seen only. */
  ask?: AskEmitters;
  /** `done`: what is said when it was done. */
  act?(what: () => Promise<unknown>, done: string): Promise<void>;
}

export function EmitterRow({ status, ask, act }: EmitterRowProps) {
  const view = emitterView(status);
  const { name, state, can } = view;
  const [isEditing, setEditing] = useState(false);
  const filterButton = useRef<HTMLButtonElement>(null);
  const facts = [state.words, view.schedule, ask && view.next].filter((fact) => fact !== undefined);
  const counts = [...view.counts, view.runs, view.startedBy];
  const isFilterUnused = !isEditing && ask !== undefined && unusedFilter(ask, name) !== undefined;
  const close = () => {
    setEditing(false);
    queueMicrotask(() => filterButton.current?.focus());
  };
  return (
    <li class="emitter" data-state={status.state} data-emitter={name}>
      <div class="emitter-line">
        <Icon name={state.icon} />
        <strong class="emitter-name">{name}</strong>
        <span class="emitter-facts">{facts.join(' · ')}</span>
        {ask && act && (
          <span class="emitter-actions">
            {/* One button, so that the focus stays where it is. */}
            <button
              type="button"
              class="emitter-button"
              aria-label={can.stop ? l10n.t`Stop ${name}` : l10n.t`Start Again ${name}`}
              onClick={() =>
                can.stop
                  ? act(() => ask({ deed: 'stop', name }), l10n.t`${name} was stopped`)
                  : act(() => ask({ deed: 'run', name }), l10n.t`${name} was started again`)
              }
            >
              {can.stop ? l10n.t('Stop') : l10n.t('Start Again')}
            </button>
            {can.stop && (
              <button
                type="button"
                class="emitter-button"
                aria-label={l10n.t`Run Now: ${name}`}
                // It would lose the focus if it went whenever a run begins.
                aria-disabled={!can.run}
                onClick={() => can.run && act(() => ask({ deed: 'run', name }), l10n.t`${name} runs now`)}
              >
                {l10n.t('Run Now')}
              </button>
            )}
            {can.filter && (
              <button
                ref={filterButton}
                type="button"
                class="emitter-button"
                aria-expanded={isEditing}
                aria-label={isFilterUnused ? l10n.t`Unused Filter of ${name}` : l10n.t`Filter of ${name}`}
                onClick={() => setEditing(!isEditing)}
              >
                {isFilterUnused ? l10n.t('Unused Filter') : l10n.t('Filter')}
              </button>
            )}
            {status.lifespan === 'temporary' && (
              <button
                type="button"
                class="emitter-button"
                data-needs="editor"
                aria-label={l10n.t`Keep in tap.config.json: ${name}`}
                title={l10n.t('Shows it in the file of its folder. It is kept once you save that.')}
                onClick={() => act(() => ask({ deed: 'keep', name }), l10n.t`${name} is in tap.config.json, which is not saved yet`)}
              >
                {l10n.t('Keep in tap.config.json')}
              </button>
            )}
          </span>
        )}
      </div>
      <pre class="emitter-text" aria-label={view.kind === 'command' ? l10n.t('Command') : l10n.t('Message')}>
        <span class="emitter-sign" aria-hidden="true">
          {view.kind === 'command' ? '$ ' : '“ '}
        </span>
        <VisibleText text={view.text} />
      </pre>
      {view.description !== undefined && (
        <p class="emitter-facts">
          <VisibleText text={view.description} prose />
        </p>
      )}
      <p class="emitter-facts">{counts.join(' · ')}</p>
      {view.lastLine !== undefined && (
        <p class="emitter-last">
          <span class="emitter-facts">{l10n.t('Last line:')}</span> <VisibleText text={view.lastLine} />
        </p>
      )}
      {view.lastEnd !== undefined && (
        <p class="emitter-last">
          <span class="emitter-facts">{l10n.t('Last run:')}</span> <VisibleText text={view.lastEnd} prose />
        </p>
      )}
      {view.waiting !== undefined && (
        <p class="emitter-waiting">
          {view.waiting}
          {ask && act && !status.injector.enabled && (
            <button
              type="button"
              class="emitter-button"
              aria-label={l10n.t`Give Them to the Agent: ${name}`}
              onClick={() => act(() => ask({ deed: 'injector', name, enabled: true }), l10n.t`Lines of ${name} go to the agent again`)}
            >
              {l10n.t('Give Them to the Agent')}
            </button>
          )}
        </p>
      )}
      {isEditing && ask && <FilterEditor name={name} filter={status.eventFilter} ask={ask} onClose={close} />}
    </li>
  );
}
