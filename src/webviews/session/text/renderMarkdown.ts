/**
 * Renders the Markdown of a model or host as safe HTML, without raw HTML, scripts and remote content. Links have http, https, mailto or file
 * targets (a relative link, and a path in backticks, is a file of the working directory), have their target as title, and are opened by the extension.
 * Bare addresses of http and https are links. Remote images become links. Items of task lists have a box that cannot be changed.
 */
import * as l10n from '../../../base/l10n.ts';
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { withoutEnd } from '../../../base/text/ends.ts';
import { isDataImage } from '../../../views/text/dataImage.ts';
import { LOOKED_AT } from '../../../views/text/markdown/codeTarget.ts';
import { isFilePath } from '../../../views/text/filePath.ts';
import { isShell } from '../../../views/text/markdown/usableCode.ts';
import { type MarkdownBlock, tokensOf } from '../../../views/text/markdown/blockTokens.ts';

/** In the environment of the renderer: the URI of the folder for relative links. */
const FOLDER = 'folder';
/** In the environment too: code has buttons that need VS Code. */
const CAN_USE = 'canUse';

/** The `meta` of a token of code. */
const IS_PATH = { isPath: true };

/** In characters. In a longer paragraph bare addresses are no links. */
const MAX_LINKED = 10_000;

const md = new MarkdownIt({ html: false, linkify: true });
// Only what begins with its scheme: `a.py` is no address, and `//server` is a file of another computer.
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
for (const scheme of ['ftp:', 'mailto:', '//']) md.linkify.add(scheme, null);
// The search for addresses takes longer than the text is long.
const { linkify } = md;
const [test, matchAtStart] = [linkify.test.bind(linkify), linkify.matchAtStart.bind(linkify)];
linkify.test = (text) => text.length <= MAX_LINKED && test(text);
linkify.matchAtStart = (text) => (text.length <= MAX_LINKED ? matchAtStart(text) : null);
// What is shown is the address that is opened, without any translation.
md.normalizeLinkText = (url) => url;

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
  const file = link.replace(/:(\d+)(?::(\d+))?$/, (_, line: string, column?: string) => `#L${line}${column ? `,${column}` : ''}`);
  const base = `${withoutEnd(folder, '/')}/`;
  const url = URL.canParse(file, base) ? new URL(file, base) : undefined;
  return url?.protocol === 'file:' && url.host === '' ? url.href : undefined;
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

md.renderer.rules.code_inline = (tokens, index, _options, env) => {
  const { content = '', meta } = tokens[index] ?? {};
  const code = `<code>${md.utils.escapeHtml(content)}</code>`;
  const file = meta === IS_PATH ? fileOf(content, env?.[FOLDER]) : undefined;
  return file === undefined ? code : `<a href="${md.utils.escapeHtml(file)}">${code}</a>`;
};

/** Marks the code that looks like a file and is not in a link already. */
md.core.ruler.after('inline', 'file_paths', ({ tokens }) => {
  for (const { children } of tokens) {
    let links = 0;
    for (const token of children ?? []) {
      if (token.type === 'link_open') links++;
      else if (token.type === 'link_close') links--;
      else if (token.type === 'code_inline' && links === 0 && isFilePath(token.content)) token.meta = IS_PATH;
    }
  }
});

md.core.ruler.after('inline', 'task_list', ({ tokens, Token }) => {
  tokens.forEach(({ children }, index) => {
    const first = children?.[0];
    const isItem = tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
    const [mark, done] = (isItem && first?.type === 'text' && /^\[([ xX])\] /.exec(first.content)) || [];
    if (!first || !children || mark === undefined) return;
    const box = new Token('task_box', '', 0);
    box.content = done === ' ' ? 'open' : 'done';
    first.content = first.content.slice(mark.length);
    children.unshift(box);
    tokens[index - 2]?.attrJoin('class', 'task');
  });
});
md.renderer.rules.task_box = (tokens, index) => {
  const isDone = tokens[index]?.content === 'done';
  // eslint-disable-next-line texts/translated -- classes
  const icon = isDone ? ' codicon codicon-check' : '';
  return `<span class="task-box${icon}" role="checkbox" aria-checked="${isDone}" aria-disabled="true" aria-label="${md.utils.escapeHtml(isDone ? l10n.t('Done') : l10n.t('To do'))}"></span>`;
};

const codeButton = (name: string, text: string, icon: string) => {
  const label = md.utils.escapeHtml(text);
  return `<button type="button" class="icon-button ${name}" aria-label="${label}" title="${label}"><span class="codicon codicon-${icon}"></span></button>`;
};

const codeBlock = (content: string, info: string, isComplete: boolean, canUse: boolean) => {
  const language = /^\S*/.exec(info)?.[0] ?? '';
  const { escapeHtml } = md.utils;
  const label = language === '' ? l10n.t('text') : language;
  const coloured = language !== '' && isComplete ? ` data-language="${escapeHtml(language)}"` : '';
  const named = info === '' ? '' : ` data-info="${escapeHtml(info.slice(0, LOOKED_AT.info))}"`;
  const canApply = canUse && isComplete && !isShell(language);
  return (
    `<div class="code-block"><div class="code-head"><span>${escapeHtml(label)}</span>` +
    `<span class="code-buttons">${canUse && isShell(language) ? codeButton('terminal-code', l10n.t('Type into a terminal, without running it'), 'terminal') : ''}` +
    `${canApply ? codeButton('apply-code', l10n.t('Apply to a file, after a look at the difference'), 'diff') : ''}` +
    `${canUse ? codeButton('insert-code', l10n.t('Insert at cursor'), 'insert') : ''}${codeButton('copy-code', l10n.t('Copy code'), 'copy')}</span></div>` +
    `<pre tabindex="0"><code${coloured}${named}>${escapeHtml(content)}</code></pre></div>`
  );
};
md.renderer.rules.fence = (tokens, index, _options, env) => {
  const { content = '', info = '', map } = tokens[index] ?? {};
  const [start, end] = map ?? [0, 0];
  // A block that still grows has no last line.
  const isComplete = end - start === 2 + (content === '' ? 0 : withoutEnd(content, '\n').split('\n').length);
  return codeBlock(content, info.trim(), isComplete, env?.[CAN_USE] === true);
};
md.renderer.rules.code_block = (tokens, index, _options, env) => codeBlock(tokens[index]?.content ?? '', '', true, env?.[CAN_USE] === true);
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
  ALLOWED_ATTR: [
    'href',
    'title',
    'src',
    'alt',
    'class',
    'start',
    'type',
    'role',
    'aria-label',
    'aria-checked',
    'aria-disabled',
    'tabindex',
  ],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|data:image\/)/i,
  // The values of these attributes are not addresses, so the pattern above does not apply.
  ADD_URI_SAFE_ATTR: ['tabindex', 'start', 'type'],
  IN_PLACE: true,
};

/** Without scripts, and nothing in it is loaded. It is one for all blocks: DOMPurify itself would make one for each. */
const inert = document.implementation.createHTMLDocument('');

function sanitized(html: string): DocumentFragment {
  const box = inert.createElement('div');
  box.innerHTML = html;
  purifier.sanitize(box, allowed);
  const fragment = document.createDocumentFragment();
  fragment.append(...box.childNodes);
  return fragment;
}

export interface RenderOptions {
  folder: string | undefined;
  isLink: ((href: string) => boolean) | undefined;
  canUse: boolean;
}

/** A new fragment for one block of Markdown. An item or a row is in its list or table. `at`: the place of the block. */
export function renderMarkdown(block: MarkdownBlock, at: number, { folder, isLink = () => true, canUse }: RenderOptions): DocumentFragment {
  const environment = { references: { ...block.references }, [FOLDER]: folder, [CAN_USE]: canUse };
  const html = md.renderer.render(tokensOf(md, block, at, environment), md.options, environment);
  const fragment = sanitized(html);
  // The browser itself opens an address, by the middle button or from its menu.
  for (const link of fragment.querySelectorAll('a[href]')) if (!isLink(link.getAttribute('href') ?? '')) link.removeAttribute('href');
  return fragment;
}
