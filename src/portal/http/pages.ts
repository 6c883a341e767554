/** The static files. All of them are read at the start, so no request leads to a path. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Hono } from 'hono';
import { type PortalEnv, problemAnswer } from './answers.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Pages load nothing from elsewhere, run no inline script, and are not framed. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds them. Returns their paths: a browser may open these from anywhere, and nothing else. */
export function addPages(app: Hono<PortalEnv>, folder: string): ReadonlySet<string> {
  const pages = new Set<string>();
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const data = readFileSync(join(folder, name));
    const paths = name === 'index.html' ? ['/', '/index.html'] : [`/${name}`];
    for (const path of paths) pages.add(path);
    app.on('GET', paths, (c) => c.body(data, 200, { 'Content-Type': type, 'Content-Security-Policy': POLICY }));
  }
  app.notFound(() => problemAnswer(404, 'NotFound', 'There is no such page or route.'));
  return pages;
}
