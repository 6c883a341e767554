/** Imports a module only with the content that the user has allowed. What is compared is what runs: the file is not read a second time. */
import { register } from 'node:module';

/**
 * A module for Node's thread of loader hooks. The first file that is loaded after `register` is the provider. Node would read a module of
 * CommonJS again, and gives one that comes from a hook a `require` that lacks its cache and, in some versions, JSON. So it is compiled in a
 * module around it, as Node's own loader does it.
 */
const HOOKS = `
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
let expected;
export function initialize({ digest }) { expected = digest; }
export async function load(url, context, nextLoad) {
  if (expected === undefined || !url.startsWith('file:')) return nextLoad(url, context);
  const digest = expected;
  expected = undefined;
  const loaded = await nextLoad(url, context);
  const source = loaded.source ?? (await readFile(new URL(url)));
  if (createHash('sha256').update(source).digest('hex') !== digest) throw new Error('its file has changed since it was allowed');
  if (loaded.format !== 'commonjs') return { ...loaded, source };
  const path = fileURLToPath(url);
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  return { format: 'module', shortCircuit: true, source: compiling(path, text) };
}
function compiling(path, text) {
  const [file, folder, code] = [path, dirname(path), text].map((part) => JSON.stringify(part));
  return [
    "import Module from 'node:module';",
    'const module = new Module(' + file + ');',
    'module.filename = ' + file + ';',
    'module.paths = Module._nodeModulePaths(' + folder + ');',
    'Module._cache[' + file + '] = module;',
    'module._compile(' + code + ', ' + file + ');',
    'module.loaded = true;',
    'export default module.exports;',
  ].join('\\n');
}`;

/** `digest`: SHA-256 of the file, in hex. Call it once, before anything else is imported. Rejects where the file has another content. */
export function importCompared(url: string, digest: string): Promise<unknown> {
  register(`data:text/javascript;base64,${Buffer.from(HOOKS).toString('base64')}`, { data: { digest } });
  return import(url);
}
