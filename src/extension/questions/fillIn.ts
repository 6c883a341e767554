/** Leads through the fields of a form, back and forth, to one look at all that is sent. */
import type { FieldValue, QuestionField } from '../../views/questions/toolQuestionForm.ts';
import type { FieldValues } from '../../views/questions/questionWords.ts';

/** `next` without a value: the field is left out. */
export type Step = { readonly kind: 'next'; readonly value?: FieldValue } | { readonly kind: 'back' } | { readonly kind: 'cancel' };

export interface Dialogs {
  /** `given`: what the user has said before. */
  field(field: QuestionField, at: { readonly step: number; readonly of: number }, given: Step | undefined): Promise<Step>;
  confirm(values: FieldValues): Promise<'send' | 'back' | 'cancel'>;
}

/** Undefined when the user cancels. */
export async function fillIn(fields: readonly QuestionField[], dialogs: Dialogs): Promise<FieldValues | undefined> {
  const steps: Step[] = [];
  for (let at = 0; ;) {
    const field = fields[at];
    if (!field) {
      const values = new Map(
        fields.flatMap(({ name }, index): [string, FieldValue][] => {
          const step = steps[index];
          return step?.kind === 'next' && step.value !== undefined ? [[name, step.value]] : [];
        }),
      );
      const decided = await dialogs.confirm(values);
      if (decided !== 'back') return decided === 'send' ? values : undefined;
      at = Math.max(0, fields.length - 1);
      continue;
    }
    const step = await dialogs.field(field, { step: at + 1, of: fields.length }, steps[at]);
    if (step.kind === 'cancel') return undefined;
    if (step.kind === 'back') {
      at = Math.max(0, at - 1);
      continue;
    }
    steps[at] = step;
    at++;
  }
}
