/** Input requests of a session: questions of the agent to the user. */
import type { InputRequest } from '../common/inputRequest.ts';
import type { URI } from './common.ts';

export { inputAnswer, knownInputAnswer } from '../common/inputRequest.ts';
export type {
  InputAnswer as SessionInputAnswer,
  InputAnswered as SessionInputAnswered,
  InputAnswerValue as SessionInputAnswerValue,
  InputBooleanQuestion as SessionInputBooleanQuestion,
  InputMultiSelectQuestion as SessionInputMultiSelectQuestion,
  InputNumberQuestion as SessionInputNumberQuestion,
  InputOption as SessionInputOption,
  InputQuestion as SessionInputQuestion,
  InputRequest as SessionInputRequest,
  InputResponseKind as SessionInputResponseKind,
  InputSingleSelectQuestion as SessionInputSingleSelectQuestion,
  InputSkipped as SessionInputSkipped,
  InputTextQuestion as SessionInputTextQuestion,
  UnknownInputQuestion,
} from '../common/inputRequest.ts';

export interface SessionInputRequestedAction {
  type: 'session/inputRequested';
  session: URI;
  request: InputRequest;
}
