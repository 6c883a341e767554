/** Forms and pages that MCP servers and extensions of the engine show to the user. They are untrusted, and checked here. */
import type { ElicitationContext, ElicitationFieldValue, ElicitationResult } from '@github/copilot-sdk';
import type { InputAnswer, InputOption, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import { englishOf, messageOf, WordedError } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import type { Logger } from '../../../../base/log.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import type { AgentTurn } from '../../agent.ts';
import { plain } from '../../markdown.ts';

/** The form cannot be shown. The message says why. */
export class UnaskableForm extends WordedError {
  override readonly name = 'UnaskableForm';
}

/** A field of a form: its question, its initial answer, and how an answer is converted for the server. */
interface Field {
  question: InputQuestion;
  initially?: InputAnswer;
  valueOf(answer: InputAnswer): ElicitationFieldValue | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

/** Like {@link elicit}, but never rejects: a failure becomes "no answer". Without a running turn nobody can be asked. */
export async function answerElicitation(
  turn: AgentTurn | undefined,
  request: ElicitationContext,
  logger: Logger,
): Promise<ElicitationResult> {
  const source = request.elicitationSource;
  try {
    if (!turn) throw new UnaskableForm(phrase`no turn is in progress`);
    return await elicit(turn, request);
  } catch (error) {
    logger.warn(`a question of ${source ?? 'a tool'} was not asked: ${englishOf(error)}`);
    if (error instanceof UnaskableForm) {
      const who = source ?? l10n.t({ message: 'A tool', comment: 'at the beginning of a sentence' });
      turn?.markdown(`\n\n*${l10n.t`${plain(who)} was not answered: ${plain(messageOf(error))}.`}*\n\n`);
    }
    return { action: 'cancel' };
  }
}

/**
 * Asks the user and returns the fields that they filled in, in the types of the form. Rejects when the turn ends first, and with {@link
 * UnaskableForm}.
 */
export async function elicit(turn: AgentTurn, context: ElicitationContext): Promise<ElicitationResult> {
  const { message, elicitationSource, mode } = context;
  // The name of the server must be visible, because it could pretend to be another one.
  const asking = elicitationSource ? l10n.t`${elicitationSource} asks: ${message}` : message;
  if (mode === 'url') {
    const { response } = await turn.ask({ message: asking, url: pageOf(context.url) });
    return { action: response };
  }
  const fields = fieldsOf(context.requestedSchema);
  const answers = Object.fromEntries(fields.flatMap(({ question, initially }) => (initially ? [[question.id, initially]] : [])));
  const response = await turn.ask({
    message: asking,
    questions: fields.map(({ question }) => question),
    ...(Object.keys(answers).length > 0 && { answers }),
  });
  if (response.response !== 'accept') return { action: response.response };
  const content = fields.flatMap(({ question: { id }, valueOf }): [string, ElicitationFieldValue][] => {
    const answer = Object.hasOwn(response.answers, id) ? response.answers[id] : undefined;
    const value = answer && valueOf(answer);
    return value === undefined ? [] : [[id, value]];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

/** Only web pages. URLs with other schemes start programs. */
function pageOf(url: string | undefined): string {
  if (url === undefined || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UnaskableForm(phrase`the page to open has no http or https address`);
  return url;
}

function fieldsOf(schema: unknown): Field[] {
  const { properties, required } = recordOf(schema) ?? {};
  const fields = recordOf(properties);
  if (!fields) throw new UnaskableForm(phrase`the form has no fields`);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(fields).map(([id, field]) => fieldOf(id, recordOf(field) ?? {}, needed.includes(id)));
}

function fieldOf(id: string, schema: Schema, required: boolean): Field {
  const title = textOf(schema.title);
  const about = { id, title: title ?? id, message: textOf(schema.description) ?? title ?? id, required };
  const { type, default: initially } = schema;
  if (type === 'boolean')
    return {
      question: { kind: 'boolean', ...about, ...(typeof initially === 'boolean' && { defaultValue: initially }) },
      valueOf: (answer) => valueOf(answer, 'boolean')?.value,
    };
  if (type === 'number' || type === 'integer')
    return {
      question: {
        kind: type,
        ...about,
        ...rangeOf(schema.minimum, schema.maximum),
        ...(typeof initially === 'number' && { defaultValue: initially }),
      },
      valueOf: (answer) => valueOf(answer, 'number')?.value,
    };
  const choices = type === 'array' ? choicesOf(recordOf(schema.items) ?? {}) : type === 'string' ? choicesOf(schema) : undefined;
  if (type === 'array' && choices) {
    const chosen = Array.isArray(initially) ? choices.filter(({ value }) => initially.includes(value)) : [];
    return {
      question: { kind: 'multi-select', ...about, options: optionsOf(choices, chosen), ...rangeOf(schema.minItems, schema.maxItems) },
      ...(chosen.length > 0 && { initially: { state: 'draft', value: { kind: 'selected-many', value: chosen.map(({ id }) => id) } } }),
      valueOf: (answer) => valueOf(answer, 'selected-many')?.value.flatMap((chosenId) => valueIn(choices, chosenId) ?? []),
    };
  }
  if (type === 'string' && choices) {
    const chosen = choices.filter(({ value }) => value === initially).slice(0, 1);
    return {
      question: { kind: 'single-select', ...about, options: optionsOf(choices, chosen) },
      ...(chosen[0] && { initially: { state: 'draft', value: { kind: 'selected', value: chosen[0].id } } }),
      valueOf: (answer) => {
        const value = valueOf(answer, 'selected')?.value;
        return value === undefined ? undefined : valueIn(choices, value);
      },
    };
  }
  if (type === 'string') {
    const format = textOf(schema.format);
    return {
      question: {
        kind: 'text',
        ...about,
        ...(format !== undefined && { format }),
        ...rangeOf(schema.minLength, schema.maxLength),
        ...(typeof initially === 'string' && { defaultValue: initially }),
      },
      valueOf: (answer) => valueOf(answer, 'text')?.value,
    };
  }
  throw new UnaskableForm(phrase`its field “${id}” is of a kind that cannot be filled in here`);
}

interface Choice {
  /** By option, because values may be empty. */
  id: string;
  value: string;
  label: string;
}

/** Undefined when there are no options. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Schema): Choice[] | undefined {
  const titled = oneOf ?? anyOf;
  if (Array.isArray(titled))
    return titled.map((entry: unknown, index) => {
      const { const: value, title } = recordOf(entry) ?? {};
      if (typeof value !== 'string') throw new UnaskableForm(phrase`one of its choices is no text`);
      return { id: String(index), value, label: textOf(title) ?? value };
    });
  if (!Array.isArray(values)) return undefined;
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value: unknown, index) => {
    if (typeof value !== 'string') throw new UnaskableForm(phrase`one of its choices is no text`);
    return { id: String(index), value, label: textOf(names[index]) ?? value };
  });
}

function optionsOf(choices: readonly Choice[], recommended: readonly Choice[]): InputOption[] {
  return choices.map((choice) => ({ id: choice.id, label: choice.label, ...(recommended.includes(choice) && { recommended: true }) }));
}

function valueIn(choices: readonly Choice[], id: string): string | undefined {
  return choices.find((choice) => choice.id === id)?.value;
}

type ValueOf<K> = Extract<Extract<InputAnswer, { value: unknown }>['value'], { kind: K; value: unknown }>;

/** The value of a submitted answer of that kind. */
function valueOf<K extends 'text' | 'number' | 'boolean' | 'selected' | 'selected-many'>(
  answer: InputAnswer,
  kind: K,
): ValueOf<K> | undefined {
  return answer.state === 'submitted' && answer.value.kind === kind ? (answer.value as ValueOf<K>) : undefined;
}

function rangeOf(min: unknown, max: unknown): { min?: number; max?: number } {
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

function recordOf(value: unknown): Schema | undefined {
  return isRecord(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
