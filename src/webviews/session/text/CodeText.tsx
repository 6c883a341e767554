/** The code of a session, which the extension copies. */
import { post } from '../page/pageShell.ts';
import { CodeView, type CodeViewProps } from './CodeView.tsx';

export function CodeText(props: Omit<CodeViewProps, 'onCopy'>) {
  return <CodeView {...props} onCopy={copyText} />;
}

export function copyText(text: string): void {
  post({ type: 'copy', text });
}
