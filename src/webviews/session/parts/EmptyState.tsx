/** A sentence, and one or two actions. */
import type { WebviewCommand } from '../protocol.ts';
import { useContext } from 'preact/hooks';
import { SessionContext } from '../page/sessionContext.tsx';
import { post as postToPage } from '../page/pageShell.ts';

interface EmptyStateProps {
  text: string;
  detail?: string;
  actions: readonly { label: string; command: WebviewCommand }[];
}

export function EmptyState({ text, detail, actions }: EmptyStateProps) {
  const post = useContext(SessionContext)?.post ?? postToPage;
  return (
    <div class="empty">
      <p>{text}</p>
      {detail !== undefined && <p class="hint">{detail}</p>}
      <div class="empty-buttons">
        {actions.map(({ label, command }, index) => (
          <vscode-button key={command} data-needs="commands" secondary={index > 0} onClick={() => post({ type: 'runCommand', command })}>
            {label}
          </vscode-button>
        ))}
      </div>
    </div>
  );
}
