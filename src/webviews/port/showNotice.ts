/** Tells the user something that has no place of its own on the page. It stays until the user has seen it. */
import * as l10n from '../../base/l10n.ts';

export function showNotice(text: string): void {
  const words = document.createElement('span');
  words.textContent = text;
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = l10n.t('Dismiss');
  const notice = document.createElement('div');
  notice.className = 'page-notice';
  notice.setAttribute('role', 'alert');
  notice.append(words, close);
  close.addEventListener('click', () => notice.remove());
  // The page draws all of its body itself.
  document.body.after(notice);
}
