/** One sentence and the one or two things to do next. */
import type { WebviewCommand } from '../protocol.ts';
import { post } from '../page/vscodeApi.ts';

interface EmptyStateProps {
  text: string;
  detail?: string;
  actions: readonly { label: string; command: WebviewCommand }[];
}

export function EmptyState({ text, detail, actions }: EmptyStateProps) {
  return (
    <div class="empty">
      <p>{text}</p>
      {detail !== undefined && <p class="hint">{detail}</p>}
      <div class="empty-buttons">
        {actions.map(({ label, command }, index) => (
          <vscode-button key={command} secondary={index > 0} onClick={() => post({ type: 'runCommand', command })}>
            {label}
          </vscode-button>
        ))}
      </div>
    </div>
  );
}
