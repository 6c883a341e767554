/** The page of a job in VS Code, with the test in place of the extension. */
import {
  type AnswerMessage,
  type BeginMessage,
  type JobMessage,
  type JobPageMessage,
  type JobPageRequest,
  parseJobPageMessage,
} from '../../src/webviews/jobPanel/protocol.ts';
import type { ResultAnswer, ResultQuestion } from '../../src/views/portal/result/resultQuestions.ts';
import { WebviewPage } from './webviewPage.ts';

export class JobPage extends WebviewPage<JobPageMessage> {
  protected take(message: unknown): JobPageMessage | undefined {
    return parseJobPageMessage(message);
  }
  async answer(answer: Omit<AnswerMessage, 'type'>): Promise<void> {
    await this.sendAll([{ type: 'answer', ...answer } satisfies AnswerMessage]);
  }
  /** The next request, without its number. */
  async asked(type: JobPageRequest['type']) {
    const { id, ...request } = (await this.until(`a request “${type}”`, (message) => message.type === type)) as JobPageRequest;
    return { id, request };
  }
  async show(message: Partial<JobMessage>): Promise<void> {
    await this.sendAll([{ type: 'job', isRunning: true, folder: '/home/ada/web-app', at: 9000, ...message } satisfies JobMessage]);
  }
  async begin(deed: BeginMessage['deed']): Promise<void> {
    await this.sendAll([{ type: 'begin', deed } satisfies BeginMessage]);
  }
  /** The next question about the result, which is answered. Resolves with what was sent with it. */
  async answerResult<Q extends ResultQuestion>(question: Q, result: ResultAnswer<Q> | Error): Promise<unknown> {
    const asked = await this.until(`the question “${question}”`, (message) => message.type === 'result' && message.question === question);
    const { id, body } = asked as Extract<JobPageRequest, { type: 'result' }>;
    await this.answer({ id, ...(result instanceof Error ? { problem: result.message } : { result }) });
    return body;
  }
}
