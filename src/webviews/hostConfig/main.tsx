/** Entry of the page with the settings of a host. */
import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import './hostConfig.css';
import { configFields } from '../../views/configForm/configFields.ts';
import { type Entries, type Entry, readEntry } from '../../views/configForm/typedValues.ts';
import { ConfigForm } from '../session/configForm/ConfigForm.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import type { HostConfigMessage, HostConfigPageMessage } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: HostConfigPageMessage): void };

const api = acquireVsCodeApi();

function HostConfigPage({ shown }: { shown: HostConfigMessage }) {
  const { host, config, locked, outcome } = shown;
  const fields = useMemo(() => (config ? configFields(config.schema, config.values) : []), [config]);
  const [entries, setEntries] = useState<Entries>({});
  const [refusal, setRefusal] = useState<string>();
  /** The last change of each setting that was sent and not answered. */
  const sent = useRef(new Map<string, number>());
  const changes = useRef(0);

  useLayoutEffect(() => {
    // What was entered since then stays.
    if (!outcome || sent.current.get(outcome.id) !== outcome.change) return;
    sent.current.delete(outcome.id);
    setRefusal(outcome.refusal);
    if (outcome.refusal === undefined) setEntries(({ [outcome.id]: _, ...others }) => others);
  }, [outcome]);

  const onEntry = (id: string, entry: Entry, isDone: boolean) => {
    const field = fields.find((one) => one.id === id);
    sent.current.delete(id);
    const read = field && isDone ? readEntry(field, entry) : undefined;
    // A host cannot be told to forget a value, so an empty field shows the old one again.
    if (read && !('problem' in read) && !('value' in read)) return setEntries(({ [id]: _, ...others }) => others);
    setEntries((old) => ({ ...old, [id]: entry }));
    if (!read || !('value' in read)) return;
    const change = ++changes.current;
    sent.current.set(id, change);
    api.postMessage({ type: 'set', id, value: read.value as never, change });
  };

  return (
    <main class="host-config">
      <h1>
        Settings of <VisibleText text={host} prose />
      </h1>
      <p class="hint">They are the host’s, and hold for everybody who uses it. A change counts when you leave its field.</p>
      <div role="status">{locked !== undefined && <p class="hint">{locked}</p>}</div>
      <div role="alert">
        {refusal !== undefined && (
          <p class="problem">
            The host did not take the change: <VisibleText text={refusal} prose />
          </p>
        )}
      </div>
      {fields.length === 0 && locked === undefined && <p>This host has no settings that can be changed here.</p>}
      {fields.length > 0 && (
        <ConfigForm
          name="host-settings"
          label="Settings of the host"
          fields={fields}
          entries={entries}
          disabled={locked !== undefined}
          onEntry={onEntry}
          complete={() => Promise.resolve([])}
          onClose={() => setEntries({})}
        />
      )}
    </main>
  );
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly HostConfigMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<HostConfigPage shown={shown} />, document.body);
});
api.postMessage({ type: 'ready' });
