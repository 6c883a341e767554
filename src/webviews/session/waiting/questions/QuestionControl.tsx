/** A question with the controls of its kind, and the problem of its answer. */
import * as l10n from '../../../../base/l10n.ts';
import type { InputOption, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import { questionHint } from '../../../../views/session/waiting/questionHint.ts';
import { emptyField, type Field, isEmpty } from '../../../../views/session/waiting/questionForm.ts';
import { unknownLabel } from '../../../../views/session/transcript/transcript.ts';
import { VisibleText } from '../../text/VisibleText.tsx';
import { GrowingField, LineField } from '../../text/textFields.tsx';

interface QuestionControlProps {
  /** Distinguishes the element ids of several forms. Of two hosts, questions may have equal ids. */
  formId: string;
  question: InputQuestion;
  /** False when the card's title says the same. */
  titled: boolean;
  field: Field;
  problem?: string;
  disabled: boolean;
  onChange(field: Field): void;
  /** Called when the focus leaves the control. */
  onLeave(event: FocusEvent): void;
  onCopy(text: string): void;
  /** Another window has answered it otherwise, and that can be shown in place of what is here. */
  onAdopt?(): void;
}

export function QuestionControl(props: QuestionControlProps) {
  const { question, field, problem, formId, titled, disabled, onChange } = props;
  const id = `${formId}-${question.id}`;
  const name = question.title ?? question.message;
  const canSkip = !question.required && !disabled;
  const isSkipped = field.skipped !== undefined;
  const grouped = !isSkipped && (question.kind === 'boolean' || question.kind === 'single-select' || question.kind === 'multi-select');
  const hint = isSkipped ? undefined : questionHint(question);
  const described =
    [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === undefined ? [] : [`${id}-problem`])].join(' ') || undefined;
  const label = (
    <>
      {question.title && (
        <strong class="question-title">
          <VisibleText text={question.title} prose />{' '}
        </strong>
      )}
      <span class={titled ? '' : 'visually-hidden'}>
        <VisibleText text={question.message} prose />
      </span>
      {!question.required && <span class="fact"> {l10n.t('optional')}</span>}
    </>
  );
  const controls = isSkipped ? (
    <LineField
      id={id}
      class="input"
      aria-label={l10n.t`Why you skip “${name}” (optional)`}
      placeholder={l10n.t('Why you skip this (optional)')}
      disabled={disabled}
      text={field.skipped ?? ''}
      onText={(skipped) => onChange({ ...field, skipped })}
      onCopy={props.onCopy}
    />
  ) : (
    <Controls {...props} id={id} described={described} />
  );
  return (
    <div class={canSkip ? 'question question-optional' : 'question'} data-question={question.id} data-judged>
      {grouped ? (
        <fieldset
          role={question.kind === 'multi-select' ? 'group' : 'radiogroup'}
          aria-required={question.kind !== 'multi-select' && question.required === true ? true : undefined}
          aria-invalid={question.kind !== 'multi-select' && problem !== undefined ? true : undefined}
          aria-describedby={described}
        >
          <legend>{label}</legend>
          {hint !== undefined && <QuestionHint id={id} text={hint} />}
          {controls}
          {canClear(props) && (
            <button
              type="button"
              class="link-button"
              aria-label={l10n.t('Clear the choice')}
              onClick={({ currentTarget }) => {
                // The button goes, and the focus must not go with it.
                currentTarget.closest('fieldset')?.querySelector('input')?.focus();
                props.onChange(emptyField);
              }}
            >
              {l10n.t({ message: 'Clear', comment: 'a choice among options' })}
            </button>
          )}
        </fieldset>
      ) : (
        <>
          <label for={id}>{label}</label>
          {controls}
          {hint !== undefined && <QuestionHint id={id} text={hint} />}
        </>
      )}
      {props.onAdopt && (
        <p class="hint" role="status">
          {l10n.t('Another window has changed this answer. What you typed is still here, and counts.')}{' '}
          <button type="button" class="link-button" onClick={props.onAdopt}>
            {l10n.t('Use the other answer')}
          </button>
        </p>
      )}
      {canSkip && (
        <button
          type="button"
          class="link-button question-skip"
          aria-label={isSkipped ? l10n.t`Answer it: “${name}”` : l10n.t`Skip… “${name}”, with a reason`}
          title={isSkipped ? l10n.t('Answer it after all') : l10n.t('Skip it and say why')}
          onClick={({ currentTarget }) => {
            const control = currentTarget.closest('.question');
            onChange(isSkipped ? without(field) : { ...field, skipped: '' });
            // With the next rendering there is another field.
            requestAnimationFrame(() => control?.querySelector<HTMLElement>('input, textarea')?.focus());
          }}
        >
          {isSkipped ? l10n.t('Answer it') : l10n.t('Skip…')}
        </button>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A radio button cannot be turned off again by itself. */
function canClear({ question, field, disabled }: QuestionControlProps): boolean {
  const isChoice = question.kind === 'boolean' || question.kind === 'single-select';
  return isChoice && !question.required && !disabled && !isEmpty(question, field);
}

/** The question is answered after all. */
function without({ skipped: _, ...field }: Field): Field {
  return field;
}

function QuestionHint({ id, text }: { id: string; text: string }) {
  return (
    <p id={`${id}-hint`} class="hint question-hint">
      {text}
    </p>
  );
}

function Controls(props: QuestionControlProps & { id: string; described: string | undefined }) {
  const { question, field, problem, disabled, id, described, onChange, onLeave, onCopy } = props;
  const shared = {
    disabled,
    'aria-required': question.required === true,
    'aria-invalid': problem !== undefined,
    'aria-describedby': described,
    onBlur: onLeave,
    onCopy,
  };
  switch (question.kind) {
    case 'text':
      return question.format === undefined ? (
        <GrowingField {...shared} id={id} class="input" text={field.text} onText={(text) => onChange({ ...field, text })} />
      ) : (
        <LineField
          {...shared}
          id={id}
          class="input"
          inputMode={question.format === 'email' ? 'email' : question.format === 'uri' ? 'url' : 'text'}
          text={field.text}
          onText={(text) => onChange({ ...field, text })}
        />
      );
    case 'number':
    case 'integer':
      return (
        <LineField
          {...shared}
          id={id}
          class="input number-input"
          inputMode={question.kind === 'integer' ? 'numeric' : 'decimal'}
          text={field.text}
          onText={(text) => onChange({ ...field, text })}
        />
      );
    case 'boolean':
      return (
        <>
          {[true, false].map((value) => (
            <label key={String(value)} class="choice">
              <input
                type="radio"
                name={id}
                disabled={disabled}
                checked={field.checked === value}
                onChange={() => onChange({ ...field, checked: value })}
              />
              <span>{value ? l10n.t('Yes') : l10n.t('No')}</span>
            </label>
          ))}
        </>
      );
    case 'single-select':
      return (
        <>
          {question.options.map((option) => (
            <label key={option.id} class="choice">
              <input
                type="radio"
                name={id}
                disabled={disabled}
                checked={field.selected[0] === option.id}
                onChange={() => onChange({ ...field, selected: [option.id], freeform: '' })}
              />
              <OptionText option={option} />
            </label>
          ))}
          {question.allowFreeformInput && (
            <Freeform {...props} label={l10n.t('Something else')} onText={(freeform) => onChange({ ...field, selected: [], freeform })} />
          )}
        </>
      );
    case 'multi-select':
      return (
        <>
          {question.options.map((option) => (
            <label key={option.id} class="choice">
              <input
                type="checkbox"
                disabled={disabled}
                checked={field.selected.includes(option.id)}
                onChange={(event) => {
                  const others = field.selected.filter((chosen) => chosen !== option.id);
                  onChange({ ...field, selected: event.currentTarget.checked ? [...others, option.id] : others });
                }}
              />
              <OptionText option={option} />
            </label>
          ))}
          {question.allowFreeformInput && (
            <Freeform {...props} label={l10n.t('Also')} onText={(freeform) => onChange({ ...field, freeform })} />
          )}
        </>
      );
    default:
      return (
        <p id={id} class="hint">
          {unknownLabel('question', question.kind)}
        </p>
      );
  }
}

function OptionText({ option }: { option: InputOption }) {
  return (
    <span>
      <VisibleText text={option.label} prose />
      {option.recommended && <span class="fact"> {l10n.t('recommended')}</span>}
      {option.description && (
        <span class="choice-description">
          <VisibleText text={option.description} prose />
        </span>
      )}
    </span>
  );
}

interface FreeformProps extends QuestionControlProps {
  described: string | undefined;
  label: string;
  onText(text: string): void;
}
function Freeform({ field, disabled, described, problem, label, onText, onLeave, onCopy }: FreeformProps) {
  return (
    <LineField
      class="input"
      aria-label={label}
      aria-describedby={described}
      aria-invalid={problem !== undefined}
      placeholder={label}
      disabled={disabled}
      text={field.freeform}
      onText={onText}
      onCopy={onCopy}
      onBlur={onLeave}
    />
  );
}
