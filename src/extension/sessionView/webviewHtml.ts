import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import * as l10n from '../../base/l10n.ts';
import { type DisplayLanguage, PAGE_LANGUAGE } from '../../base/l10n.ts';
import { takeOverScript } from './takeOver.ts';

/**
 * The HTML of a webview: its own script and styles stand in it, because VS Code shows a webview when all of it is loaded, and every file comes through its
 * service worker. The script is allowed by its nonce, as are those that it imports later; beside that a worker for colours, a font of the extension,
 * images as data URLs only, nothing remote. `picture`: of what the script draws at first, which is then painted before the script is loaded.
 */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string, title: string, picture?: string): string {
  const nonce = randomBytes(16).toString('base64');
  const assets = webviewAssets(extensionUri);
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(assets, file)).toString();
  const text = (file: string) => readFileSync(vscode.Uri.joinPath(assets, file).fsPath, 'utf8');
  // What the script names as beside itself lies there.
  const imports = JSON.stringify({ imports: { './': `${address('.')}/` } });
  const icons = text('icons.css').replace(/url\("\.\/([^"]+)"\)/, (_, font: string) => `url("${address('.')}/${font}")`);
  const font = icons.slice(icons.indexOf('@font-face'), icons.indexOf('}', icons.indexOf('@font-face')) + 1);
  const failure = l10n.t('This page could not be loaded. Close it and open it again.');
  const code = picture === undefined ? text(`${name}.js`) : takeOverScript(`${name}.js`, font, failure);
  const script = `<script type="module" nonce="${nonce}">${code}</script>`;
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
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${picture === undefined ? icons : icons.replace(font, '')}</style>
<style id="icon-font">${picture === undefined ? '' : '.codicon::before { visibility: hidden }'}</style>
<style>${text(`${name}.css`)}</style>
<link rel="stylesheet" disabled id="vscode-codicon-stylesheet" href="${address('codicon.css')}">
<title>${title}</title>
<script type="importmap" nonce="${nonce}">${imports}</script>
</head>
<body>
<script nonce="${nonce}">${languageScript()}</script>
${picture ?? ''}${script}
</body>
</html>`;
}

export function pageLanguage(): DisplayLanguage {
  return { language: vscode.env.language, ...(vscode.l10n.bundle && { texts: vscode.l10n.bundle }) };
}

let madeScript: string | undefined;
/** Made once, because the texts are long. Nothing in it can end the element that it stands in. */
function languageScript(): string {
  return (madeScript ??= `globalThis.${PAGE_LANGUAGE} = ${JSON.stringify(pageLanguage()).replaceAll('<', '\\u003c')};`);
}

/** The only folder that webviews may load from. */
export function webviewAssets(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
}
