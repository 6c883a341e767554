import * as vscode from 'vscode';

/** Empty. Its links cannot run commands, and it has no HTML and no icons. Images load: put in Markdown without them. */
export function untrustedMarkdown(): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', false);
  text.isTrusted = false;
  text.supportHtml = false;
  return text;
}
