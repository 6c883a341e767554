/** Annotations of the sessions that are open, as threads of comments in the editor. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Logger } from '../../base/log.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { AnnotationComment } from '../../views/annotations/annotationThreads.ts';
import { counted } from '../../views/text/counted.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { sessionKey } from '../../views/session/sessionRef.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { SessionViews } from '../sessionView/sessionViews.ts';
import { titleOf } from '../../pages/titleOf.ts';
import { AnnotatedSession } from './annotatedSession.ts';
import { documentIn, fileIn } from './annotationFiles.ts';
import type { OwnComments } from './ownComments.ts';
import { ShownThread } from './shownThread.ts';

export interface SessionCommentsContext {
  readonly hosts: HostRegistry;
  readonly views: Pick<SessionViews, 'open' | 'onDidChange'>;
  readonly own: OwnComments;
  readonly logger: Logger;
  /** Whether any open session takes comments. */
  readonly onTakesComments: (takes: boolean) => void;
}

/** A session that takes comments on a file, which its host calls so. */
export interface CommentTarget {
  readonly session: AnnotatedSession;
  readonly file: URI;
  /** Names the session. */
  readonly label: string;
}

interface Followed {
  readonly session: AnnotatedSession;
  /** By the id of their annotations. */
  readonly threads: Map<string, ShownThread>;
  readonly store: DisposableStore;
  /** How many threads were left out, as the log says. */
  omitted: number;
}

export class SessionComments implements Disposable {
  readonly #store = new DisposableStore();
  #madeController: vscode.CommentController | undefined;
  readonly #followed = new Map<string, Followed>();
  /** Annotations that the user has just begun. They are shown open. */
  readonly #begun = new Set<string>();
  /** The sessions and folders that VS Code was told of. */
  #offered = '';

  constructor(private readonly context: SessionCommentsContext) {
    this.#store.add(context.views.onDidChange(() => this.#follow()));
    this.#store.add(context.hosts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  /** The thread that VS Code names. Undefined for one that is not there any more, or that the user begins. */
  threadOf(named: unknown): ShownThread | undefined {
    for (const { threads } of this.#followed.values()) for (const shown of threads.values()) if (shown.thread === named) return shown;
    return undefined;
  }

  /** The open sessions that take comments on this document, the active one first. */
  targets(document: vscode.Uri): CommentTarget[] {
    const order = this.context.views.open.map(sessionKey);
    const all = [...this.#followed].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    return all.flatMap(([, { session }]) => {
      const file = session.takesComments ? fileIn(session, document) : undefined;
      return file === undefined ? [] : [{ session, file, label: this.#labelOf(session) }];
    });
  }

  /** The user begins this annotation. */
  begin(annotationId: string): void {
    this.#begun.add(annotationId);
  }

  dispose(): void {
    for (const { store } of this.#followed.values()) store.dispose();
    this.#followed.clear();
    this.#store.dispose();
  }

  /** From the first session on that has comments or takes them: VS Code asks every controller about every document. */
  get #controller(): vscode.CommentController {
    if (this.#madeController) return this.#madeController;
    const made = this.#store.add(vscode.comments.createCommentController('tapline.annotations', l10n.t('Tapline sessions')));
    made.options = { prompt: l10n.t('Reply…'), placeHolder: l10n.t('A comment for the agent and all who follow the session') };
    return (this.#madeController = made);
  }

  /** The sessions that are open, each at the connection that its host has now. */
  #follow(): void {
    const { hosts, views } = this.context;
    const open = new Map(views.open.map((ref) => [sessionKey(ref), ref]));
    for (const [key, { session, store }] of this.#followed) {
      if (open.has(key) && hosts.get(session.ref.hostId) === session.host) continue;
      this.#followed.delete(key);
      store.dispose();
    }
    this.#offer();
    for (const [key, ref] of open) {
      const host = hosts.get(ref.hostId);
      const followed = this.#followed.get(key);
      if (followed) this.#draw(followed);
      else if (host) this.#add(key, new AnnotatedSession(ref, host));
    }
  }

  #add(key: string, session: AnnotatedSession): void {
    const store = new DisposableStore();
    const followed: Followed = { session, threads: new Map(), store, omitted: 0 };
    this.#followed.set(key, followed);
    store.add(session);
    store.add(session.onDidChange(() => this.#draw(followed)));
    store.add(toDisposable(() => followed.threads.forEach((thread) => thread.dispose())));
    this.#draw(followed);
  }

  #draw(followed: Followed): void {
    const { session, threads } = followed;
    const { own } = this.context;
    const label = this.#labelOf(session);
    const shown = session.threads;
    const wanted = new Map(shown.threads.map((thread) => [thread.id, { thread, uri: documentIn(session, thread.file) }]));
    for (const [id, thread] of threads) {
      if (wanted.get(id)?.uri?.toString() === thread.uri.toString()) continue;
      threads.delete(id);
      thread.dispose();
    }
    const isOwn = (annotationId: string, { id: entryId, text }: AnnotationComment) =>
      own.has({ session: session.ref, annotationId, entryId, text });
    for (const [id, { thread, uri }] of wanted) {
      const known = threads.get(id);
      if (known) known.update(thread, label);
      else if (uri) threads.set(id, new ShownThread(this.#controller, uri, thread, { session, label, isOwn }, this.#begun.delete(id)));
    }
    this.#say(followed, shown.omitted + wanted.size - threads.size);
    this.#offer();
  }

  #say(followed: Followed, omitted: number): void {
    if (omitted > followed.omitted)
      // eslint-disable-next-line texts/translated -- for the log
      this.context.logger.warn(`${this.#labelOf(followed.session)}: ${counted(omitted, 'comment thread')} cannot be shown.`);
    followed.omitted = omitted;
  }

  /** VS Code asks once, and again when the provider is set again. */
  #offer(): void {
    const taking = [...this.#followed].filter(([, { session }]) => session.takesComments);
    const offered = JSON.stringify(taking.map(([key, { session }]) => [key, session.folders]));
    if (offered === this.#offered) return;
    this.#offered = offered;
    const provideCommentingRanges = (document: vscode.TextDocument) =>
      this.targets(document.uri).length > 0 ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [];
    const provider: vscode.CommentingRangeProvider | undefined = taking.length > 0 ? { provideCommentingRanges } : undefined;
    if (provider || this.#madeController) Object.assign(this.#controller, { commentingRangeProvider: provider });
    this.context.onTakesComments(taking.length > 0);
  }

  #labelOf({ ref, host }: AnnotatedSession): string {
    return `${withoutMarkup(titleOf(this.context.hosts, ref))} · ${withoutMarkup(host.label)}`;
  }
}
