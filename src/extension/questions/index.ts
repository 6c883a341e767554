/** What tools that run ask the user. */
import type { Commands } from '../commandTable.ts';
import type { WindowBase } from '../windowServices.ts';
import { WindowQuestions } from './windowQuestions.ts';

export function registerQuestions({ keys, own }: WindowBase, asked: ConstructorParameters<typeof WindowQuestions>[0]) {
  const questions = own(new WindowQuestions(asked));
  keys.follow(questions.onDidChange, () => ({ 'tapline.toolAsks': questions.open.length > 0 }));
  const commands = { answerQuestion: () => questions.answer() } satisfies Partial<Commands>;
  return { commands, questions };
}
