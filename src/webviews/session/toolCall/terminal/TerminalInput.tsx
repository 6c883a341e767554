/** Types into a terminal, where the page is not in VS Code, which has terminals of its own. */
import * as l10n from '../../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import type { URI } from '../../../../ahp/common/shapes.ts';
import { useSession } from '../../page/sessionContext.tsx';

const keys: readonly [name: string, label: string, text: string][] = [
  ['Ctrl+C', l10n.t('Send Ctrl+C, which interrupts the command'), '\u0003'],
  ['Ctrl+D', l10n.t('Send Ctrl+D, which ends the input'), '\u0004'],
  ['Esc', l10n.t('Send Escape'), '\u001b'],
];

/** One line at a time, so that no key of the page is taken away, and phones can type too. */
export function TerminalInput({ resource, title }: { resource: URI; title: string }) {
  const { post } = useSession();
  const [line, setLine] = useState('');
  const type = (text: string) => post({ type: 'typeIntoTerminal', uri: resource, text });
  return (
    <form
      class="terminal-input"
      onSubmit={(event) => {
        event.preventDefault();
        type(`${line}\r`);
        setLine('');
      }}
    >
      <input
        aria-label={l10n.t`Type into the terminal ${title}`}
        placeholder={l10n.t('Type into it. Enter sends the line.')}
        value={line}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setLine(currentTarget.value)}
      />
      {keys.map(([name, label, text]) => (
        <button key={name} type="button" class="link-button" aria-label={label} onClick={() => type(text)}>
          {name}
        </button>
      ))}
    </form>
  );
}
