import type { InputAnswer, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import { plain } from '../../markdown.ts';
import type { Skill, SkillContext } from '../skill.ts';

const questions: InputQuestion[] = [
  { kind: 'text', id: 'name', title: 'Name', message: 'What is the name of the project?', required: true, min: 2, max: 40 },
  { kind: 'text', id: 'contact', title: 'Contact', message: 'Where can people write to?', format: 'email' },
  { kind: 'number', id: 'budget', title: 'Budget', message: 'How many hours may it take?', min: 0.5, max: 100, defaultValue: 1.5 },
  { kind: 'integer', id: 'people', title: 'People', message: 'How many people will use it?', required: true, min: 1, max: 1000 },
  { kind: 'boolean', id: 'tests', title: 'Tests', message: 'Should it have tests?', defaultValue: true },
  {
    kind: 'single-select',
    id: 'database',
    title: 'Database',
    message: 'Which database?',
    required: true,
    allowFreeformInput: true,
    options: [
      { id: 'sqlite', label: 'SQLite', description: 'One file, nothing to set up', recommended: true },
      { id: 'postgres', label: 'PostgreSQL', description: 'A server of its own' },
      { id: 'none', label: 'None' },
    ],
  },
  {
    kind: 'multi-select',
    id: 'platforms',
    title: 'Platforms',
    message: 'Where should it run? Choose one or two.',
    min: 1,
    max: 2,
    options: [
      { id: 'linux', label: 'Linux', recommended: true },
      { id: 'mac', label: 'macOS' },
      { id: 'windows', label: 'Windows' },
    ],
  },
];

const PAGE = 'https://example.com/device?code=DEMO-1234';

/** Questions of every kind in one request, or a page to open. */
export const askSkill: Skill = {
  name: 'ask',
  parameters: '[url]',
  summary: 'Asks questions of every kind and repeats the answers; `ask url` asks you to open a page instead',
  async run(context) {
    if (context.argument === 'url') await askForPage(context);
    else await askQuestions(context, questions);
  },
};

/** One question for the tour. */
export const shortQuestions: InputQuestion[] = questions.filter(({ id }) => id === 'database');

export async function askQuestions({ turn, voice }: SkillContext, asked: InputQuestion[]): Promise<void> {
  await voice.say('A few questions, as an agent asks before it starts. I only repeat your answers.');
  const response = await turn.ask({ message: 'The demo agent wants to know', questions: asked });
  if (response.response !== 'accept') {
    await voice.say(response.response === 'decline' ? 'You declined to answer.' : 'You cancelled the questions.');
    return;
  }
  const { answers } = response;
  const lines = asked.map((question) => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    return `- **${question.title ?? question.id}**: ${wordsOf(question, answer)}`;
  });
  await voice.say(`This is what I got:\n\n${lines.join('\n')}`);
}

async function askForPage({ turn, voice }: SkillContext): Promise<void> {
  await voice.say('Some agents need you to do something on a web page, such as signing in. This one only pretends to.');
  const { response } = await turn.ask({ message: 'Open the page, then say whether it worked', url: PAGE });
  const heard = { accept: 'You said that it worked.', decline: 'You did not want to open the page.', cancel: 'You cancelled.' };
  await voice.say(heard[response]);
}

function wordsOf(question: InputQuestion, answer: InputAnswer | undefined): string {
  if (answer?.state === 'skipped') return ['*skipped*', ...(answer.freeformValues ?? []).map(plain)].join(', ');
  if (answer?.state !== 'submitted') return '*no answer*';
  const { value } = answer;
  const labels = (ids: string[], own: string[] | undefined) =>
    [
      ...ids.filter((id) => id !== '').map((id) => plain(labelOf(question, id))),
      ...(own ?? []).map((text) => `${plain(text)} (your own words)`),
    ].join(', ');
  switch (value.kind) {
    case 'text':
      return plain(value.value) || '*empty*';
    case 'number':
      return String(value.value);
    case 'boolean':
      return value.value ? 'yes' : 'no';
    case 'selected':
      return labels([value.value], value.freeformValues);
    case 'selected-many':
      return labels(value.value, value.freeformValues) || '*none*';
    default:
      return '*an answer of a kind that I do not know*';
  }
}

function labelOf(question: InputQuestion, id: string): string {
  const options = question.kind === 'single-select' || question.kind === 'multi-select' ? question.options : [];
  return options.find((option) => option.id === id)?.label ?? id;
}
