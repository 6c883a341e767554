/** Which resources a provider is called for, by its selectors. */
import picomatch from 'picomatch';
import { bounded, isOutOfTime } from '../../base/node/bounded.ts';
import * as z from 'zod/mini';
import { type Listed, listed } from '../protocol/listed.ts';
import { type Resource, type Selector, selector } from '../protocol/messages.ts';

/** Characters. */
const MAX_GLOB = 1_000;
const MAX_SELECTORS = 1_000;
/**
 * All globs of a provider together: they become regular expressions, and some take very long. The second try is for a busy computer, where the first
 * time may have been that of other programs.
 */
const MATCH_MS = [100, 200];

const usable = selector.check(
  z.refine(({ path }) => path === undefined || path.length <= MAX_GLOB, `has a path of more than ${MAX_GLOB} characters`),
  z.refine(({ path }) => path === undefined || withoutSlash(path) !== '', 'has an empty path'),
);

/** Those that can be used. One that is wrong is left out and named, and the provider is asked by the others. */
export function readSelectors(given: readonly unknown[]): Listed<Selector> {
  return listed(given, usable, 'selectors');
}

/**
 * Undefined: always. An empty list: never. Otherwise one of them must match (openctx.md, “Selectors”). `withHost`: globs are for the host and
 * the path, as the seed has it, and not for the path alone.
 */
export function matchesSelectors(selectors: readonly Selector[] | null | undefined, resource: Resource, withHost = false): boolean {
  if (!selectors) return true;
  const { hostname, pathname } = new URL(resource.uri);
  // Percent signs stay as they are in the published client too.
  return matchesPaths(selectors, [withHost ? hostname + pathname : pathname], resource.content);
}

/** Of one resource, which has several paths. */
export function matchesPaths(selectors: readonly Selector[], paths: readonly string[], content: string): boolean {
  if (selectors.length > MAX_SELECTORS) throw new Error(`the provider has more than ${MAX_SELECTORS} selectors`);
  const all = paths.map(withoutSlash);
  const match = () => selectors.map(compile).some((matches) => all.some((path) => matches(path, content)));
  for (const ms of MATCH_MS) {
    try {
      return bounded(match, ms);
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
  }
  throw new Error('the provider has selectors that take too long');
}

/** Throws for a glob that is wrong, also where another selector would match. */
function compile({ path: glob, contentContains }: Selector): (path: string, content: string) => boolean {
  if (typeof glob === 'string' && glob.length > MAX_GLOB) throw new Error(`a selector has a path of more than ${MAX_GLOB} characters`);
  const isMatch = typeof glob === 'string' ? picomatch(withoutSlash(glob)) : () => true;
  return (path, content) => isMatch(path) && (typeof contentContains !== 'string' || content.includes(contentContains));
}

function withoutSlash(text: string): string {
  return text.replace(/^\//, '');
}
