/**
 * The changes of a session's folder that are in no commit yet. They can be discarded, or committed.
 *
 * What is discarded or committed is what the user has seen: a file that has changed since it was read last is left alone.
 */
import { DISCARD } from '../../ahp/changesetOperations.ts';
import { COMMIT_MESSAGE, MAX_COMMIT_MESSAGE, SEEN_CHANGES } from '../../ahp/commitMessage.ts';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ChangesetFile, ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChangesetOperationResult } from '../../ahp/channels/commands.ts';
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { ContentRef, FileEdit, FileEditSide, URI } from '../../ahp/common/shapes.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { lineCounts } from '../../base/text/lineChanges.ts';
import { utf8Of } from '../../base/text/utf8.ts';
import type { FileStep } from '../annotations/moveAnnotations.ts';
import type { Contents } from '../files/contentStore.ts';
import { commitFiles, filteredPaths, isMerging, NoIdentityError, NothingToCommitError, unstage } from '../../base/node/git/commitFiles.ts';
import { Git, GitError, workTreeOf } from '../../base/node/git/git.ts';
import type { FileContent } from '../files/workspace/treeFiles.ts';
import { changesetUri, namedChangeset } from '../state/chatUris.ts';
import type { ChangesetSource, ChangesetTarget, OperationRequest } from './changesetSource.ts';
import { filesOf, named, requireOperation } from './discardOperation.ts';
import { changedText, discardFiles, filteredText, unstageDiscarded } from './uncommittedDiscard.ts';
import {
  fileNow,
  GONE,
  headNow,
  MAX_FILES,
  TIMEOUT_MS,
  type Unlisted,
  type UncommittedFile,
  uncommittedFiles,
  type UncommittedFiles,
} from './uncommittedFiles.ts';

export interface UncommittedServices {
  contents: Pick<Contents, 'drop' | 'put' | 'read'>;
  /** Called for each file, with what it was and what it is now. */
  onDiscarded(session: URI, step: FileStep): void;
  /** Undefined where there is no such session. `workingDirectory`: a real path. */
  session(uri: URI): { title: string; workingDirectory: string } | undefined;
}
export interface UncommittedSource extends ChangesetSource {
  /** Call it when a session or a channel of this kind is disposed. */
  forget(channel: URI): void;
}

/** Bytes of all contents of one list that are kept. Others are read from the files themselves. */
const MAX_CONTENTS = 16 * 1024 * 1024;
const MAX_SUBJECT = 72;

/** Lists before the last one, which users may still have before them. */
const MAX_EARLIER = 20;

/** What a session's user has seen last. */
interface FileSnapshots extends Omit<UncommittedFiles, 'files'> {
  files: readonly SeenFile[];
  /** The contents that the list refers to, by digest. */
  contents: ReadonlyMap<string, ContentRef>;
  message: string;
  /** Changes whenever the files do, or what they would be committed to. */
  digest: string;
  /** The newest first. */
  earlier: readonly EarlierList[];
}
interface EarlierList extends Pick<FileSnapshots, 'head' | 'branch' | 'digest'> {
  marks: ReadonlyMap<string, string>;
}
interface SeenFile extends Pick<UncommittedFile, 'path' | 'mark'> {
  uri: URI;
  edit: FileEdit;
}

export function uncommittedChanges(services: UncommittedServices): UncommittedSource {
  return new Uncommitted(services);
}

class Uncommitted implements UncommittedSource {
  readonly kind = 'uncommitted';
  readonly asksGit = true;
  readonly #seen = new Map<URI, FileSnapshots>();

  constructor(private readonly services: UncommittedServices) {}

  async listed(session: URI): Promise<Changeset | undefined> {
    const folder = this.services.session(session)?.workingDirectory;
    if (folder === undefined || (await workTreeOf(folder, TIMEOUT_MS)) === undefined) return undefined;
    const uriTemplate = changesetUri({ kind: this.kind, session });
    return { label: l10n.t('Uncommitted Changes'), uriTemplate, changeKind: this.kind };
  }

  /** Where git fails the state says so. */
  async read({ session, workingDirectory }: ChangesetTarget): Promise<ChangesetState> {
    try {
      return await this.#read(session, workingDirectory);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      this.#forget(session);
      const message = l10n.t`Git could not tell what is uncommitted: ${error.message}`;
      return { status: 'error', error: { errorType: 'GitFailed', message }, files: [] };
    }
  }

  async invoke(target: ChangesetTarget, request: OperationRequest): Promise<ChangesetOperationResult> {
    const seen = this.#seen.get(target.session);
    if (!seen) throw conflict(l10n.t('The uncommitted changes have not been read yet. Look at them first.'));
    requireOperation(operationsOf(seen), request);
    try {
      const { head, branch } = await headNow(target.workingDirectory);
      if (head !== seen.head || branch !== seen.branch)
        throw conflict(l10n.t('There is another branch or last commit than when you saw the changes. Look at them again.'));
      if (request.seen !== undefined && request.seen !== seen.digest) requireSeen(seen, request.seen, request);
      if (request.operationId === 'commit') return { message: await commit(seen, request) };
      const files = targeted(seen, request);
      const { done, message } = await discard(seen, files);
      for (const { path, edit } of files)
        if (done.includes(path)) this.services.onDiscarded(target.session, { before: edit.after, after: edit.before });
      return { message };
    } catch (error) {
      throw error instanceof GitError ? new RpcError(ErrorCode.InternalError, l10n.t`Git failed: ${error.message}`) : error;
    }
  }

  forget(channel: URI): void {
    this.#forget(channel);
    const name = namedChangeset(channel);
    const seen = name?.kind === this.kind ? this.#seen.get(name.session) : undefined;
    if (!name || !seen) return;
    this.#drop(name.session, seen.contents);
    this.#seen.set(name.session, { ...seen, contents: new Map() });
  }

  #forget(session: URI): void {
    this.#drop(session, this.#seen.get(session)?.contents);
    this.#seen.delete(session);
  }

  /** They would push out what the session itself has kept. */
  #drop(session: URI, contents: ReadonlyMap<string, ContentRef> = new Map(), used: ReadonlyMap<string, ContentRef> = new Map()): void {
    for (const [digest, { uri }] of contents) if (used.get(digest)?.uri !== uri) this.services.contents.drop(uri, session);
  }

  async #read(session: URI, folder: string): Promise<ChangesetState> {
    const { files: found, ...rest } = await uncommittedFiles(folder);
    const contents = new KeptContents(session, this.services, this.#seen.get(session)?.contents);
    const files: ChangesetFile[] = [];
    const seenFiles: SeenFile[] = [];
    for (const file of found) {
      const { path, mark } = file;
      const uri = pathToFileURL(join(rest.top, path)).href;
      const edit = editOf(uri, file, contents);
      files.push({ id: uri, edit });
      seenFiles.push({ path, mark, uri, edit });
      // Counting the lines of many files must not hold everything else up.
      await setImmediate();
    }
    const message = suggestedMessage(this.services.session(session)?.title ?? '', found);
    const digest = sha256(JSON.stringify([rest.top, rest.head, rest.branch, seenFiles.map(({ path, mark }) => [path, mark])]));
    const last = this.#seen.get(session);
    const seen: FileSnapshots = { ...rest, files: seenFiles, contents: contents.used, message, digest, earlier: earlierOf(last, digest) };
    this.#drop(session, last?.contents, contents.used);
    // It may have been deleted meanwhile.
    if (this.services.session(session)) this.#seen.set(session, seen);
    else this.#forget(session);
    return { status: 'ready', files, operations: operationsOf(seen) };
  }
}

/** Keeps contents for a list. What the last list kept is used again. */
class KeptContents {
  readonly used = new Map<string, ContentRef>();
  #room = MAX_CONTENTS;

  constructor(
    private readonly session: URI,
    private readonly services: UncommittedServices,
    private readonly earlier: ReadonlyMap<string, ContentRef> = new Map(),
  ) {}

  /** Undefined where there is no room for it, or no session any more. */
  refOf(data: Uint8Array): ContentRef | undefined {
    const { contents } = this.services;
    if (data.length > this.#room || !this.services.session(this.session)) return undefined;
    this.#room -= data.length;
    const digest = sha256(data);
    const known = this.used.get(digest) ?? this.earlier.get(digest);
    const ref = known && contents.read(known.uri) ? known : contents.put(this.session, data, 'text/plain');
    this.used.set(digest, ref);
    return ref;
  }
}

function editOf(uri: URI, { before, after }: UncommittedFile, contents: KeptContents): FileEdit {
  const sideOf = (content: FileContent | undefined, text: string | undefined): FileEditSide | undefined => {
    if (content === undefined) return undefined;
    // What is large or not text refers to the file itself.
    const kept = content instanceof Uint8Array && text !== undefined ? contents.refOf(content) : undefined;
    return { uri, content: kept ?? { uri } };
  };
  const [old, fresh] = [textOf(before), textOf(after)];
  const [oldSide, freshSide] = [sideOf(before, old), sideOf(after, fresh)];
  const diff = old !== undefined && fresh !== undefined ? lineCounts(old, fresh) : undefined;
  return { ...(oldSide && { before: oldSide }), ...(freshSide && { after: freshSide }), ...(diff && { diff }) };
}

/** Undefined for what is large or not text. Without a file there is no text. */
function textOf(content: FileContent | undefined): string | undefined {
  if (content === undefined) return '';
  return content === 'unknown' ? undefined : utf8Of(content);
}

function operationsOf(seen: FileSnapshots): ChangesetOperation[] {
  const { files, branch, message, digest } = seen;
  const isEmpty = files.length === 0;
  const hindrance = commitHindrance(seen);
  const unlisted = unlistedTexts(seen.unlisted);
  return [
    {
      id: DISCARD,
      label: l10n.t('Discard Changes'),
      description: l10n.sentencesText([
        l10n.t('Puts files back to the last commit, and deletes those that it does not have.'),
        ...unlisted,
      ]),
      scopes: ['changeset', 'resource'],
      confirmation: l10n.t('Files go back to the last commit, and those that it does not have are deleted. This cannot be undone.'),
      icon: 'discard',
      status: isEmpty ? 'disabled' : 'idle',
      _meta: { [SEEN_CHANGES]: digest },
    },
    {
      id: 'commit',
      label: l10n.t('Commit…'),
      description: l10n.sentencesText([hindrance ?? l10n.t('Commits exactly these files.'), ...unlisted]),
      scopes: ['changeset'],
      confirmation: [
        l10n.t`Commits ${filesText(files.length)} to ${placeOf(branch)} with the message: ${message}`,
        l10n.sentencesText([l10n.t('Hooks of the repository are not run.'), ...unlisted]),
      ].join('\n\n'),
      icon: 'git-commit',
      status: hindrance === undefined ? 'idle' : 'disabled',
      _meta: { [COMMIT_MESSAGE]: message, [SEEN_CHANGES]: digest },
    },
  ];
}

/** One sentence or none. */
function unlistedTexts({ special, staged, unnamed }: Unlisted): string[] {
  const { countText, plural } = l10n;
  const parts = [
    special > 0 &&
      plural(
        special,
        l10n.t`${countText(special)} link or repository of its own`,
        l10n.t`${countText(special)} links or repositories of their own`,
      ),
    staged > 0 &&
      plural(
        staged,
        l10n.t`${countText(staged)} file that is staged, but on disk as in the last commit`,
        l10n.t`${countText(staged)} files that are staged, but on disk as in the last commit`,
      ),
    unnamed > 0 &&
      plural(
        unnamed,
        l10n.t`${countText(unnamed)} file whose name is not UTF-8`,
        l10n.t`${countText(unnamed)} files whose name is not UTF-8`,
      ),
  ].filter((part) => part !== false);
  return parts.length === 0 ? [] : [l10n.t`Left out: ${parts.join('; ')}.`];
}

function commitHindrance({ files, isCut, isMerging: isBegun }: Pick<FileSnapshots, 'files' | 'isCut' | 'isMerging'>): string | undefined {
  if (files.length === 0) return l10n.t('There is nothing to commit.');
  if (isCut) return l10n.t`More than ${l10n.countText(MAX_FILES)} files have changed, so not all are shown. Commit them with Git.`;
  return isBegun ? l10n.t('A merge, rebase or the like was begun. Finish it with Git.') : undefined;
}

function targeted(seen: FileSnapshots, { target }: OperationRequest): readonly SeenFile[] {
  const ids = new Set(
    filesOf(
      seen.files.map(({ uri: id, edit }) => ({ id, edit })),
      target,
    ).map(({ id }) => id),
  );
  return seen.files.filter(({ uri }) => ids.has(uri));
}

/** The lists before one with this digest. */
function earlierOf(last: FileSnapshots | undefined, digest: string): readonly EarlierList[] {
  if (!last || last.digest === digest) return last?.earlier ?? [];
  const marks = new Map(last.files.map(({ path, mark }) => [path, mark]));
  return [{ head: last.head, branch: last.branch, digest: last.digest, marks }, ...last.earlier].slice(0, MAX_EARLIER);
}

/** `digest`: of the list that the user saw, which is not the last one. Throws Conflict where what is to be done is not what it showed. */
function requireSeen(seen: FileSnapshots, digest: string, request: OperationRequest): void {
  if (!request.target)
    throw conflict(l10n.t('Nothing was done, because there are other changes than those that you saw. Look at them again.'));
  const list = seen.earlier.find((earlier) => earlier.digest === digest);
  const isSame =
    list &&
    list.head === seen.head &&
    list.branch === seen.branch &&
    targeted(seen, request).every(({ path, mark }) => list.marks.get(path) === mark);
  if (!isSame) throw conflict(l10n.t('Nothing was done, because the file is not what the list showed you. Look at it again.'));
}

async function discard({ top, head }: FileSnapshots, files: readonly SeenFile[]): Promise<{ done: readonly string[]; message: string }> {
  if (files.length === 0) throw conflict(l10n.t('There is nothing to discard.'));
  const { done, left } = await discardFiles(top, head, files);
  const problems = [...left].flatMap(([why, paths]) => problemOf(paths, why));
  if (done.length === 0) throw conflict(l10n.sentencesText([l10n.t('Nothing was discarded.'), ...problems]));
  const said = l10n.sentencesText([discardedText(done.length), ...problems]);
  return { done, message: await withIndex(said, () => unstageDiscarded(top, head, done)) };
}

/** What was done is told also where the index is left as it was. */
async function withIndex(said: string, update: () => Promise<void>): Promise<string> {
  try {
    await update();
    return said;
  } catch (error) {
    return l10n.sentencesText([said, l10n.t`Git’s index could not be updated: ${messageOf(error)}`]);
  }
}

async function commit(seen: FileSnapshots, { commitMessage }: OperationRequest): Promise<string> {
  const message = (commitMessage ?? seen.message).trim();
  if (message === '' || message.length > MAX_COMMIT_MESSAGE || message.includes('\0'))
    throw new RpcError(
      ErrorCode.InvalidParams,
      l10n.t`the commit needs a message of at most ${l10n.countText(MAX_COMMIT_MESSAGE)} characters`,
    );
  const { top, head, branch, files } = seen;
  const git = await Git.in(top);
  const hindrance = commitHindrance({ ...seen, isMerging: await isMerging(git) });
  if (hindrance !== undefined) throw conflict(hindrance);
  const paths = pathsOf(files);
  const filtered = await filteredPaths(git, paths);
  if (filtered.length > 0) throw notCommitted(filtered, filteredText());
  const verify = async () => {
    const changed = await changedPaths(top, files);
    if (changed.length > 0) throw notCommitted(changed, changedText());
  };
  await verify();
  const [gone, there] = [files.filter(({ mark }) => mark === GONE), files.filter(({ mark }) => mark !== GONE)];
  const hash = await commitFiles({ ...{ top, parent: head, message, verify }, paths: pathsOf(there), gone: pathsOf(gone) }).catch(
    (error: unknown) => {
      if (error instanceof NoIdentityError)
        throw conflict(
          l10n.t('Git does not know who you are. Set your name and e-mail address with “git config --global user.name” and “user.email”.'),
        );
      throw error instanceof NothingToCommitError
        ? conflict(l10n.t('There is nothing to commit: Git stores the files as they were.'))
        : error;
    },
  );
  return await withIndex(l10n.t`Committed ${filesText(files.length)} to ${placeOf(branch)} as ${hash}.`, () => unstage(top, paths));
}

/** Those that are not what they were. */
async function changedPaths(top: string, files: readonly SeenFile[]): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, mark } of files) if ((await fileNow(top, path)).mark !== mark) changed.push(path);
  return changed;
}

function suggestedMessage(title: string, files: readonly UncommittedFile[]): string {
  const line = title.replace(/\s+/g, ' ').trim();
  if (line !== '') return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1).trimEnd()}…` : line;
  // It stands in the repository, for everybody.
  return files.length === 1 ? 'Change 1 file' : `Change ${files.length} files`;
}

function pathsOf(files: readonly SeenFile[]): string[] {
  return files.map(({ path }) => path);
}

/** Such as `Left as they are, because they changed since you saw them: a, b, and 3 more.` Empty without paths. `why`: without them. */
function problemOf(paths: Iterable<string>, why: string): string[] {
  const all = [...paths].sort();
  if (all.length === 0) return [];
  return [l10n.t`${why}: ${named(all, ', ')}.`];
}

function notCommitted(paths: readonly string[], why: string): RpcError {
  return conflict(l10n.sentencesText([l10n.t('Nothing was committed.'), ...problemOf(paths, why)]));
}

function discardedText(count: number): string {
  return l10n.plural(
    count,
    l10n.t`The changes of ${l10n.countText(count)} file were discarded.`,
    l10n.t`The changes of ${l10n.countText(count)} files were discarded.`,
  );
}

function filesText(count: number): string {
  return l10n.plural(count, l10n.t`${l10n.countText(count)} file`, l10n.t`${l10n.countText(count)} files`);
}

function placeOf(branch: string | undefined): string {
  return branch ?? l10n.t('no branch (HEAD is detached)');
}

function conflict(message: string): RpcError {
  return new RpcError(ErrorCode.Conflict, message);
}
