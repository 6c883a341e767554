/** Asks the user for a tool's arguments, one field after the other, and shows them all before they are used. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { callParameters } from '../../tap/owner/offeredTool.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { type FormField, readJsonObject, toolForm } from '../../views/providers/toolForm.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';

type Arguments = Record<string, unknown>;
const SHOWN_LENGTH = 1_000;
/** The value of an optional field that the user leaves out. */
const LEFT_OUT = Symbol();

/** Undefined when the user cancels. `problem`: what was wrong with `given`. */
export async function askForArguments(tool: OfferedTool, given?: Arguments, problem?: string): Promise<Arguments | undefined> {
  const form = toolForm(callParameters(tool));
  const title = l10n.t({ message: 'Run {0} of {1}', comment: 'a verb', args: [tool.name, oneLine(tool.provider)] });
  let args = given ?? (form.kind === 'json' ? await askForJson(title, {}) : await askForFields(title, form.fields));
  let wrong = problem;
  while (args) {
    const chosen = await review(title, args, wrong);
    if (chosen !== 'edit') return chosen === 'run' ? args : undefined;
    args = await askForJson(title, args);
    wrong = undefined;
  }
  return undefined;
}

async function askForFields(title: string, fields: readonly FormField[]): Promise<Arguments | undefined> {
  const args: Arguments = {};
  for (const [at, field] of fields.entries()) {
    const step = `${title} (${at + 1}/${fields.length})`;
    const value = field.choices ? await choose(step, field) : await type(step, field);
    if (value === undefined) return undefined;
    // A plain assignment to a field that is named __proto__ would set the prototype.
    if (value.value !== LEFT_OUT) Object.defineProperty(args, field.name, { value: value.value, enumerable: true });
  }
  return args;
}

/** Undefined when the user cancels; the value itself may be null. */
async function choose(
  title: string,
  { label, prompt, choices = [], isRequired, initial }: FormField,
): Promise<{ value: unknown } | undefined> {
  const items = choices.map((choice) => ({ ...choice, label: withoutMarkup(choice.label) }));
  // Enter accepts the default.
  items.sort((a, b) => Number(JSON.stringify(b.value) === initial) - Number(JSON.stringify(a.value) === initial));
  const leaveOut = { label: l10n.t('Leave it out'), value: LEFT_OUT as unknown };
  return vscode.window.showQuickPick(isRequired ? items : [...items, leaveOut], {
    title: withoutMarkup(title),
    placeHolder: withoutMarkup(`${label}. ${prompt}`),
    ignoreFocusOut: true,
  });
}

async function type(title: string, { label, prompt, isRequired, initial, read }: FormField): Promise<{ value: unknown } | undefined> {
  const isLeftOut = (text: string) => text === '' && !isRequired;
  const text = await vscode.window.showInputBox({
    title,
    prompt: withoutMarkup(`${label}. ${prompt}`),
    value: initial,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (isLeftOut(typed)) return undefined;
      const result = read(typed);
      return 'problem' in result ? withoutMarkup(oneLine(result.problem)) : undefined;
    },
  });
  if (text === undefined) return undefined;
  if (isLeftOut(text)) return { value: LEFT_OUT };
  const result = read(text);
  return 'problem' in result ? undefined : result;
}

async function askForJson(title: string, args: Arguments): Promise<Arguments | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('The arguments as one JSON object.'),
    value: JSON.stringify(args),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const result = readJsonObject(typed);
      return 'problem' in result ? withoutMarkup(oneLine(result.problem)) : undefined;
    },
  });
  if (text === undefined) return undefined;
  const result = readJsonObject(text);
  return 'problem' in result ? undefined : result.value;
}

async function review(title: string, args: Arguments, problem: string | undefined): Promise<'run' | 'edit' | undefined> {
  const shown = withoutMarkup(oneLine(JSON.stringify(args), SHOWN_LENGTH));
  const items = [
    { id: 'run' as const, label: `$(play) ${l10n.t({ message: 'Run', comment: 'a verb' })}`, detail: l10n.t`With ${shown}` },
    { id: 'edit' as const, label: `$(edit) ${l10n.t('Edit the arguments as JSON…')}` },
  ];
  const picked = await vscode.window.showQuickPick(problem === undefined ? items : items.slice(1), {
    title: withoutMarkup(title),
    placeHolder: problem === undefined ? l10n.t('Choose Run to call the tool with these arguments.') : withoutMarkup(oneLine(problem)),
    ignoreFocusOut: true,
  });
  return picked?.id;
}
