import assert from 'node:assert/strict';
import type { InputAnswer, InputRequest } from '../../../../ahp/common/inputRequest.ts';
import type { AgentTurn, InputResponse } from '../../agent.ts';
import { askAboutPlan, askUser } from './askUser.ts';

type Request = Omit<InputRequest, 'id'>;

/** A fake turn whose user answers with that. */
function turnWith(respond: (asked: Request) => InputResponse): AgentTurn {
  return { ask: async (asked: Request) => respond(asked), markdown: () => undefined } as unknown as AgentTurn;
}
const answering = (answer: InputAnswer) =>
  turnWith(({ questions = [] }) => ({ response: 'accept', answers: { [questions[0]?.id ?? '']: answer } }));

describe('questions of the Copilot engine', () => {
  const request = { question: 'Which?', choices: ['red', 'green'] };

  it('answers with the text of the choice', async () => {
    const turn = answering({ state: 'submitted', value: { kind: 'selected', value: '1' } });
    assert.deepEqual(await askUser(turn, request), { answer: 'green', wasFreeform: false });
  });

  it('answers with the user’s own words', async () => {
    const turn = answering({ state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['blue'] } });
    assert.deepEqual(await askUser(turn, request), { answer: 'blue', wasFreeform: true });
    const text = answering({ state: 'submitted', value: { kind: 'text', value: 'yes' } });
    assert.deepEqual(await askUser(text, { question: 'Why?' }), { answer: 'yes', wasFreeform: true });
  });

  it('says that there was no answer, and makes none up', async () => {
    const turns = [
      turnWith(() => ({ response: 'decline' })),
      turnWith(() => ({ response: 'cancel' })),
      answering({ state: 'skipped' }),
      answering({ state: 'submitted', value: { kind: 'selected', value: '7' } }),
    ];
    for (const turn of turns) assert.match((await askUser(turn, request)).answer, /did not answer/);
  });

  it('carries a plan out only when that was chosen', async () => {
    const plan = { summary: 's', actions: ['interactive', 'exit_only'], recommendedAction: 'interactive' };
    const choose = (value: string, freeformValues?: string[]) =>
      answering({ state: 'submitted', value: { kind: 'selected', value, ...(freeformValues && { freeformValues }) } });
    assert.deepEqual(await askAboutPlan(choose('exit_only'), plan), { approved: true, selectedAction: 'exit_only' });
    assert.deepEqual(await askAboutPlan(choose('', ['smaller steps']), plan), { approved: false, feedback: 'smaller steps' });
    assert.deepEqual(
      await askAboutPlan(
        turnWith(() => ({ response: 'decline' })),
        plan,
      ),
      { approved: false },
    );
    assert.deepEqual(await askAboutPlan(choose('autopilot'), plan), { approved: false });
  });
});
