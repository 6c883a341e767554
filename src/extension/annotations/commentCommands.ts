/** What the buttons of comment threads do. The protocol lets a client change every comment; here the user changes their own only. */
import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { AnnotationsAction } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import {
  edit,
  entryIn,
  entryOf,
  newThread,
  removeComment,
  removeThread,
  reply,
  setResolved,
} from '../../views/annotations/annotationChanges.ts';
import { type AnnotationComment, MAX_TEXT } from '../../views/annotations/annotationThreads.ts';
import { confirm, showError } from '../notifications.ts';
import type { AnnotatedSession } from './annotatedSession.ts';
import type { OwnComments } from './ownComments.ts';
import type { CommentTarget, SessionComments } from './sessionComments.ts';
import { ShownComment, type ShownThread } from './shownThread.ts';

const IN_THREAD = l10n.t('This works at a comment of a session, in the editor.');
const GONE = l10n.t('This comment thread is not there any more.');
const NO_TARGET = l10n.t('No open session takes comments on this file. Open a session whose folder has the file.');
const CHANGED = l10n.t('Nothing was deleted, because the thread has changed meanwhile. Look at it and try again.');

export class CommentCommands {
  constructor(
    private readonly comments: SessionComments,
    private readonly own: OwnComments,
  ) {}

  /** For the palette: opens VS Code's field for a comment at the cursor. */
  async commentOnLine(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) throw new UserError(l10n.t('Open a file first, and put the cursor on the line.'));
    if (this.comments.targets(editor.document.uri).length === 0) throw new UserError(NO_TARGET);
    await vscode.commands.executeCommand('workbench.action.addComment');
  }

  /** `given`: a `CommentReply` in a thread that the user begins. */
  async add(given: unknown): Promise<void> {
    const { thread, text } = replyOf(given);
    const problem = problemOf(text);
    if (problem !== undefined) return this.#giveBack(text, problem);
    const targets = this.comments.targets(thread.uri);
    if (targets.length === 0) return this.#giveBack(text, NO_TARGET);
    const target = targets.length === 1 ? targets[0] : await pickTarget(targets);
    thread.dispose();
    if (!target) return this.#giveBack(text, l10n.t('Your comment was not sent, because no session was chosen.'));
    const { session, file } = target;
    const id = crypto.randomUUID();
    const entryId = crypto.randomUUID();
    await this.own.add({ session: session.ref, annotationId: id, entryId, text });
    this.comments.begin(id);
    this.#say(session, newThread(id, session.ref.uri, file, rangeOf(thread), entryOf(entryId, text)), id, entryId, text);
  }

  /** `given`: a `CommentReply` in a thread of a session. */
  async reply(given: unknown): Promise<void> {
    const { thread, text } = replyOf(given);
    const shown = this.comments.threadOf(thread);
    const problem = problemOf(text) ?? (shown ? undefined : GONE);
    if (!shown || problem !== undefined) return this.#giveBack(text, problem ?? GONE);
    const { session } = shown;
    const annotationId = shown.shown.id;
    const entryId = crypto.randomUUID();
    await this.own.add({ session: session.ref, annotationId, entryId, text });
    this.#say(session, reply(annotationId, entryOf(entryId, text)), annotationId, entryId, text);
  }

  setResolved(given: unknown, resolved: boolean): void {
    const { session, shown } = this.#thread(given);
    this.#perform(session, setResolved(shown.id, resolved));
  }

  async deleteThread(given: unknown): Promise<void> {
    const thread = this.#thread(given);
    const { session } = thread;
    const before = thread.shown;
    const others = thread.comments.filter(({ isOwn }) => !isOwn).length + before.earlier;
    const whose = l10n.plural(
      others,
      l10n.t`${l10n.countText(others)} comment of others is in it.`,
      l10n.t`${l10n.countText(others)} comments of others are in it.`,
    );
    const detail = l10n.sentencesText([l10n.t('It goes for everybody in the session.'), ...(others > 0 ? [whose] : [])]);
    if (!(await confirm(l10n.t('Delete this comment thread?'), detail, l10n.t('Delete')))) return;
    const now = this.#thread(given).shown;
    const isSame = now.earlier === before.earlier && sameTexts(now.comments, before.comments);
    if (!isSame) throw new UserError(CHANGED);
    this.#perform(session, removeThread(before.id));
  }

  edit(given: unknown): void {
    ownComment(given).beginEdit();
  }

  cancelEdit(given: unknown): void {
    shownComment(given).endEdit();
  }

  /** The body of the comment is what the user has typed. */
  async save(given: unknown): Promise<void> {
    const comment = shownComment(given);
    const { edited, body } = comment;
    if (edited === undefined) throw new UserError(IN_THREAD);
    const { session, shown } = comment.thread;
    const text = typeof body === 'string' ? body : body.value;
    const entryId = comment.comment.id;
    const isSame = comment.comment.text === edited;
    comment.endEdit();
    if (text === edited) return;
    const problem =
      problemOf(text) ?? (isSame ? undefined : l10n.t('Your change was not saved, because the comment was changed elsewhere meanwhile.'));
    const action = session.state && edit(session.state, shown.id, entryOf(entryId, text));
    if (problem !== undefined || !action) return this.#giveBack(text, problem ?? GONE);
    await this.own.add({ session: session.ref, annotationId: shown.id, entryId, text });
    this.#say(session, action, shown.id, entryId, text);
  }

  async deleteComment(given: unknown): Promise<void> {
    const comment = ownComment(given);
    if (!(await confirm(l10n.t('Delete your comment?'), l10n.t('It goes for everybody in the session.'), l10n.t('Delete')))) return;
    const { session, shown } = this.#thread(comment.thread.thread);
    const { state } = session;
    // One that says something else is another one.
    if (!state || !comment.thread.comments.includes(comment)) throw new UserError(CHANGED);
    this.#perform(session, removeComment(state, shown.id, comment.comment.id));
  }

  #thread(given: unknown): ShownThread {
    const shown = this.comments.threadOf(given);
    if (!shown) throw new UserError(GONE);
    return shown;
  }

  /** Does not wait for the host, which may be away. */
  #perform(session: AnnotatedSession, action: AnnotationsAction): void {
    const dispatched = session.perform(action);
    if (!dispatched) throw new UserError(l10n.t('Nothing was sent, because the session takes no comments any more.'));
    void dispatched.settled.then((outcome) => {
      if (outcome.kind !== 'confirmed') void showError(l10n.t`${session.host.label} did not change the comments. ${reasonText(outcome)}`);
    });
  }

  /** The same for what the user has written, which is given back where it does not get there. */
  #say(session: AnnotatedSession, action: AnnotationsAction, annotationId: string, entryId: string, text: string): void {
    const dispatched = session.perform(action);
    if (!dispatched) return this.#giveBack(text, l10n.t('Your comment was not sent, because the session takes no comments any more.'));
    void dispatched.settled.then((outcome) => {
      if (outcome.kind !== 'confirmed')
        this.#giveBack(text, l10n.t`${session.host.label} has not taken your comment. ${reasonText(outcome)}`);
      // A host confirms also what changes nothing.
      else if (session.state && !entryIn(session.confirmed, annotationId, entryId))
        this.#giveBack(text, l10n.sentencesText([l10n.t('Your comment is not there.'), GONE]));
    });
  }

  #giveBack(text: string, problem: string): void {
    const copy = l10n.t('Copy My Text');
    void showError(problem, copy).then((choice) => (choice === copy ? vscode.env.clipboard.writeText(text) : undefined));
  }
}

function replyOf(given: unknown): vscode.CommentReply {
  const { thread, text } = (given ?? {}) as Partial<vscode.CommentReply>;
  if (!(thread?.uri instanceof vscode.Uri) || typeof text !== 'string') throw new UserError(IN_THREAD);
  return { thread, text };
}

function shownComment(given: unknown): ShownComment {
  if (!(given instanceof ShownComment)) throw new UserError(IN_THREAD);
  return given;
}

function ownComment(given: unknown): ShownComment {
  const comment = shownComment(given);
  if (!comment.isOwn) throw new UserError(l10n.t('Only your own comments can be changed here.'));
  return comment;
}

/** Why it cannot be sent. */
function problemOf(text: string): string | undefined {
  if (text.trim() === '') return l10n.t('Your comment was not sent, because it is empty.');
  if (text.length <= MAX_TEXT) return undefined;
  return l10n.t`Your comment was not sent, because it is longer than ${l10n.countText(MAX_TEXT)} characters.`;
}

async function pickTarget(targets: readonly CommentTarget[]): Promise<CommentTarget | undefined> {
  const items = targets.map((target) => ({ label: target.label, target }));
  const options = {
    title: l10n.t('Comment for a Session'),
    placeHolder: l10n.t('Which session is the comment for?'),
    ignoreFocusOut: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.target;
}

/** Newer versions of VS Code have threads without a range. */
function rangeOf({ range }: { readonly range: vscode.Range | undefined }): TextRange | undefined {
  if (!range) return undefined;
  const place = ({ line, character }: vscode.Position) => ({ line, character });
  return { start: place(range.start), end: place(range.end) };
}

function sameTexts(one: readonly AnnotationComment[], other: readonly AnnotationComment[]): boolean {
  return one.length === other.length && one.every(({ id, text }, index) => id === other[index]?.id && text === other[index]?.text);
}
