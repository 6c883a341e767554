/** Shows in editors what a run has changed: differences as documents that the portal is asked for, files as they are now. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ChangedFile } from '../../views/portal/answers/resultAnswers.ts';
import type { ChangeRef, DocumentRef } from '../../views/portal/result/resultQuestions.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { PortalJobs } from './portalJobs.ts';

const SCHEME = 'tapline-run';
/** In one editor. */
const MAX_FILES = 500;

interface Change {
  sessionId: string;
  file: ChangedFile;
}

export class ResultFiles implements Disposable {
  readonly #registration: vscode.Disposable;

  constructor(private readonly jobs: Pick<PortalJobs, 'askResult'>) {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) => this.#content(query),
    });
  }

  async showChange(jobId: string, { sessionId, file: id }: ChangeRef): Promise<void> {
    const change = (await this.#changes(jobId)).find((one) => one.sessionId === sessionId && one.file.id === id);
    if (!change) throw gone();
    const [, before, after] = sides(jobId, change);
    const name = oneLine(change.file.path.slice(change.file.path.lastIndexOf('/') + 1));
    await vscode.commands.executeCommand('vscode.diff', before, after, l10n.t`${name} (changed by the run)`, { preview: true });
  }

  /** In one editor. `name`: of the job. */
  async showAll(jobId: string, name: string): Promise<void> {
    const changes = await this.#changes(jobId);
    if (changes.length === 0) throw new UserError(l10n.t('The run has changed no file.'));
    const rows = changes.slice(0, MAX_FILES).map((change) => sides(jobId, change));
    await vscode.commands.executeCommand('vscode.changes', l10n.t`Changes of “${oneLine(name, 60)}”`, rows);
  }

  async open(jobId: string, file: ChangeRef | DocumentRef): Promise<void> {
    const path = 'document' in file ? (await this.jobs.askResult(jobId, 'document', file)).localPath : await this.#pathOf(jobId, file);
    const uri = vscode.Uri.file(path);
    await vscode.workspace.fs.stat(uri).then(undefined, () => {
      throw new UserError(l10n.t`${oneLine(path, 500)} is not there any more.`);
    });
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #pathOf(jobId: string, { sessionId, file: id }: ChangeRef): Promise<string> {
    const change = (await this.#changes(jobId)).find((one) => one.sessionId === sessionId && one.file.id === id);
    if (change?.file.localPath === undefined) throw gone();
    return change.file.localPath;
  }

  async #changes(jobId: string): Promise<Change[]> {
    const { steps } = await this.jobs.askResult(jobId, 'result', {});
    return steps.flatMap(({ changes }) => changes.flatMap(({ sessionId, files }) => files.map((file) => ({ sessionId, file }))));
  }

  async #content(query: string): Promise<string> {
    const { jobId, sessionId, file, side } = JSON.parse(query) as ReturnType<typeof contentRef>;
    return (await this.jobs.askResult(jobId, 'diff', { sessionId, file }))[side];
  }
}

function gone(): UserError {
  return new UserError(l10n.t('The run has no such change any more. Look at it again.'));
}

/** As `vscode.changes` takes a file. A side that is not there is empty. The path of a document gives it its name and language. */
function sides(jobId: string, { sessionId, file }: Change): [label: vscode.Uri, before: vscode.Uri, after: vscode.Uri] {
  const document = (path: string, side: 'before' | 'after') =>
    vscode.Uri.from({
      scheme: SCHEME,
      path: path.startsWith('/') ? path : `/${path}`,
      query: JSON.stringify(contentRef(jobId, sessionId, file, side)),
    });
  return [document(file.path, 'after'), document(file.from ?? file.path, 'before'), document(file.path, 'after')];
}

/** `revision`: another state of the file is another document. */
function contentRef(jobId: string, sessionId: string, { id, revision }: ChangedFile, side: 'before' | 'after') {
  return { jobId, sessionId, file: id, side, revision };
}
