/** The settings of a session that need more than a drop-down or a switch, as a form. */
import * as l10n from '../../../../base/l10n.ts';
import { useRef, useState } from 'preact/hooks';
import type { SessionState } from '../../../../ahp/channels/session/state.ts';
import type { ConfigField } from '../../../../views/configForm/configFields.ts';
import { type Entries, readEntry } from '../../../../views/configForm/typedValues.ts';
import { folderOf } from '../../../../views/session/openChat.ts';
import { ConfigForm } from '../../configForm/ConfigForm.tsx';
import { requestStart } from '../../page/pageRequests.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { post } from '../../page/pageShell.ts';
import { Icon } from '../../parts/Icon.tsx';

interface MoreSettingsProps {
  session: SessionState;
  fields: readonly ConfigField[];
  disabled: boolean;
  onValue(id: string, value: unknown): void;
}

export function MoreSettings({ session, fields, disabled, onValue }: MoreSettingsProps) {
  const { hostId } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [entries, setEntries] = useState<Entries>({});
  const button = useRef<HTMLButtonElement>(null);
  if (fields.length === 0) return null;
  const folder = folderOf(session);
  const complete = ({ id }: ConfigField, query: string) =>
    requestStart(post, 'completeStart', {
      ...{ hostId, provider: session.provider, config: session.config?.values ?? {}, property: id, query },
      ...(folder !== undefined && { workingDirectory: folder }),
    }).catch(() => []);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={l10n.t('More settings of the session')}
        title={l10n.t('More settings of the session')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="ellipsis" />
      </button>
      {isOpen && (
        <ConfigForm
          name="session-settings"
          label={l10n.t('Settings of the session')}
          fields={fields}
          entries={entries}
          disabled={disabled}
          onEntry={(id, entry, isDone) => {
            const field = fields.find((one) => one.id === id);
            const read = field && isDone ? readEntry(field, entry) : undefined;
            const { [id]: _, ...others } = entries;
            // A host cannot be told to forget a value, so an empty field shows the old one again.
            setEntries(read && !('problem' in read) ? others : { ...entries, [id]: entry });
            if (read && 'value' in read) onValue(id, read.value);
          }}
          complete={complete}
          onClose={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}
