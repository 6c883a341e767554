/** Entry of the page with the settings of a host. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import './hostConfig.css';
import { configFields } from '../../views/configForm/configFields.ts';
import { emptyValue, type Entries, type Entry, isTyped, readEntry } from '../../views/configForm/typedValues.ts';
import { ownSelectAll } from '../port/ownSelectAll.ts';
import { ConfigForm } from '../session/configForm/ConfigForm.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { filled } from '../text/filled.ts';
import type { HostConfigMessage, HostConfigPageMessage, SetOutcome } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: HostConfigPageMessage): void };

const api = acquireVsCodeApi();
ownSelectAll(document);

function HostConfigPage({ shown }: { shown: HostConfigMessage }) {
  const { host, config, locked, outcome } = shown;
  const fields = useMemo(() => (config ? configFields(config.schema, config.values) : []), [config]);
  const [entries, setEntries] = useState<Entries>({});
  /** Why settings keep their values, by their ids. */
  const [kept, setKept] = useState<Readonly<Record<string, SetOutcome>>>({});
  /** The last change of each setting that was sent and not answered. */
  const sent = useRef(new Map<string, number>());
  const changes = useRef(0);

  useLayoutEffect(() => {
    // What was entered since then stays.
    if (!outcome || sent.current.get(outcome.id) !== outcome.change) return;
    const { id } = outcome;
    sent.current.delete(id);
    const isKept = outcome.refusal !== undefined || outcome.isDeclined === true;
    if (isKept) setKept((old) => ({ ...old, [id]: outcome }));
    const field = fields.find((one) => one.id === id);
    setEntries((old) => {
      const entry = Object.hasOwn(old, id) ? old[id] : undefined;
      return isKept && field && entry !== undefined && isTyped(field, entry) ? old : without(old, id);
    });
  }, [outcome]);

  const onEntry = (id: string, entry: Entry, isDone: boolean) => {
    const field = fields.find((one) => one.id === id);
    sent.current.delete(id);
    setKept((old) => without(old, id));
    const read = field && isDone ? readEntry(field, entry) : undefined;
    const value = !field || !read || 'problem' in read ? undefined : 'value' in read ? read.value : emptyValue(field);
    // A host cannot be told to forget a value, so an empty field that cannot hold an empty one shows the old one again.
    if (read && !('problem' in read) && value === undefined) return setEntries((old) => without(old, id));
    setEntries((old) => ({ ...old, [id]: entry }));
    if (value === undefined) return;
    const change = ++changes.current;
    sent.current.set(id, change);
    api.postMessage({ type: 'set', id, value: value as never, change });
  };

  const onEscape = (id: string) => {
    setEntries((old) => without(old, id));
    setKept((old) => without(old, id));
  };

  return (
    <main class="host-config">
      <h1>{filled(l10n.t('Settings of {0}'), <VisibleText text={host} prose />)}</h1>
      <p class="hint">{l10n.t('They are the host’s, and hold for everybody who uses it. A change counts when you leave its field.')}</p>
      <div role="status">{locked !== undefined && <p class="hint">{locked}</p>}</div>
      <div role="alert">
        {Object.entries(kept).map(([id, { refusal }]) => {
          const title = <VisibleText text={fields.find((one) => one.id === id)?.title ?? id} prose />;
          return (
            <p key={id} class="problem">
              {refusal === undefined
                ? filled(l10n.t('“{0}” keeps its value, as you chose.'), title)
                : filled(
                    l10n.t('“{0}” keeps its value. The host did not take the change: {1}'),
                    title,
                    <VisibleText text={refusal} prose />,
                  )}
            </p>
          );
        })}
      </div>
      {fields.length === 0 && locked === undefined && <p>{l10n.t('This host has no settings that can be changed here.')}</p>}
      {fields.length > 0 && (
        <ConfigForm
          name="host-settings"
          label={l10n.t('Settings of the host')}
          fields={fields}
          entries={entries}
          disabled={locked !== undefined}
          onEntry={onEntry}
          complete={() => Promise.resolve([])}
          onClose={onEscape}
        />
      )}
    </main>
  );
}

function without<T>(record: Readonly<Record<string, T>>, id: string): Readonly<Record<string, T>> {
  const { [id]: _, ...others } = record;
  return others;
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly HostConfigMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<HostConfigPage shown={shown} />, document.body);
});
api.postMessage({ type: 'ready' });
