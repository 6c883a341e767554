/** The static files. All of them are read at the start, so no request leads to a path. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Hono } from 'hono';
import { LANGUAGE_PATH, languageOf, languageScript, readLanguages } from './pageLanguage.ts';
import type { DisplayLanguage } from '../../../base/l10n.ts';
import { type PageName, pagePaths } from '../../../views/portal/wire/pageWire.ts';
import { type PortalContext, type PortalEnv, problemAnswer } from '../routeAnswers.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Pages load nothing from elsewhere, and run no inline script. */
const policy = ["default-src 'none'", "script-src 'self'", "font-src 'self'", 'worker-src blob:', "base-uri 'none'", "form-action 'none'"];
/** Of the page of the portal, which is not framed, and shows the others. */
const PORTAL_POLICY = [
  ...policy,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface PagesOptions {
  /** With the texts of the pages in other languages, as VS Code gets them. */
  languagesFolder: string;
  /** With the page of the portal. */
  pagesFolder: string;
  /** With the pages of VS Code's views. */
  webviewsFolder: string;
}

/** Adds them. Returns their paths: a browser may open these from anywhere, and nothing else. */
export function addPages(app: Hono<PortalEnv>, { languagesFolder, pagesFolder, webviewsFolder }: PagesOptions): ReadonlySet<string> {
  const pages = new Set<string>();
  const languages = readLanguages(languagesFolder);
  const add = (
    paths: string[],
    type: string,
    bodyOf: (c: PortalContext) => Uint8Array<ArrayBuffer> | string,
    policyOf: (c: PortalContext) => string,
  ) => {
    for (const path of paths) pages.add(path);
    app.on('GET', paths, (c) => c.body(bodyOf(c), 200, { 'Content-Type': type, 'Content-Security-Policy': policyOf(c) }));
  };
  for (const { name, type, data } of filesOf(pagesFolder))
    add(
      name === 'index.html' ? ['/', '/index.html'] : [`/${name}`],
      type,
      () => data,
      () => PORTAL_POLICY,
    );
  for (const { name, type, data } of filesOf(webviewsFolder)) add([`/pages/${name}`], type, () => data, viewPolicy);
  for (const [name, path] of Object.entries(pagePaths) as [PageName, string][])
    add([path], types['.html'] ?? '', (c) => documentOf(name, languages[languageOf(c)]), viewPolicy);
  pages.add(LANGUAGE_PATH);
  app.get(LANGUAGE_PATH, (c) => {
    const language = languageOf(c);
    return c.body(languageScript(languages[language]), 200, {
      'Content-Type': types['.js'] ?? '',
      'Content-Language': language,
      Vary: 'Accept-Language',
    });
  });
  app.notFound(() => problemAnswer(404, 'NotFound', 'There is no such page or route.'));
  return pages;
}

function filesOf(folder: string): { name: string; type: string; data: Uint8Array<ArrayBuffer> }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const type = types[extname(name)];
    return type === undefined ? [] : [{ name: name.replaceAll(sep, '/'), type, data: new Uint8Array(readFileSync(join(folder, name))) }];
  });
}

/**
 * Of a page with a view of VS Code. Only the page of the portal frames it. The terminal and the controls set inline styles. Not every browser takes
 * `'self'` for WebSockets; the name in `Host` is one of this computer.
 */
function viewPolicy(c: PortalContext): string {
  return [
    ...policy,
    "style-src 'self' 'unsafe-inline'",
    'img-src data:',
    `connect-src 'self' ws://${c.req.header('Host')}`,
    "frame-ancestors 'self'",
  ].join('; ');
}

/** What the inbox offers in VS Code only. A session's page is told. */
const LACKS = 'editor signIn';

const titles: Readonly<Record<PageName, string>> = { session: 'Session', inbox: 'Needs You', controlTower: 'Control Tower' };

function documentOf(name: PageName, { language, texts = {} }: DisplayLanguage): string {
  const title = texts[titles[name]];
  return `<!doctype html>
<html lang="${language}" data-lacks="${LACKS}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${typeof title === 'string' ? title : titles[name]} · Tapline portal</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="/pages/codicon.css">
<link rel="stylesheet" href="/pages/${name}.css">
<link rel="stylesheet" href="/pageTheme.css">
<script src="${LANGUAGE_PATH}"></script>
<script type="module" src="/pages/${name}.js"></script>
</head>
<body></body>
</html>`;
}
