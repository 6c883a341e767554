/** The requirements for an answer, shown before the user answers. */
import * as l10n from '../../../base/l10n.ts';
import type { InputQuestion } from '../../../ahp/common/inputRequest.ts';

const FORMATS: Readonly<Record<string, string>> = {
  email: l10n.t('An email address'),
  uri: l10n.t('A full URL, such as https://example.com'),
  date: l10n.t('A date, such as 2026-01-31'),
  'date-time': l10n.t('A date and time, such as 2026-01-31T09:00Z'),
};

/** Undefined when any answer is valid. */
export function questionHint(question: InputQuestion): string | undefined {
  switch (question.kind) {
    case 'text': {
      const format = question.format !== undefined && Object.hasOwn(FORMATS, question.format) ? FORMATS[question.format] : undefined;
      // An answer has at least one in any case.
      return joined(format, lengthHint(question.min === 1 ? undefined : question.min, question.max));
    }
    case 'integer':
      return joined(l10n.t('A whole number'), range(question.min, question.max));
    case 'number':
      return joined(undefined, range(question.min, question.max));
    case 'multi-select':
      return countHint(question.min, question.max);
    default:
      return undefined;
  }
}

function range(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return min === max ? String(min) : l10n.t`${min} to ${max}`;
  if (min !== undefined) return l10n.t`at least ${min}`;
  return max === undefined ? undefined : l10n.t`at most ${max}`;
}

function lengthHint(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined)
    return min === max ? l10n.plural(max, l10n.t`${max} character`, l10n.t`${max} characters`) : l10n.t`${min} to ${max} characters`;
  if (min !== undefined) return l10n.plural(min, l10n.t`at least ${min} character`, l10n.t`at least ${min} characters`);
  return max === undefined ? undefined : l10n.plural(max, l10n.t`at most ${max} character`, l10n.t`at most ${max} characters`);
}

function countHint(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return min === max ? l10n.t`Choose ${max}` : l10n.t`Choose ${min} to ${max}`;
  if (min !== undefined) return l10n.t`Choose at least ${min}`;
  return max === undefined ? undefined : l10n.t`Choose at most ${max}`;
}

function joined(...parts: (string | undefined)[]): string | undefined {
  const text = l10n.commaText(parts.filter((part) => part !== undefined));
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}
