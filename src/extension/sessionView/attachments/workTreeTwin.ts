/** The file of one work tree of a Git repository that another work tree has at the same place. Git is not run: a folder may configure what it runs. */
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

const MAX_DEPTH = 64;
/** Bytes of a file of Git that holds one path. */
const MAX_POINTER = 8_192;

interface WorkTree {
  /** Its top folder. */
  root: string;
  /** The folder in which all work trees of the repository meet. */
  repository: string;
}

/** Paths are absolute. Undefined where `path` is of no other work tree of the repository, or this one does not have it. */
export async function twinIn(folder: string, path: string): Promise<string | undefined> {
  const [own, other] = await Promise.all([workTreeOf(folder), workTreeOf(path)]);
  if (!own || !other || own.root === other.root || own.repository !== other.repository) return undefined;
  const twin = join(own.root, relative(other.root, await realpath(path)));
  // A link in the work tree may lead anywhere, and what it leads to is not the user's file.
  const real = await realpath(twin).catch(() => undefined);
  return real === own.root || real?.startsWith(own.root + sep) ? twin : undefined;
}

async function workTreeOf(path: string): Promise<WorkTree | undefined> {
  let root = await realpath(path).catch(() => undefined);
  for (let depth = 0; root !== undefined && depth < MAX_DEPTH; depth++) {
    const git = join(root, '.git');
    const found = await lstat(git).catch(() => undefined);
    const repository = found?.isDirectory() ? await realpath(git) : found?.isFile() ? await repositoryOf(root, git) : undefined;
    if (repository !== undefined) return { root, repository };
    root = dirname(root) === root ? undefined : dirname(root);
  }
  return undefined;
}

/** `git`: the file that a work tree has in place of the folder. */
async function repositoryOf(root: string, git: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)$/m.exec((await startOf(git)) ?? '')?.[1];
  if (named === undefined) return undefined;
  const own = resolve(root, named.trim());
  // A computer of the network would be asked with the user's name.
  if (own.startsWith('\\\\')) return undefined;
  const common = await startOf(join(own, 'commondir'));
  return realpath(common === undefined ? own : resolve(own, common.trim())).catch(() => undefined);
}

async function startOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  const file = found?.isFile() ? await open(path).catch(() => undefined) : undefined;
  try {
    const read = await file?.read(Buffer.alloc(MAX_POINTER), 0, MAX_POINTER, 0);
    return read?.buffer.toString('utf8', 0, read.bytesRead);
  } finally {
    await file?.close();
  }
}
