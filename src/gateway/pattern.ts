/** Regular expressions of providers: an engine whose time is linear in the text, so that no pattern can stall the gateway. */
import { RE2JS } from 're2js';
import { messageOf } from '../base/errors.ts';
import { ProviderError } from '../tap/errorCodes.ts';

export type Pattern = (text: string) => boolean;

/** Throws a {@link ProviderError} that names `field` when the pattern does not compile (look-around and back references do not exist here). */
export function compilePattern(source: string, field: string): Pattern {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    throw new ProviderError('INVALID_JSON', `${field}: ${messageOf(error)}`);
  }
  return (text) => compiled.test(text);
}

/** `*` stands for anything but a slash, `**` for anything, `?` for one character. Without a slash the last part of the path is enough. */
export function compileGlob(glob: string, field: string): Pattern {
  const source = glob.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return RE2JS.quote(part);
  });
  const pattern = compilePattern(`^${glob.includes('/') ? '' : '(?:.*/)?'}${source}$`, field);
  return (path) => pattern(path.replaceAll('\\', '/'));
}
