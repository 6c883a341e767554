/**
 * The modules of an entry: what it imports is as much a part of it as its own file. Node says what it resolves for them, also what is not there
 * yet. Files that the entry reads in another way, and programs that it starts, are not known.
 */
import { realpathSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { isModuleName, type OwnModules } from '../host/agents/copilot/permissions/runsLater.ts';

/** Runs in Node's thread for such hooks. Tells of each import its parent, the specifier, and then the URL that it was resolved to. */
const HOOKS = `
let port;
export function initialize(given) { port = given; }
export async function resolve(specifier, context, next) {
  port.postMessage([context.parentURL, specifier]);
  const found = await next(specifier, context);
  port.postMessage([context.parentURL, found.url]);
  return found;
}`;

/** All modules of CommonJS that this process has loaded, by path. */
const { cache } = createRequire(process.execPath);

export class EntryModules implements OwnModules {
  readonly folders = new Set<string>();
  readonly files = new Set<string>();
  /** What the entry consists of so far. */
  readonly #modules = new Set<string>();
  #port: MessagePort | undefined;

  /** Loads the module at that path by `load`, and adds what it imports. The modules in its own folder, and below, belong to it in any case. */
  async collect<T>(file: string, load: () => Promise<T>): Promise<T> {
    const port = (this.#port ??= this.#listen());
    for (const path of [file, realpathSync(file)]) this.#add(path);
    const before = new Set(Object.keys(cache));
    try {
      return await load();
    } finally {
      for (let told; (told = receiveMessageOnPort(port));) this.#hear(told.message as Resolution);
      for (const path of Object.keys(cache)) if (!before.has(path)) this.#addRequired(path);
    }
  }

  #listen(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: port2, transferList: [port2] });
    // What it imports later counts too.
    port1.on('message', (told: Resolution) => this.#hear(told));
    port1.unref();
    return port1;
  }

  #hear([parent, found]: Resolution): void {
    const from = parent === undefined ? undefined : pathOf(parent);
    if (from === undefined || !this.#modules.has(from)) return;
    const path = pathOf(found, parent);
    if (path !== undefined) this.#add(path);
  }

  #addRequired(path: string): void {
    this.#add(path);
    // It may have been required by the name of its folder, and a file of that name would come first.
    if (/^index\./.test(basename(path))) this.#addFolder(dirname(dirname(path)));
  }

  #add(path: string): void {
    this.#modules.add(path);
    // A package's files are asked about wherever they are.
    if (path.includes(`${sep}node_modules${sep}`)) return;
    if (!isModuleName(basename(path))) this.files.add(path);
    this.#addFolder(dirname(path));
  }

  #addFolder(folder: string): void {
    if (![...this.folders].some((known) => folder === known || folder.startsWith(known + sep))) this.folders.add(folder);
  }
}

type Resolution = [parent: string | undefined, found: string];

/** Undefined for what is no file: a package's name, or a module of Node itself. */
function pathOf(specifier: string, parent?: string): string | undefined {
  if (!/^(\.{0,2}\/|file:)/.test(specifier) || !URL.canParse(specifier, parent)) return undefined;
  const url = new URL(specifier, parent);
  url.search = url.hash = '';
  try {
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined; // With an encoded slash, or on another host.
  }
}
