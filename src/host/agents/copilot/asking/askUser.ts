/** Questions of the engine to the user. */
import type { ExitPlanModeRequest, ExitPlanModeResult, SessionConfig } from '@github/copilot-sdk';
import type { InputAnswer, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { AgentTurn } from '../../agent.ts';

type UserInputHandler = NonNullable<SessionConfig['onUserInputRequest']>;
type UserInputRequest = Parameters<UserInputHandler>[0];
type UserInputResponse = Awaited<ReturnType<UserInputHandler>>;

const QUESTION = 'question';
/** What the model is told when there is no answer. */
// eslint-disable-next-line texts/translated -- for the model
const NO_ANSWER = 'The user did not answer. Go on with your best judgement, or stop if you cannot.';

/** Asks one question, with or without choices. */
export async function askUser(
  turn: AgentTurn,
  { question, choices = [], allowFreeform = true }: UserInputRequest,
): Promise<UserInputResponse> {
  const asked: InputQuestion =
    choices.length === 0
      ? { kind: 'text', id: QUESTION, message: question, required: true }
      : {
          kind: 'single-select',
          id: QUESTION,
          message: question,
          required: true,
          allowFreeformInput: allowFreeform,
          options: choices.map((label, index) => ({ id: String(index), label })),
        };
  const response = await turn.ask({ message: question, questions: [asked] });
  const answer = response.response === 'accept' ? answerText(response.answers[QUESTION], choices) : undefined;
  return answer ?? { answer: NO_ANSWER, wasFreeform: true };
}

/** Asks whether a plan may be carried out. */
export async function askAboutPlan(
  turn: AgentTurn,
  { summary, planContent, actions, recommendedAction }: ExitPlanModeRequest,
): Promise<ExitPlanModeResult> {
  const options = actions.map((action) => ({
    id: action,
    label: actionLabels[action] ?? action,
    recommended: action === recommendedAction,
  }));
  turn.markdown(`\n\n${planContent || summary}\n\n`);
  const response = await turn.ask({
    message: l10n.t('The plan is ready'),
    questions: [
      {
        kind: 'single-select',
        id: QUESTION,
        message: l10n.t('What should happen with this plan? Choose, or say what should be different.'),
        required: true,
        allowFreeformInput: true,
        options,
      },
    ],
  });
  if (response.response !== 'accept') return { approved: false };
  const answer = answerText(response.answers[QUESTION], actions);
  if (!answer) return { approved: false };
  if (answer.wasFreeform) return { approved: false, feedback: answer.answer };
  return { approved: true, selectedAction: answer.answer };
}

const actionLabels: Readonly<Record<string, string>> = {
  interactive: l10n.t('Carry it out, asking as usual'),
  autopilot: l10n.t('Carry it out without stopping'),
  autopilot_fleet: l10n.t('Carry it out with several agents, without stopping'),
  exit_only: l10n.t('Leave the planning mode only'),
};

/** `choices`: by option id or by position. */
function answerText(answer: InputAnswer | undefined, choices: readonly string[]): UserInputResponse | undefined {
  if (answer?.state === 'skipped') {
    const own = answer.freeformValues?.join('\n');
    return own ? { answer: own, wasFreeform: true } : undefined;
  }
  if (answer?.state !== 'submitted') return undefined;
  const { value } = answer;
  if (value.kind === 'text') return { answer: value.value, wasFreeform: true };
  if (value.kind !== 'selected') return undefined;
  const own = value.freeformValues?.join('\n');
  if (own) return { answer: own, wasFreeform: true };
  const choice = choices.includes(value.value) ? value.value : choices[Number(value.value)];
  return choice === undefined ? undefined : { answer: choice, wasFreeform: false };
}
