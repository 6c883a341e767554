/** The providers and emitters that the folders of this window name. Asks the user with the whole list in view, runs what they allow, and keeps a log of each provider. */
import * as l10n from '../../base/l10n.ts';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { dropOldest } from '../../base/dropOldest.ts';
import { UserError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { OwnerClient, OwnerEvent } from '../../tap/owner/ownerClient.ts';
import type { ProjectProviderState } from '../../tap/wire/owner/ownerMessages.ts';
import { subjectOf } from '../../views/providers/node.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { OpenReview, Reviews } from '../attention/windowAttention.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { commandName } from '../commandTable.ts';
import { NOT_NOW, showError, showInfo } from '../notifications.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { folderOf, realPath } from '../sessions/sessionFolder.ts';
import { TextDocuments } from '../textDocuments.ts';
import { Answers } from './consentAnswers.ts';
import { countedParts, type Project } from './project.ts';
import { ProjectFiles } from './projectFiles.ts';
import { ProjectProviders, type ProjectSession } from './projectProviders.ts';
import { ProviderLogs } from './providerLogs.ts';
import { shownProject } from './shownProject.ts';

const STORAGE_KEY = 'tapline.projectProviders';
const SCHEME = 'tapline-project-providers';
/** Contents that were shown; the oldest go first. */
const MAX_SHOWN = 20;
const MAX_NAMES = 3;
/** Sessions whose providers may still report something. The oldest go first. */
const MAX_SESSIONS = 100;

export class WindowProjectProviders implements Reviews, Disposable {
  readonly #store = new DisposableStore();
  readonly #answers: Answers;
  readonly #providers: ProjectProviders;
  readonly #files: ProjectFiles;
  readonly logs = this.#store.add(new ProviderLogs());
  readonly #documents = this.#store.add(
    new TextDocuments(SCHEME, l10n.t('This list is no longer kept. Run “Tapline: Review Project Providers…” again.')),
  );
  /** The contents of the review documents, by digest. */
  readonly #shown = new Map<string, Project>();
  /** By id at the gateway. A session that has ended is kept, because its providers end after it. */
  readonly #known = new Map<string, { readonly folder: string; readonly label: string }>();
  #owner: OwnerClient | undefined;
  #listening: Disposable | undefined;

  /** `isOnThisComputer`: whether the paths of a host are paths of this window. `putOff`: the user does not want to be reminded. */
  constructor(
    storage: vscode.Memento,
    private readonly bridge: Bridge,
    private readonly isOnThisComputer: (hostId: string) => boolean,
    private readonly putOff: (review: OpenReview) => void,
    private readonly logger: Logger,
  ) {
    this.#answers = new Answers(storage, STORAGE_KEY);
    this.#providers = new ProjectProviders({
      isTrusted: () => vscode.workspace.isTrusted,
      sessions: () => this.#sessions(),
      answers: this.#answers,
      ask: (project) => void this.#ask(project),
      onRefused: (project, reason) => void showError(l10n.t`Not all that “${nameOf(project)}” names was started: ${oneLine(reason)}`),
      logger,
    });
    this.#files = this.#store.add(new ProjectFiles({ onRead: (folder, project) => this.#providers.set(folder, project) }));
    this.#store.add(bridge.onDidChange(() => this.#update()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#update()));
    this.#update();
  }

  get open(): OpenReview[] {
    return this.#providers.unanswered.map((project) => this.#reviewOf(project));
  }

  get onDidChange(): Event<void> {
    return this.#providers.onDidUpdate;
  }

  /** Shows the list of a folder, and asks what to do with it. */
  async review(): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw new UserError(l10n.t('What a folder names runs in trusted workspaces only. Trust this workspace first.'));
    const errors = await this.#files.readAll();
    const { projects } = this.#providers;
    if (projects.length === 0)
      throw new UserError(
        errors[0] ??
          l10n.t(
            'No folder of this window names providers or emitters. Those of a folder are named in its tap.config.json, or in .github/tap.config.json.',
          ),
      );
    const project = projects.length === 1 ? projects[0] : await pickProject(projects);
    if (project) await this.#review(project);
  }

  /** The user's answer to the list in the active editor. */
  async answer(answer: 'run' | 'never'): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const project = uri?.scheme === SCHEME ? this.#shown.get(uri.query) : undefined;
    if (!project) throw new UserError(l10n.t('Run “Tapline: Review Project Providers…” first: you decide with the list in view.'));
    if (answer === 'run') await this.#run(project);
    else await this.#providers.refuse(project);
  }

  /** `argument`: a row of “Providers”. Without one the user picks a log. */
  async showLog(argument: unknown): Promise<void> {
    const { titles } = this.logs;
    const subject = subjectOf(argument);
    if (subject?.kind === 'projectProvider') {
      const session = this.#known.get(subject.sessionId);
      const title = session && logTitle(subject.name, session.folder);
      if (title === undefined || !titles.includes(title))
        throw new UserError(l10n.t`This window has no log of “${oneLine(subject.name)}”. Look in the window of its session.`);
      return this.logs.show(title);
    }
    if (titles.length === 0) throw new UserError(l10n.t('No provider of a folder has run in this window yet.'));
    const items = titles.map((title) => ({ label: withoutMarkup(title), title }));
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: l10n.t('Log of a Project Provider') });
    if (chosen) this.logs.show(chosen.title);
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#store.dispose();
  }

  #update(): void {
    const { owner } = this.bridge;
    if (owner !== this.#owner) {
      this.#listening?.dispose();
      this.#owner = owner;
      this.#listening = owner?.onEvent((event) => this.#receive(event));
    }
    for (const { owned, folder, label } of this.#sessions()) {
      if (folder === undefined) continue;
      this.#known.delete(owned.id);
      this.#known.set(owned.id, { folder, label });
    }
    dropOldest(this.#known, MAX_SESSIONS);
    this.#providers.update();
  }

  #sessions(): (ProjectSession & { readonly label: string })[] {
    const folders = folderPaths();
    return this.bridge.sessions.flatMap(({ ref, bridge }) => {
      const folder = this.isOnThisComputer(ref.hostId) ? folderOf(bridge.cwd, folders) : undefined;
      if (!bridge.owned) return [];
      const about = { folder: folder === undefined ? undefined : realPath(folder), label: bridge.title };
      return [{ owned: bridge.owned, isRegistered: bridge.registered !== undefined, ...about }];
    });
  }

  async #ask(project: Project): Promise<void> {
    const text = l10n.sentencesText([...whatIsNamed(project), l10n.t('Nothing runs until you have seen the list and allowed it.')]);
    const choice = await showInfo(text, REVIEW, NOT_NOW);
    if (choice === REVIEW) await this.#review(project);
    if (choice === NOT_NOW) this.putOff(this.#reviewOf(project));
  }

  #reviewOf(project: Project): OpenReview {
    const count = project.providers.length;
    const what =
      project.emitters.length > 0
        ? l10n.plural(
            count + project.emitters.length,
            l10n.t`${countedParts(project)}, off until you allow it`,
            l10n.t`${countedParts(project)}, off until you allow them`,
          )
        : l10n.plural(
            count,
            l10n.t`${l10n.countText(count)} program that lends tools, off until you allow it`,
            l10n.t`${l10n.countText(count)} programs that lend tools, off until you allow it`,
          );
    return { id: `project ${project.digest}`, title: nameOf(project), what, review: () => this.#review(project) };
  }

  async #review(project: Project): Promise<void> {
    this.#shown.delete(project.digest);
    this.#shown.set(project.digest, project);
    dropOldest(this.#shown, MAX_SHOWN);
    const uri = this.#documents.add(`/${l10n.t`Project providers of ${nameOf(project)}`}`, shownProject(project), project.digest);
    await vscode.window.showTextDocument(uri, { preview: false });
    void this.#decide(project);
  }

  async #decide(project: Project): Promise<void> {
    const answer = this.#answers.of(project) ?? 'none';
    const buttons = { run: [RESTART, NEVER_RUN], never: [RUN], none: [RUN, NOT_NOW, NEVER_RUN] }[answer];
    const choice = await showInfo(decision(project)[answer], ...buttons);
    if (choice === RUN) await this.#run(project);
    else if (choice === NEVER_RUN) await this.#providers.refuse(project);
    else if (choice === RESTART) this.#providers.restart(project);
    else if (choice === NOT_NOW) this.putOff(this.#reviewOf(project));
  }

  /** Called when the user has allowed exactly this content. */
  async #run(shown: Project): Promise<void> {
    await this.#files.read(shown.folder);
    if (await this.#providers.allow(shown)) return;
    const text = l10n.t`The list of “${nameOf(shown)}” has changed since it was shown, so nothing was started.`;
    void showError(text, REVIEW).then((choice) => {
      if (choice) void vscode.commands.executeCommand(commandName('reviewProjectProviders'));
    });
  }

  #receive({ event, params }: OwnerEvent): void {
    if (event !== 'provider/state' && event !== 'provider/output') return;
    const session = this.#known.get(params.sessionId);
    if (!session) return;
    const title = logTitle(params.name, session.folder);
    const lines = event === 'provider/output' ? params.lines : [stateLine(params)];
    this.logs.add(title, session.label, lines);
    if (event !== 'provider/state' || params.state !== 'failed') return;
    this.logger.warn(`The provider ${oneLine(params.name)} of ${session.folder} has failed: ${oneLine(params.error)}`);
    void showError(l10n.t`The provider “${oneLine(params.name)}” does not run: ${oneLine(params.error)}`, l10n.t('Show Log')).then(
      (choice) => {
        if (choice) this.logs.show(title);
      },
    );
  }
}

const REVIEW = l10n.t('Review…');
const RUN = l10n.t({ message: 'Run', comment: 'a verb' });
const RESTART = l10n.t('Restart');
const NEVER_RUN = l10n.t('Never Run');

/** In one sentence or two. */
function whatIsNamed(project: Project): string[] {
  const { providers, emitters } = project;
  const folder = nameOf(project);
  const [programs, watching] = [firstNames(providers), firstNames(emitters)];
  const lending = l10n.plural(
    providers.length,
    l10n.t`The folder “${folder}” names a program that lends tools to agent sessions: ${programs}.`,
    l10n.t`The folder “${folder}” names programs that lend tools to agent sessions: ${programs}.`,
  );
  if (emitters.length === 0) return [lending];
  if (providers.length > 0)
    return [
      lending,
      l10n.plural(
        emitters.length,
        l10n.t`It also names an emitter that watches something for agent sessions: ${watching}.`,
        l10n.t`It also names emitters that watch something for agent sessions: ${watching}.`,
      ),
    ];
  return [
    l10n.plural(
      emitters.length,
      l10n.t`The folder “${folder}” names an emitter that watches something for agent sessions: ${watching}.`,
      l10n.t`The folder “${folder}” names emitters that watch something for agent sessions: ${watching}.`,
    ),
  ];
}

function firstNames(all: readonly { readonly name: string }[]): string {
  const names = all.map(({ name }) => l10n.t`“${oneLine(name)}”`);
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? l10n.t`${shown} and ${l10n.countText(names.length - MAX_NAMES)} more` : shown;
}

/** What the user has decided, or is asked. */
function decision(project: Project): { run: string; never: string; none: string } {
  const folder = nameOf(project);
  if (project.providers.length + project.emitters.length > 1) {
    const parts = countedParts(project);
    return {
      run: l10n.t`You have allowed these ${parts} of “${folder}”.`,
      never: l10n.t`You have decided never to run these ${parts} of “${folder}”.`,
      none: l10n.t`Run these ${parts} of “${folder}” for each agent session of the folder?`,
    };
  }
  return project.emitters.length === 0
    ? {
        run: l10n.t`You have allowed this program of “${folder}”.`,
        never: l10n.t`You have decided never to run this program of “${folder}”.`,
        none: l10n.t`Run this program of “${folder}” for each agent session of the folder?`,
      }
    : {
        run: l10n.t`You have allowed this emitter of “${folder}”.`,
        never: l10n.t`You have decided never to run this emitter of “${folder}”.`,
        none: l10n.t`Run this emitter of “${folder}” for each agent session of the folder?`,
      };
}

function logTitle(provider: string, folder: string): string {
  return `Tapline: ${oneLine(provider)} (${basename(folder)})`;
}

/* eslint-disable texts/translated -- for the log */
function stateLine({ state, pid, error, retryInMs }: ProjectProviderState): string {
  const why = error === undefined ? '' : `: ${oneLine(error)}`;
  switch (state) {
    case 'running':
      return `--- runs${pid === undefined ? '' : ` as process ${pid}`} ---`;
    case 'waiting':
      return `--- has ended${why}; starts again in ${Math.ceil((retryInMs ?? 0) / 1000)} s ---`;
    case 'failed':
      return `--- has failed${why}; “Tapline: Review Project Providers…” can restart it ---`;
    case 'stopped':
      return '--- stopped ---';
  }
}
/* eslint-enable texts/translated */

async function pickProject(projects: readonly Project[]): Promise<Project | undefined> {
  const items = projects.map((project) => ({ label: withoutMarkup(nameOf(project)), description: withoutMarkup(project.file), project }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Review Project Providers'), placeHolder: l10n.t('Which folder?') }))
    ?.project;
}

function nameOf({ folder }: Project): string {
  return oneLine(basename(folder)) || folder;
}
