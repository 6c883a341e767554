// The readme of the package, from a page of `docs/`: its links lead into the repository, as nothing lies beside it where it is shown.
import { posix } from 'node:path';

const LINK = /(\]\()([^)\s]+)(\))/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const PICTURE = /\.(?:png|gif|jpe?g|webp)$/i;

/** `page`: its path in the repository. `repository`: its address for browsers. */
export function packagedReadme(markdown, page, repository) {
  return markdown.replace(LINK, (whole, before, target, after) => {
    if (SCHEME.test(target) || target.startsWith('#')) return whole;
    const path = posix.join(posix.dirname(page), target);
    return `${before}${repository}/${PICTURE.test(path) ? 'raw' : 'blob'}/HEAD/${path}${after}`;
  });
}

/** From the manifest's `repository`. */
export const addressOf = ({ repository }) => repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** A publisher has not put the addresses in yet. */
export const isPlaceholder = (address) => new URL(address).hostname === 'example.invalid';
