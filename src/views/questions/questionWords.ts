/** What the user reads of a tool's question. All of its words are a provider's, which may lie, and the title of a session a host's. */
import * as l10n from '../../base/l10n.ts';
import { quoted } from '../../base/text/quoted.ts';
import type { UserQuestion } from '../../tap/wire/userQuestion.ts';
import { plainLines } from '../providers/words.ts';
import { oneLine } from '../text/oneLine.ts';
import type { FieldValue, QuestionField } from './toolQuestionForm.ts';
import { fieldLines, namedText, proseLines } from '../text/decisionLines.ts';

export interface ToolQuestion {
  readonly tool: string;
  readonly provider: string;
  /** The title of the session that has called the tool. */
  readonly session: string;
  readonly question: UserQuestion;
}

const NAME_LENGTH = 80;
const MESSAGE_LENGTH = 2_000;
const LINE_LENGTH = 200;

export type FieldValues = ReadonlyMap<string, FieldValue>;

const short = (name: string) => namedText(oneLine(name, NAME_LENGTH));

export function whoAsks({ tool, provider, session }: ToolQuestion): string {
  return l10n.t`The tool ${short(tool)} of ${short(provider)} asks you in the session ${short(session)}.`;
}

/** For a row of a list. */
export function questionRow({ tool, provider, question }: ToolQuestion): { title: string; what: string } {
  const title = `${oneLine(provider, NAME_LENGTH)}: ${oneLine(tool, NAME_LENGTH)}`;
  return { title, what: l10n.t`Asks you: ${oneLine(question.message, LINE_LENGTH)}` };
}

/** For a notification. */
export function questionLine(asked: ToolQuestion): string {
  return l10n.sentencesText([whoAsks(asked), namedText(oneLine(asked.question.message, LINE_LENGTH))]);
}

/** For a dialog: the message, and what an answer does. `url`: the page that would be opened. */
export function questionDetail({ question: { message } }: ToolQuestion, url: URL | undefined): string {
  const text = proseLines(l10n.t({ message: 'It says', comment: 'the question of a tool' }), plainLines(message, MESSAGE_LENGTH)).join(
    '\n',
  );
  if (!url)
    return `${text}\n\n${l10n.t('These words are the provider’s. It gets what you enter, and so may the model. Do not enter passwords or keys.')}`;
  return [
    text,
    '',
    ...fieldLines(l10n.t('Site'), url.host),
    ...fieldLines(l10n.t('Page'), url.href),
    '',
    l10n.t('These words are the provider’s. Open the page only if you know the site and expect it to be opened.'),
  ].join('\n');
}

/** All that is sent, field by field. */
export function answerDetail(fields: readonly QuestionField[], values: FieldValues): string {
  return fields.flatMap((one) => answerLines(one, values.get(one.name))).join('\n');
}

function answerLines({ name, standard }: QuestionField, value: FieldValue | undefined): string[] {
  const label = `${quoted(oneLine(name, NAME_LENGTH))}:`;
  if (typeof value === 'string') return fieldLines(label, value);
  if (typeof value === 'object' && value.length > 0)
    return value.flatMap((one, at) => fieldLines(at === 0 ? label : `  ${l10n.t('and')}`, one));
  if (value !== undefined) return [`    ${label} ${typeof value === 'object' ? l10n.t('none') : String(value)}`];
  const instead = standard === undefined ? undefined : quoted(oneLine(JSON.stringify(standard), LINE_LENGTH));
  const leftOut = instead === undefined ? l10n.t('left out') : l10n.t`left out. The provider may use its own value: ${instead}`;
  return [`    ${label} ${leftOut}`];
}

/** A plain assignment to a field that is named `__proto__` would set the prototype. */
export function contentOf(values: FieldValues): Record<string, unknown> {
  return Object.fromEntries(values);
}
