/** Addresses of Git's remotes, as repositories name them. An agent may have written one. */
import { isAbsolute, resolve } from 'node:path';
import { phrase } from '../../base/text/phrase.ts';
import { UserError } from '../../base/errors.ts';

export interface RemoteAddress {
  /** Without names and passwords with which somebody signs in. */
  shown: string;
  /** It is a repository on this computer, whose own hooks run when something is pushed to it. */
  isFolder: boolean;
  /** Where its pages are, with the port if it is not that of https. Absent for a folder. */
  host?: string;
  /** `OWNER/NAME` there, where it has such a name. */
  repository?: string;
}

const MAX_ADDRESS = 2_000;
/** A letter and a colon are a drive. */
const OTHER_MACHINE = /^(?:[^@/\\:]+@)?([\w.-]{2,}|\[[\da-f:.]+\]):(?!:)(.*)$/is;
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** Of an address for {@link remoteAddress}: a folder as its absolute path. */
export function fromFolder(url: string, top: string): string {
  return HAS_SCHEME.test(url) || OTHER_MACHINE.test(url) || url.includes('::') || isAbsolute(url) ? url : resolve(top, url);
}

/** Throws a {@link UserError} for what is not pushed to. */
export function remoteAddress(url: string): RemoteAddress {
  if (url === '' || url.length > MAX_ADDRESS || url.startsWith('-') || /[\u0000-\u001f\u007f]/.test(url))
    throw new UserError(phrase`The remote has no proper address.`);
  if (HAS_SCHEME.test(url)) return ofUrl(url);
  const [, host, path = ''] = OTHER_MACHINE.exec(url) ?? [];
  if (host !== undefined) return { shown: `${host}:${path}`, isFolder: false, ...placeOf(pagesHost(host.toLowerCase()), path) };
  if (url.includes('::')) throw refused(url.slice(0, url.indexOf('::')));
  return { shown: url, isFolder: true };
}

/** Addresses in a text without what is between `//` and `@`. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(?<=[a-z\d]:\/\/)[^\s/]*@/gi, '');
}

/**
 * The address that a remote has named for a new pull or merge request, in what Git repeats of its words. Undefined: it has named none that is on the
 * pages of the host.
 */
export function requestPage(said: string, host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  // GitHub also names pages about other things.
  let isAbout = false;
  for (const line of said.split(/[\n\r]+/)) {
    const words = /^remote:(.*)$/.exec(line)?.[1]?.trim();
    if (words === undefined || words === '') continue;
    const [address, ...more] = words.match(/https:\/\/[^\s<>"'`]+/g) ?? [];
    isAbout = /\b(?:pull|merge)[ -]requests?\b/i.test(words.replace(address ?? '', '')) || (isAbout && address !== undefined);
    const page = isAbout && more.length === 0 ? pageOf(address, host) : undefined;
    if (page !== undefined) return page;
  }
  return undefined;
}

/** The address, where it is that of a page of the host. */
export function pageOf(address: string | undefined, host: string): string | undefined {
  const url = address === undefined || address.length > MAX_ADDRESS ? null : URL.parse(address);
  if (url?.protocol !== 'https:' || url.host !== host || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}

function ofUrl(url: string): RemoteAddress {
  const parsed = URL.parse(url);
  const shown = withoutSecrets(url);
  switch (parsed?.protocol) {
    case 'file:':
      return { shown, isFolder: true };
    case 'https:':
      return { shown, isFolder: false, ...placeOf(parsed.host, parsed.pathname) };
    case 'ssh:':
      // Pages are at another port.
      return { shown, isFolder: false, ...placeOf(pagesHost(parsed.hostname.toLowerCase()), parsed.pathname) };
    default:
      throw refused(url.slice(0, url.indexOf(':')));
  }
}

function placeOf(host: string, path: string): Pick<RemoteAddress, 'host' | 'repository'> {
  const [, owner, name] = /^\/*([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(path) ?? [];
  const isName = owner !== undefined && name !== undefined && !/^\.*$/.test(owner) && !/^\.*$/.test(name) && !owner.startsWith('-');
  return { host, ...(isName && { repository: `${owner}/${name}` }) };
}

/** Those that have a host of their own for SSH name it after that of their pages. */
function pagesHost(host: string): string {
  return host.replace(/^(?:alt)?ssh\.(?=[^.]+\.[^.])/, '');
}

function refused(scheme: string): UserError {
  return new UserError(phrase`Nothing is pushed by “${scheme}” from here, only by https, ssh, and to a folder. Push with Git.`);
}
