/** A question of a provider as its user may see it. */
import { isBlank } from '../../tap/wire/fields.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { UserQuestion } from '../../tap/wire/userQuestion.ts';
import { cleanText } from '../limits/cleanText.ts';

/** What of a form is only shown, with its longest text. All else goes back to the provider as it came. */
const shown: Readonly<Record<string, number>> = { title: 200, enumNames: 200, description: 2_000, default: 2_000 };

/**
 * Undefined where it cannot be asked: it says nothing, or has a name or a value with characters that cannot be seen, which would be sent
 * unlike it was shown.
 */
export function cleanQuestion(question: UserQuestion): UserQuestion | undefined {
  const message = cleanText(question.message, Limit.questionLength);
  if (isBlank(message)) return undefined;
  if ('url' in question) return { ...question, message };
  if (!isClean(question.requestedSchema)) return undefined;
  return { message, requestedSchema: cleanForm(question.requestedSchema) as Record<string, unknown> };
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return cleanText(value, Infinity) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isClean);
  return Object.entries(value).every(([key, part]) => isClean(key) && (isTextOf(key, part) || isClean(part)));
}

function cleanForm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanForm);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, isTextOf(key, part) ? cleanTexts(part, key) : cleanForm(part)]),
  );
}

/** A field may have one of these names, too: then it is an object. */
function isTextOf(key: string, value: unknown): value is string | unknown[] {
  return (
    Object.hasOwn(shown, key) && (typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string')))
  );
}

function cleanTexts(value: string | unknown[], key: string): unknown {
  const clean = (text: unknown) => cleanText(String(text), shown[key] ?? 0);
  return Array.isArray(value) ? value.map(clean) : clean(value);
}
