/** The fields of a tool's question as quick inputs of VS Code, one after the other, and the dialog with all that is sent. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { ChoiceField, ChoicesField, QuestionField, TextField } from '../../views/questions/toolQuestionForm.ts';
import { answerDetail, type FieldValues, type ToolQuestion, whoAsks } from '../../views/questions/questionWords.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { choose } from '../notifications.ts';
import type { Dialogs, Step } from './fillIn.ts';

const SEND = l10n.t('Send');
const CHANGE = l10n.t('Change…');
type Place = Parameters<Dialogs['field']>[1];

export class QuickInputs implements Dialogs {
  readonly #who: string;

  /** `over`: closes what is shown. */
  constructor(
    asked: ToolQuestion,
    private readonly fields: readonly QuestionField[],
    private readonly over: AbortSignal,
  ) {
    this.#who = whoAsks(asked);
  }

  field(field: QuestionField, place: Place, given: Step | undefined): Promise<Step> {
    const before = given?.kind === 'next' ? given : undefined;
    return field.kind === 'text' ? this.#type(field, place, before) : this.#pick(field, place, before);
  }

  async confirm(values: FieldValues): Promise<'send' | 'back' | 'cancel'> {
    if (this.over.aborted) return 'cancel';
    const detail = `${l10n.t('This is sent:')}\n\n${answerDetail(this.fields, values)}`;
    const choice = await choose(this.#who, detail, SEND, CHANGE);
    return choice === SEND ? 'send' : choice === CHANGE ? 'back' : 'cancel';
  }

  #type(field: TextField, place: Place, before: { value?: unknown } | undefined): Promise<Step> {
    const input = vscode.window.createInputBox();
    input.prompt = withoutMarkup(`${field.label}. ${field.prompt}`);
    input.value = before ? String(before.value ?? '') : field.initial;
    const check = () => {
      const read = field.read(input.value);
      input.validationMessage = 'problem' in read ? read.problem : undefined;
      return read;
    };
    return this.#shown(input, place, (end) => [
      input.onDidChangeValue(check),
      input.onDidAccept(() => {
        const read = check();
        if (!('problem' in read)) end({ kind: 'next', ...read });
      }),
    ]);
  }

  #pick(field: ChoiceField | ChoicesField, place: Place, before: { value?: unknown } | undefined): Promise<Step> {
    const input = vscode.window.createQuickPick<vscode.QuickPickItem & { value?: string | boolean }>();
    const about = withoutMarkup(`${field.label}. ${field.prompt}`);
    input.placeholder = about;
    const items = field.choices.map(({ label, value }) => {
      return { label: withoutMarkup(label), description: value === label || typeof value === 'boolean' ? '' : withoutMarkup(value), value };
    });
    if (field.kind === 'many') {
      const chosen: unknown = before ? (before.value ?? []) : field.initial;
      input.canSelectMany = true;
      input.items = items;
      input.selectedItems = items.filter(({ value }) => Array.isArray(chosen) && chosen.includes(value));
      return this.#shown(input, place, (end) => [
        input.onDidAccept(() => {
          const read = field.read(input.selectedItems.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])));
          if ('problem' in read) input.placeholder = `${read.problem} ${about}`;
          else end({ kind: 'next', ...read });
        }),
      ]);
    }
    input.items = field.isRequired ? items : [...items, { label: l10n.t('Leave it out') }];
    const active = before ? before.value : field.initial;
    if (before || active !== undefined) input.activeItems = input.items.filter(({ value }) => value === active);
    return this.#shown(input, place, (end) => [
      input.onDidAccept(() => {
        const [picked] = input.selectedItems;
        if (picked) end({ kind: 'next', ...(picked.value !== undefined && { value: picked.value }) });
      }),
    ]);
  }

  async #shown<T extends vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>>(
    input: T,
    { step, of }: Place,
    listen: (end: (step: Step) => void) => vscode.Disposable[],
  ): Promise<Step> {
    input.title = withoutMarkup(this.#who);
    input.step = step;
    input.totalSteps = of;
    input.ignoreFocusOut = true;
    if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
    const listening: vscode.Disposable[] = [];
    const close = () => input.hide();
    try {
      return await new Promise<Step>((end) => {
        listening.push(
          ...listen(end),
          input.onDidTriggerButton(() => end({ kind: 'back' })),
          input.onDidHide(() => end({ kind: 'cancel' })),
        );
        if (this.over.aborted) return end({ kind: 'cancel' });
        this.over.addEventListener('abort', close, { once: true });
        input.show();
      });
    } finally {
      this.over.removeEventListener('abort', close);
      for (const one of listening) one.dispose();
      input.dispose();
    }
  }
}
