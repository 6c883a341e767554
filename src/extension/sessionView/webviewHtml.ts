import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageParts } from '../../base/node/pageParts.ts';

/** The HTML of a webview: one module, allowed by its nonce as are those that it imports, a worker for colours, styles and fonts of the extension, images as data URLs only, nothing remote. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string, title: string): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(webviewAssets(extensionUri), file)).toString();
  const parts = pageParts(webviewAssets(extensionUri).fsPath, name).map(
    (file) => `<link rel="modulepreload" nonce="${nonce}" href="${asset(file)}">`,
  );
  const csp = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    // The worker that colours code is read and started as a blob, because it cannot be loaded from another origin.
    `connect-src ${webview.cspSource}`,
    `worker-src blob:`,
    // The terminal and the controls set inline styles.
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    `img-src data:`,
    // These two do not fall back to default-src.
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${asset('codicon.css')}">
<link rel="stylesheet" href="${asset(`${name}.css`)}">
${parts.join('\n')}
<title>${title}</title>
</head>
<body>
<script type="module" nonce="${nonce}" src="${asset(`${name}.js`)}"></script>
</body>
</html>`;
}

/** The only folder that webviews may load from. */
export function webviewAssets(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
}
