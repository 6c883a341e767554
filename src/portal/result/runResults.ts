/** Reads what runs have brought about, and does with it what the user wants. What a client names is looked for among what the run itself has. */
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChangesetFile } from '../../ahp/channels/changeset.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError, wordsOf } from '../../base/errors.ts';
import { revisionOf } from '../../base/node/sha256.ts';
import type {
  ChangedFile,
  ChangedTree,
  ChangesDiscarded,
  ChangesOfSession,
  CommitPlan,
  DocumentText,
  FileTexts,
  ResultCommitted,
} from '../../views/portal/answers/resultAnswers.ts';
import { hostIdOf } from '../../views/portal/wire/pageWire.ts';
import { type FileEditView, fileEditView } from '../../views/session/toolCall/fileEditView.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { PortalHosts } from '../pages/portalHosts.ts';
import type { JobState, StepState } from '../runs/jobState.ts';
import type { ResultChange } from '../runs/resultChange.ts';
import type { StepKey } from '../runs/runEvents.ts';
import { RUN_TREE, type WorktreeState } from '../runs/worktreeState.ts';
import { commitOnBranch, commitPlan, type RunToCommit } from './commitOnBranch.ts';
import { discardChanges, discardQuestion } from './discardChanges.ts';
import { readDocument } from './documents.ts';
import { placeNow } from './placeNow.ts';
import { MAX_SAID, type ResultError, resultError, type ResultOfStep, type RunResult } from './runResult.ts';
import { english, type Phrase, phrase, withValues } from '../../base/text/phrase.ts';
import { readFolder, readSessionChanges, readTexts, type SessionChanges } from './sessionChanges.ts';

/** Until a host has told the changes of all sessions that are asked for at once. */
const READ_MS = 10_000;
/** Sessions that are asked for at once. */
const AT_ONCE = 8;
/** Sessions of a run that are looked at, the newest. */
const MAX_SESSIONS = 200;
/** Files of a session that are listed. */
const MAX_FILES = 200;
/** Files of a change that are recorded by name. */
const MAX_NAMED = 20;
/** Characters. */
const MAX_PATH = 1_000;

export interface RunResultsOptions {
  hosts: Pick<PortalHosts, 'get'>;
  sessions: { uriOf(sessionId: string): URI };
  /** Of the run now. Undefined: it was deleted. */
  jobState(jobId: string): JobState | undefined;
  /** Records what was done. Never rejects. */
  note: (jobId: string, change: ResultChange) => Promise<void>;
  /** What is done with Git in the folder of a job and its work trees, one after the other. */
  inOrder: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
}

/** One session of a run. */
interface Place {
  readonly step: StepState;
  readonly sessionId: string;
  readonly host: string | undefined;
}

/** `file` absent: all that the session has changed. `revision`: of what the user has seen. */
export interface DiscardRequest {
  sessionId: string;
  file?: string | undefined;
  revision: string;
}

/** `worktree`: as in {@link RunResults.commitPlan}. `revision`: of the plan that the user has seen. */
export interface CommitRequest {
  worktree?: string | undefined;
  branch: string;
  message: string;
  revision: string;
}

/** A document that a step has reported. */
export interface DocumentRef {
  step: StepKey;
  /** As in the result. */
  document: string;
}

/** A file of the changes of a session. */
export interface ChangeRef {
  sessionId: string;
  file: string;
}

export class RunResults {
  readonly #options: RunResultsOptions;

  constructor(options: RunResultsOptions) {
    this.#options = options;
  }

  async result(job: JobState): Promise<RunResult> {
    const places = placesOf(job).slice(-MAX_SESSIONS);
    const found = new Map<Place, Listed | Phrase>();
    for (let at = 0; at < places.length; at += AT_ONCE) {
      const some = places.slice(at, at + AT_ONCE);
      const limit = AbortSignal.timeout(READ_MS);
      await Promise.all(some.map(async (place) => found.set(place, await this.#listed(job, place, limit))));
    }
    const trees = new Map<string, ChangedTree>();
    const steps = job.steps.map((step) => {
      const own = [...found].flatMap(([place, of]) => (place.step === step ? [of] : []));
      return resultOfStep(
        step,
        own.flatMap((one) => ('changes' in one ? [one.changes] : [])),
        own.filter((one) => 'text' in one),
      );
    });
    for (const of of found.values()) if ('trees' in of) for (const { id, path, branch } of of.trees) trees.set(path, { id, path, branch });
    return {
      jobId: job.jobId,
      ...(job.worktrees && { worktrees: [...trees.values()] }),
      steps: steps.filter(({ changes, documents, problems }) => changes.length + documents.length + problems.length > 0),
    };
  }

  async texts(job: JobState, ref: ChangeRef): Promise<FileTexts | ResultError<'ChangeNotFound' | 'ContentUnavailable'>> {
    const place = placeOf(job, ref.sessionId);
    const client = place && this.#client(place);
    if (!client) return notFound;
    try {
      const { files } = await this.#read(client, place, AbortSignal.timeout(READ_MS));
      const file = files.find(({ id }) => id === ref.file);
      return file ? await readTexts(client, file) : notFound;
    } catch (error) {
      return resultError('ContentUnavailable', wordsOf(error));
    }
  }

  async discard(
    job: JobState,
    { sessionId, file, revision }: DiscardRequest,
    by: string,
  ): Promise<ChangesDiscarded | ResultError<'ChangeNotFound' | 'ChangeChanged' | 'DiscardRefused'>> {
    const place = placeOf(job, sessionId);
    const client = place && this.#client(place);
    if (!client) return notFound;
    try {
      const changes = await this.#read(client, place, AbortSignal.timeout(READ_MS));
      const committed = committedAt(job, changes);
      if (committed !== undefined) return resultError('DiscardRefused', committed);
      const one = changes.files.find(({ id }) => id === file);
      if (file !== undefined && !one) return notFound;
      if (revision !== (one ? revisionOf(one.edit) : revisionOfAll(changes)))
        return resultError(
          'ChangeChanged',
          phrase`Nothing was discarded, because the changes are others than you saw. Look at them again.`,
        );
      const message = await discardChanges(client, changes, one);
      const paths = (one ? [one] : changes.files).map(({ edit }) => listedPath(fileEditView(edit, changes.folder)));
      await this.#options.note(job.jobId, { did: 'discarded', by, ...named(paths) });
      return { result: 'Discarded', ...(message !== undefined && { message }) };
    } catch (error) {
      return resultError('DiscardRefused', wordsOf(error));
    }
  }

  async document(
    job: JobState,
    { step: key, document }: DocumentRef,
  ): Promise<DocumentText | ResultError<'DocumentNotFound' | 'ContentUnavailable'>> {
    const found = job.steps
      .filter(({ step }) => step === key)
      .flatMap(({ task }) => (task?.documents ?? []).map((one) => ({ ...one, host: task?.host })))
      .find(({ path }) => path === document);
    if (!found) return resultError('DocumentNotFound', phrase`No step of the run has reported this document.`);
    const { host, sessionId } = found;
    if (host !== undefined) return resultError('ContentUnavailable', phrase`It is at the agent host “${oneLine(host)}”.`);
    try {
      const folders = [...(await this.#folderOf(sessionId)), job.workingDirectory].map((folder) => placeNow(job, folder).path);
      return await readDocument(isAbsolute(document) ? placeNow(job, document).path : document, folders);
    } catch (error) {
      return resultError('ContentUnavailable', wordsOf(error));
    }
  }

  /** What a commit would be. `worktree`: the id of one of the run. Absent: that of the whole run, where it has one. */
  async commitPlan(job: JobState, worktree?: string): Promise<CommitPlan | ResultError<'CommitRefused'>> {
    try {
      return await commitPlan(toCommit(job, worktree, await this.#changedPaths(job, worktree)));
    } catch (error) {
      return resultError('CommitRefused', wordsOf(error));
    }
  }

  async commit(job: JobState, request: CommitRequest, by: string): Promise<ResultCommitted | ResultError<'CommitRefused'>> {
    try {
      const { branch, worktree } = request;
      // No run is to wait for a host where it waits for Git.
      const paths = await this.#changedPaths(job, worktree);
      const { plan, commit } = await this.#options.inOrder(job.workingDirectory, async () => {
        // It may have been continued or deleted meanwhile.
        const now = this.#options.jobState(job.jobId);
        if (!now) throw new UserError(phrase`The run was deleted.`);
        return commitOnBranch(toCommit(now, worktree, paths), request);
      });
      const { folder, base, files } = plan;
      await this.#options.note(job.jobId, {
        ...{ did: 'committed', by, branch, commit, folder },
        ...(base !== undefined && base !== branch && { base }),
        ...named(files.map(({ path }) => path)),
      });
      return { result: 'Committed', folder, branch, commit };
    } catch (error) {
      return resultError('CommitRefused', wordsOf(error));
    }
  }

  /** On this computer, absolute. Rejects where a host does not say, and as {@link treeToCommit} does. */
  async #changedPaths(job: JobState, worktree: string | undefined): Promise<string[]> {
    // No host is asked where nothing can be committed.
    treeToCommit(job, worktree);
    const paths: string[] = [];
    for (const place of placesOf(job)) {
      const client = place.host === undefined && this.#client(place);
      if (!client) continue;
      const { files } = await this.#read(client, place, AbortSignal.timeout(READ_MS));
      for (const { edit } of files) paths.push(...[edit.before, edit.after].flatMap((side) => (side ? (pathOf(side.uri) ?? []) : [])));
    }
    return paths;
  }

  /** In which a session of the portal's own host works. Empty where that is not known any more. */
  async #folderOf(sessionId: string): Promise<string[]> {
    const client = this.#options.hosts.get(hostIdOf(undefined))?.client;
    const folder = client && (await readFolder(client, this.#options.sessions.uriOf(sessionId), AbortSignal.timeout(READ_MS)));
    return [folder === undefined ? undefined : pathOf(folder)].filter((path) => path !== undefined);
  }

  /** Or why they are not known. */
  async #listed(job: JobState, place: Place, limit: AbortSignal): Promise<Listed | Phrase> {
    const client = this.#client(place);
    if (!client) return phrase`The portal has no agent host “${oneLine(place.host)}” now.`;
    try {
      const changes = await this.#read(client, place, limit);
      return listedChanges(job, place, changes);
    } catch (error) {
      if (limit.aborted) return phrase`What its session ${place.sessionId} has changed is not known: the agent host did not say in time.`;
      const why = withValues(wordsOf(error), (value) => oneLine(value, MAX_SAID));
      return phrase`What its session ${place.sessionId} has changed is not known: ${why}.`;
    }
  }

  #client({ host }: Place): AgentHostClient | undefined {
    return this.#options.hosts.get(hostIdOf(host))?.client;
  }

  #read(client: AgentHostClient, { sessionId }: Place, limit: AbortSignal): Promise<SessionChanges> {
    return readSessionChanges(client, this.#options.sessions.uriOf(sessionId), limit);
  }
}

const notFound = resultError('ChangeNotFound', phrase`The run has no such change any more. Look at it again.`);

function placesOf({ steps }: JobState): Place[] {
  return steps.flatMap((step) => (step.task?.sessions ?? []).map(({ sessionId }) => ({ step, sessionId, host: step.task?.host })));
}

function placeOf(job: JobState, sessionId: string): Place | undefined {
  return placesOf(job).find((place) => place.sessionId === sessionId);
}

function resultOfStep(step: StepState, changes: ChangesOfSession[], problems: Phrase[]): ResultOfStep {
  const { step: key, workId, taskName, status, redone, task } = step;
  return {
    ...{ step: key, workId, taskName, status },
    ...(redone && { redone }),
    ...(task?.host !== undefined && { host: task.host }),
    changes: changes.filter(({ files }) => files.length > 0),
    documents: (task?.documents ?? []).map(({ path }) => path),
    problems: problems.map(english),
    ...(problems.length > 0 && { words: problems }),
  };
}

/** `trees`: of the run, in which the changes are now. */
interface Listed {
  changes: ChangesOfSession;
  trees: readonly WorktreeState[];
}

function listedChanges(job: JobState, { sessionId, host }: Place, changes: SessionChanges): Listed {
  const { files, folder } = changes;
  const isCommitted = committedAt(job, changes) !== undefined;
  const question = (file?: ChangesetFile) => (isCommitted ? undefined : discardQuestion(changes, file));
  const here = (uri: URI) => {
    const path = host === undefined ? pathOf(uri) : undefined;
    return path === undefined ? undefined : placeNow(job, path);
  };
  const listed = files.slice(0, MAX_FILES).map((file) => {
    const { after } = file.edit;
    return listedFile(file, folder, after && here(after.uri)?.path, question(file));
  });
  const trees = files.flatMap(({ edit }) => [edit.before, edit.after].flatMap((side) => (side ? (here(side.uri)?.tree ?? []) : [])));
  const discard = question();
  const more = files.length - listed.length;
  return {
    changes: {
      sessionId,
      files: listed,
      ...(more > 0 && { more }),
      ...(discard !== undefined && { discard }),
      revision: revisionOfAll(changes),
    },
    trees,
  };
}

/** In words, where the changes of a session in a work tree are committed: a discard changes files, and would leave them on the branch. */
function committedAt(job: JobState, { folder }: SessionChanges): Phrase | undefined {
  const path = folder === undefined ? undefined : pathOf(folder);
  if (path === undefined) return undefined;
  const now = placeNow(job, path);
  if (now.path !== path) return phrase`Its work tree was merged, and the change is committed in ${now.path}.`;
  if (!now.tree) return undefined;
  const { status, branch, path: top } = now.tree;
  if (status === 'Left') return phrase`The run has committed the change on its branch ${branch}. Take it back in ${top}, with Git.`;
  if (status === 'Conflict')
    return phrase`The change is committed on ${branch}, which could not be merged. Take it back in ${top}, with Git.`;
  const isCommitted = job.resultChanges?.some((change) => change.did === 'committed' && change.branch === branch);
  return isCommitted ? phrase`The work of the run is committed on ${branch}. Take it back in ${top}, with Git.` : undefined;
}

/** `paths`: of all that the run has changed. Throws as {@link treeToCommit} does. */
function toCommit(job: JobState, worktree: string | undefined, paths: readonly string[]): RunToCommit {
  const { jobId, definition, userInput, workingDirectory } = job;
  const tree = treeToCommit(job, worktree);
  const run = { jobId, jobName: definition.jobName, userInput };
  if (!tree) return { ...run, folder: workingDirectory, paths };
  // What was merged into the folder is committed. What is in no work tree at all is listed as left out.
  const inTree = paths.flatMap((path) => {
    const now = placeNow(job, path);
    return (now.tree ? now.tree === tree : now.path === path) ? now.path : [];
  });
  return { ...run, folder: tree.path, worktree: { id: tree.id, branch: tree.branch }, paths: inTree };
}

/**
 * Undefined: the run works in its folder itself. Throws a {@link UserError} while it runs, and where there is no such tree, or nothing to commit in it
 * any more.
 */
function treeToCommit({ status, worktrees, workingDirectory }: JobState, id: string | undefined): WorktreeState | undefined {
  if (status === 'Executing') throw new UserError(phrase`The run has not ended yet.`);
  if (!worktrees && id === undefined) return undefined;
  const tree = worktrees?.findLast((one) => one.id === (id ?? RUN_TREE));
  if (!tree) throw new UserError(phrase`The run has no such work tree.`);
  if (tree.status !== 'Merged') return tree;
  throw new UserError(mergedWords(tree, workingDirectory));
}

function mergedWords({ id, onto, commit = '' }: WorktreeState, folder: string): Phrase {
  const hash = commit.slice(0, 12);
  if (id !== RUN_TREE) return phrase`The work of this work tree is committed as ${hash}, and was merged into the work tree of the run.`;
  return onto === undefined
    ? phrase`The work of this work tree is committed as ${hash}, and was merged into ${folder}.`
    : phrase`The work of this work tree is committed as ${hash}, and was merged into ${onto} in ${folder}.`;
}

function listedFile(
  { id, edit }: ChangesetFile,
  folder: URI | undefined,
  localPath: string | undefined,
  discard: string | undefined,
): ChangedFile {
  const view = fileEditView(edit, folder);
  const { change, from, added, removed } = view;
  return {
    ...{ id, change },
    path: listedPath(view),
    ...(from !== undefined && { from: oneLine(from, MAX_PATH) }),
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
    ...(localPath !== undefined && { localPath }),
    ...(discard !== undefined && { discard }),
    revision: revisionOf(edit),
  };
}

function listedPath({ name, folder }: FileEditView): string {
  return oneLine(folder === '' ? name : `${folder}/${name}`, MAX_PATH);
}

/** The first of them, for the record. */
function named(paths: readonly string[]): Pick<ResultChange, 'files' | 'more'> {
  const more = paths.length - MAX_NAMED;
  return { files: paths.slice(0, MAX_NAMED), ...(more > 0 && { more }) };
}

function revisionOfAll({ files }: SessionChanges): string {
  return revisionOf(files.map(({ id, edit }) => [id, edit]));
}

/** Undefined where it is no place of this computer. */
function pathOf(uri: URI): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
