/** Shows what tools ask: as a notification, and in Needs You until it is answered or over. Closing a question or its form is no answer. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { UserAnswer } from '../../tap/wire/userQuestion.ts';
import { contentOf, questionDetail, questionLine, questionRow, whoAsks } from '../../views/questions/questionWords.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { OpenReview, Reviews } from '../attention/windowAttention.ts';
import { choose, showError, showInfo } from '../notifications.ts';
import { fillIn } from './fillIn.ts';
import { QuickInputs } from './quickInputs.ts';
import type { OpenQuestion, ToolQuestions } from './toolQuestions.ts';

const ANSWER = l10n.t('Answer…');
const DECLINE = l10n.t('Decline');
const ACCEPT = l10n.t('Accept');
const OPEN_PAGE = l10n.t('Open in Browser');

export class WindowQuestions implements Reviews, Disposable {
  readonly #store = new DisposableStore();
  readonly onDidChange;

  constructor(private readonly questions: ToolQuestions) {
    this.onDidChange = questions.onDidChange;
    this.#store.add(
      questions.onDidAsk((question) => {
        this.#notify(question).catch((error: unknown) => void showError(messageOf(error)));
      }),
    );
  }

  get open(): OpenReview[] {
    return this.questions.open.map((question) => {
      return { id: question.id, ...questionRow(question.asked), review: () => answer(question) };
    });
  }

  /** The one that waits, or one that the user picks. */
  async answer(): Promise<void> {
    const { open } = this.questions;
    if (open.length === 0) throw new UserError(l10n.t('No tool waits for an answer of yours.'));
    const items = open.map((question) => {
      const { title, what } = questionRow(question.asked);
      return {
        label: withoutMarkup(title),
        description: withoutMarkup(oneLine(question.asked.session)),
        detail: withoutMarkup(what),
        question,
      };
    });
    const picked =
      items.length === 1
        ? items[0]
        : await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Which question do you want to answer?') });
    if (picked) await answer(picked.question);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** VS Code cannot take back a notification with buttons. */
  async #notify(question: OpenQuestion): Promise<void> {
    const choice = await showInfo(questionLine(question.asked), ANSWER, DECLINE);
    if (choice === ANSWER) await answer(question);
    if (choice === DECLINE) give(question, { action: 'decline' });
  }
}

async function answer(question: OpenQuestion): Promise<void> {
  const { asked, request, over } = question;
  if (over.aborted) return sayTooLate(question);
  const url = 'url' in request ? request.url : undefined;
  const accept = url ? OPEN_PAGE : 'fields' in request && request.fields.length > 0 ? ANSWER : ACCEPT;
  // Enter opens no page.
  const buttons = url ? [DECLINE, accept] : [accept, DECLINE];
  const choice = await choose(whoAsks(asked), questionDetail(asked, url), ...buttons);
  if (choice === undefined) return;
  if (choice === DECLINE) return give(question, { action: 'decline' });
  if (over.aborted) return sayTooLate(question);
  if ('url' in request) await openPage(question, request.url);
  else if (request.fields.length === 0) give(question, { action: 'accept', content: {} });
  else {
    const values = await fillIn(request.fields, new QuickInputs(asked, request.fields, over));
    if (values) give(question, { action: 'accept', content: contentOf(values) });
    else if (over.aborted) sayTooLate(question);
  }
}

async function openPage(question: OpenQuestion, { href }: URL): Promise<void> {
  // In a `Uri` what is encoded would be decoded, and another address opened. VS Code takes a string as it is, although its type does not say so.
  const isOpened = await vscode.env.openExternal(href as unknown as vscode.Uri);
  if (isOpened) give(question, { action: 'accept' });
  else void showInfo(l10n.t('The page was not opened, so nothing was answered. The question stays in Needs You.'));
}

function give(question: OpenQuestion, given: UserAnswer): void {
  if (!question.answer(given)) sayTooLate(question);
}

function sayTooLate({ asked }: OpenQuestion): void {
  void showInfo(l10n.t`It is too late: the tool “${oneLine(asked.tool)}” does not wait for this answer any more. Nothing was sent.`);
}
