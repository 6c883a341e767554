/**
 * Renders the Markdown of a model or host as safe HTML, without raw HTML, scripts and remote content. Links have http, https, mailto or file
 * targets (a relative link is a file of the working directory), have their target as title, and are opened by the extension. Remote images become links.
 */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { withoutEnd } from '../../../base/text/ends.ts';
import type { LinkReferences } from '../../../views/text/markdownBlocks.ts';

/** In the environment of the renderer: the URI of the folder for relative links. */
const FOLDER = 'folder';

const md = new MarkdownIt({ html: false, linkify: false });

// markdown-it's own check removes `file:` links.
md.validateLink = (url) => isDataImage(url) || isOpenable(url) || isRelative(url);

function isOpenable(url: string): boolean {
  return /^(https?|mailto|file):/i.test(url.trim());
}
function isRelative(url: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(url.trim());
}
/** The file of a relative link, with a line (`a.ts:12`) as fragment (`#L12`). Undefined for another computer, such as `//server/a.ts`. */
function fileOf(link: string, folder: unknown): string | undefined {
  if (typeof folder !== 'string' || !/^file:/i.test(folder) || /^[#?]/.test(link)) return undefined;
  const file = link.replace(/:(\d+)(?::\d+)?$/, '#L$1');
  const base = `${withoutEnd(folder, '/')}/`;
  const url = URL.canParse(file, base) ? new URL(file, base) : undefined;
  return url?.protocol === 'file:' && url.host === '' ? url.href : undefined;
}
/** Image types that cannot contain scripts. */
export function isDataImage(url: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i.test(url);
}

md.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const source = String(token?.attrGet('src') ?? '');
  const alt = token?.content ?? '';
  const { escapeHtml } = md.utils;
  if (isDataImage(source)) return `<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}">`;
  return `<a href="${escapeHtml(source)}">${escapeHtml(alt || source)}</a>`;
};

md.renderer.rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const link = String(token?.attrGet('href') ?? '');
  const file = isRelative(link) ? fileOf(link, env?.[FOLDER]) : undefined;
  if (file !== undefined) token?.attrSet('href', file);
  return self.renderToken(tokens, index, options);
};

const codeBlock = (content: string, language: string) => {
  const { escapeHtml } = md.utils;
  const label = language === '' ? 'text' : language;
  return (
    `<div class="code-block"><div class="code-head"><span>${escapeHtml(label)}</span>` +
    `<button type="button" class="icon-button copy-code" aria-label="Copy code" title="Copy"><span class="codicon codicon-copy"></span></button></div>` +
    `<pre tabindex="0"><code>${escapeHtml(content)}</code></pre></div>`
  );
};
md.renderer.rules.fence = (tokens, index) => {
  const token = tokens[index];
  return codeBlock(token?.content ?? '', /^\S*/.exec(token?.info.trim() ?? '')?.[0] ?? '');
};
md.renderer.rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? '', '');
md.renderer.rules.table_open = () => '<div class="table-scroll" tabindex="0"><table>';
md.renderer.rules.table_close = () => '</table></div>';

// As a class, because the page of the portal has a policy against inline styles.
md.renderer.rules.th_open = md.renderer.rules.td_open = (tokens, index, options, _env, self) => {
  const token = tokens[index];
  const [, side] = /^text-align:(left|center|right)$/.exec(String(token?.attrGet('style') ?? '')) ?? [];
  if (token) token.attrs = side === undefined ? [] : [['class', `align-${side}`]];
  return self.renderToken(tokens, index, options);
};

const purifier = DOMPurify(window);
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName === 'A') {
    const href = element.getAttribute('href') ?? '';
    if (isOpenable(href)) element.setAttribute('title', href);
    else element.removeAttribute('href');
  }
  if (element.tagName === 'IMG' && !isDataImage(element.getAttribute('src') ?? '')) element.remove();
});

const allowed = {
  ALLOWED_TAGS: [
    'p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a', 'img', 'table',
    'thead', 'tbody', 'tr', 'th', 'td', 'div', 'span', 'button',
  ], // prettier-ignore
  ALLOWED_ATTR: ['href', 'title', 'src', 'alt', 'class', 'start', 'type', 'aria-label', 'tabindex'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|data:image\/)/i,
  // The values of these attributes are not addresses, so the pattern above does not apply.
  ADD_URI_SAFE_ATTR: ['tabindex', 'start', 'type'],
  RETURN_DOM_FRAGMENT: true as const,
};

interface RenderOptions {
  folder: string | undefined;
  isLink: ((href: string) => boolean) | undefined;
}

/** A new fragment for one block of Markdown. */
export function renderMarkdown(
  text: string,
  references: LinkReferences = {},
  { folder, isLink = () => true }: RenderOptions,
): DocumentFragment {
  const environment = { references: { ...references }, [FOLDER]: folder };
  const fragment = purifier.sanitize(md.render(text, environment), allowed);
  // The browser itself opens an address, by the middle button or from its menu.
  for (const link of fragment.querySelectorAll('a[href]')) if (!isLink(link.getAttribute('href') ?? '')) link.removeAttribute('href');
  return fragment;
}
