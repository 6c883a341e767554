import type { InputAnswer, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import * as l10n from '../../../../base/l10n.ts';
import { plain } from '../../markdown.ts';
import type { Skill, SkillContext } from '../skill.ts';

const questions: InputQuestion[] = [
  { kind: 'text', id: 'name', title: l10n.t('Name'), message: l10n.t('What is the name of the project?'), required: true, min: 2, max: 40 },
  { kind: 'text', id: 'contact', title: l10n.t('Contact'), message: l10n.t('Where can people write to?'), format: 'email' },
  {
    kind: 'number',
    id: 'budget',
    title: l10n.t('Budget'),
    message: l10n.t('How many hours may it take?'),
    min: 0.5,
    max: 100,
    defaultValue: 1.5,
  },
  {
    kind: 'integer',
    id: 'people',
    title: l10n.t('People'),
    message: l10n.t('How many people will use it?'),
    required: true,
    min: 1,
    max: 1000,
  },
  { kind: 'boolean', id: 'tests', title: l10n.t('Tests'), message: l10n.t('Should it have tests?'), defaultValue: true },
  {
    kind: 'single-select',
    id: 'database',
    title: l10n.t('Database'),
    message: l10n.t('Which database?'),
    required: true,
    allowFreeformInput: true,
    options: [
      { id: 'sqlite', label: 'SQLite', description: l10n.t('One file, nothing to set up'), recommended: true },
      { id: 'postgres', label: 'PostgreSQL', description: l10n.t('A server of its own') },
      { id: 'none', label: l10n.t('None') },
    ],
  },
  {
    kind: 'multi-select',
    id: 'platforms',
    title: l10n.t('Platforms'),
    message: l10n.t('Where should it run? Choose one or two.'),
    min: 1,
    max: 2,
    options: [
      // eslint-disable-next-line texts/translated -- a name
      { id: 'linux', label: 'Linux', recommended: true },
      { id: 'mac', label: 'macOS' },
      // eslint-disable-next-line texts/translated -- a name
      { id: 'windows', label: 'Windows' },
    ],
  },
];

const PAGE = 'https://example.com/device?code=DEMO-1234';

/** Questions of every kind in one request, or a page to open. */
export const askSkill: Skill = {
  name: 'ask',
  parameters: '[url]',
  summary: l10n.t('Asks questions of every kind and repeats the answers; `ask url` asks you to open a page instead'),
  async run(context) {
    if (context.argument === 'url') await askForPage(context);
    else await askQuestions(context, questions);
  },
};

/** One question for the tour. */
export const shortQuestions: InputQuestion[] = questions.filter(({ id }) => id === 'database');

export async function askQuestions({ turn, voice }: SkillContext, asked: InputQuestion[]): Promise<void> {
  await voice.say(l10n.t('A few questions, as an agent asks before it starts. I only repeat your answers.'));
  const response = await turn.ask({ message: l10n.t('The demo agent wants to know'), questions: asked });
  if (response.response !== 'accept') {
    await voice.say(response.response === 'decline' ? l10n.t('You declined to answer.') : l10n.t('You cancelled the questions.'));
    return;
  }
  const { answers } = response;
  const lines = asked.map((question) => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    return `- **${question.title ?? question.id}**: ${wordsOf(question, answer)}`;
  });
  await voice.say(`${l10n.t('This is what I got:')}\n\n${lines.join('\n')}`);
}

async function askForPage({ turn, voice }: SkillContext): Promise<void> {
  await voice.say(l10n.t('Some agents need you to do something on a web page, such as signing in. This one only pretends to.'));
  const { response } = await turn.ask({ message: l10n.t('Open the page, then say whether it worked'), url: PAGE });
  const heard = {
    accept: l10n.t('You said that it worked.'),
    decline: l10n.t('You did not want to open the page.'),
    cancel: l10n.t('You cancelled.'),
  };
  await voice.say(heard[response]);
}

function wordsOf(question: InputQuestion, answer: InputAnswer | undefined): string {
  if (answer?.state === 'skipped') return [`*${l10n.t('skipped')}*`, ...(answer.freeformValues ?? []).map(plain)].join(', ');
  if (answer?.state !== 'submitted') return `*${l10n.t('no answer')}*`;
  const { value } = answer;
  const labels = (ids: string[], own: string[] | undefined) =>
    [
      ...ids.filter((id) => id !== '').map((id) => plain(labelOf(question, id))),
      ...(own ?? []).map((text) => l10n.t`${plain(text)} (your own words)`),
    ].join(', ');
  switch (value.kind) {
    case 'text':
      return plain(value.value) || `*${l10n.t({ message: 'empty', comment: 'an answer' })}*`;
    case 'number':
      return String(value.value);
    case 'boolean':
      return value.value ? l10n.t('yes') : l10n.t('no');
    case 'selected':
      return labels([value.value], value.freeformValues);
    case 'selected-many':
      return labels(value.value, value.freeformValues) || `*${l10n.t({ message: 'none', comment: 'of several options' })}*`;
    default:
      return `*${l10n.t('an answer of a kind that I do not know')}*`;
  }
}

function labelOf(question: InputQuestion, id: string): string {
  const options = question.kind === 'single-select' || question.kind === 'multi-select' ? question.options : [];
  return options.find((option) => option.id === id)?.label ?? id;
}
