/** A thread of annotations as one of VS Code. Only what changes is given to VS Code, so that what a user types in it stays. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { AnnotationComment, AnnotationThread } from '../../views/annotations/annotationThreads.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutImages } from '../../views/text/withoutMarkup.ts';
import { untrustedMarkdown } from '../text/untrustedMarkdown.ts';
import type { AnnotatedSession } from './annotatedSession.ts';

const YOU = l10n.t('You');
/** The protocol does not say who has written a comment. */
const ANYBODY = l10n.t('Agent or another client');

/** What a thread needs to know beside its annotation. */
export interface ThreadContext {
  readonly session: AnnotatedSession;
  /** Names the session. */
  readonly label: string;
  readonly isOwn: (annotationId: string, comment: AnnotationComment) => boolean;
}

export class ShownComment implements vscode.Comment {
  body: string | vscode.MarkdownString = '';
  mode = vscode.CommentMode.Preview;
  readonly author: vscode.CommentAuthorInformation;
  label = '';
  contextValue = '';
  /** The text that the user has begun to change. */
  edited: string | undefined;

  constructor(
    readonly thread: ShownThread,
    /** As the session has it. */
    public comment: AnnotationComment,
    /** VS Code does not draw another author for the same comment. */
    readonly isOwn: boolean,
  ) {
    this.author = { name: isOwn ? YOU : ANYBODY };
  }

  /** True when it is to be drawn again. What the user edits stays as it is until they are done. */
  update(comment: AnnotationComment, isWritable: boolean): boolean {
    this.comment = comment;
    if (this.edited !== undefined) return false;
    const { body, label, contextValue } = this;
    this.body = bodyOf(comment);
    this.label = [
      ...(comment.isConfirmed ? [] : [l10n.t('Not sent yet')]),
      ...(comment.isCut ? [l10n.t('The rest is not shown')] : []),
    ].join(' · ');
    this.contextValue = this.isOwn && isWritable && !comment.isCut ? 'own' : '';
    return !sameBody(body, this.body) || label !== this.label || contextValue !== this.contextValue;
  }

  beginEdit(): void {
    // As it was written: the field would show what keeps images away.
    this.body = this.edited = this.comment.text;
    this.mode = vscode.CommentMode.Editing;
    this.thread.redraw();
  }

  endEdit(): void {
    this.mode = vscode.CommentMode.Preview;
    this.edited = undefined;
    this.body = bodyOf(this.comment);
    this.thread.redraw();
  }
}

export class ShownThread {
  readonly thread: vscode.CommentThread;
  readonly session: AnnotatedSession;
  #comments: readonly ShownComment[] = [];
  /** As the host has it. */
  #range: vscode.Range | undefined;

  constructor(
    controller: vscode.CommentController,
    readonly uri: vscode.Uri,
    /** As it is shown. */
    public shown: AnnotationThread,
    private readonly context: ThreadContext,
    isExpanded: boolean,
  ) {
    this.session = context.session;
    this.thread = controller.createCommentThread(uri, rangeOf(shown), []);
    const { Expanded, Collapsed } = vscode.CommentThreadCollapsibleState;
    this.thread.collapsibleState = isExpanded ? Expanded : Collapsed;
    this.update(shown, context.label);
  }

  get comments(): readonly ShownComment[] {
    return this.#comments;
  }

  update(shown: AnnotationThread, label: string): void {
    const { thread, session } = this;
    this.shown = shown;
    const range = rangeOf(shown);
    const { Resolved, Unresolved } = vscode.CommentThreadState;
    const isWritable = session.takesComments;
    const state = shown.isResolved ? Resolved : Unresolved;
    const contextValue = `${shown.isResolved ? 'resolved' : 'open'}${isWritable ? ' writable' : ''}`;
    // VS Code moves a range with the text around it, so it is set only when the host has changed it.
    if (!this.#range?.isEqual(range)) this.thread.range = this.#range = range;
    const words = labelOf(shown, label);
    if (thread.label !== words) thread.label = words;
    if (thread.state !== state) thread.state = state;
    if (thread.canReply !== isWritable) thread.canReply = isWritable;
    if (thread.contextValue !== contextValue) thread.contextValue = contextValue;
    if (this.#takeComments()) this.thread.comments = [...this.#comments];
  }

  /** Draws the comments again. */
  redraw(): void {
    this.#takeComments();
    this.thread.comments = [...this.#comments];
  }

  dispose(): void {
    this.thread.dispose();
  }

  /** True when they are to be drawn again. */
  #takeComments(): boolean {
    const { id, comments } = this.shown;
    const isWritable = this.session.takesComments;
    const before = this.#comments;
    const known = new Map(before.map((shown) => [shown.comment.id, shown]));
    let isChanged = comments.length !== before.length;
    this.#comments = comments.map((comment, index) => {
      const isOwn = this.context.isOwn(id, comment);
      const last = known.get(comment.id);
      const shown = last && (last.isOwn === isOwn || last.edited !== undefined) ? last : new ShownComment(this, comment, isOwn);
      if (shown.update(comment, isWritable) || before[index] !== shown) isChanged = true;
      return shown;
    });
    return isChanged;
  }
}

function labelOf({ range, earlier, isResolved, isConfirmed }: AnnotationThread, session: string): string {
  const notes = [
    ...(range ? [] : [l10n.t('the whole file')]),
    ...(isResolved ? [l10n.t('resolved')] : []),
    ...(earlier > 0
      ? [
          l10n.plural(
            earlier,
            l10n.t`${l10n.countText(earlier)} earlier comment not shown`,
            l10n.t`${l10n.countText(earlier)} earlier comments not shown`,
          ),
        ]
      : []),
    ...(isConfirmed ? [] : [l10n.t('not sent yet')]),
  ];
  return [oneLine(session, 120), ...notes].join(' · ');
}

/** One of the whole file is at its first line. */
function rangeOf({ range }: AnnotationThread): vscode.Range {
  if (!range) return new vscode.Range(0, 0, 0, 0);
  const { start, end } = range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** VS Code shows a string as it is. */
function bodyOf({ text, isMarkdown }: AnnotationComment): string | vscode.MarkdownString {
  return isMarkdown ? untrustedMarkdown().appendMarkdown(withoutImages(text)) : text;
}

function sameBody(one: string | vscode.MarkdownString, other: string | vscode.MarkdownString): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.value === other.value;
}
