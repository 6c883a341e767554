import type { ConfirmationOption, ToolDefinition } from '../../../../ahp/common/tools.ts';
import { messageOf, WordedError } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import type { AgentToolCall } from '../../agent.ts';
import { begin } from '../begin.ts';
import type { PlannedEdit } from '../demoFiles.ts';
import { code, plain } from '../../markdown.ts';
import { refusal } from '../refusal.ts';
import type { Skill, SkillContext } from '../skill.ts';

export const editFileTool: ToolDefinition = {
  name: 'edit_file',
  title: l10n.t('Edit file'),
  description: l10n.t('Adds a line at the end of a text file in the working directory. Creates the file if it does not exist.'),
  inputSchema: {
    type: 'object',
    properties: { file: { type: 'string', description: l10n.t('Path in the working directory') }, line: { type: 'string' } },
    required: ['file', 'line'],
  },
  annotations: { destructiveHint: false, idempotentHint: false },
};

const options: ConfirmationOption[] = [
  { id: 'apply', label: l10n.t('Apply the edit'), kind: 'approve', group: 0 },
  { id: 'deny', label: l10n.t('Leave the file as it is'), kind: 'deny', group: 1 },
];

interface EditInput {
  file: string;
  line: string;
}

/** How often it asks again when the file keeps changing. */
const MAX_ATTEMPTS = 5;

/** Shows an edit, waits for the decision, and makes it. If the file changes meanwhile, it is shown and asked about again. */
export const editSkill: Skill = {
  name: 'edit',
  parameters: '[file] [text]',
  summary: l10n.t('Adds a line to a file in the working directory, after you have seen the diff'),
  async run(context) {
    const { turn, voice } = context;
    const call = turn.toolCall({ toolName: editFileTool.name, displayName: l10n.t('Edit file') });
    const input = inputOf(context);
    const toolInput = JSON.stringify(input, undefined, 2);
    await voice.writeInput(call, toolInput);
    const fail = async (error: unknown) => {
      turn.signal.throwIfAborted();
      const message = messageOf(error);
      call.complete({ success: false, pastTenseMessage: { markdown: l10n.t`Could not edit ${code(input.file)}` }, error: { message } });
      await voice.say(l10n.t`The edit failed: ${plain(message)}`);
    };
    let plan: PlannedEdit;
    try {
      plan = await context.files.planAppend(input.file, input.line);
    } catch (error) {
      const ready = { invocationMessage: { markdown: l10n.t`Editing ${code(input.file)}` }, toolInput };
      if (!(await begin(voice, call, ready, 'not-needed'))) return;
      return await fail(error);
    }
    try {
      await confirmAndApply(context, call, input, toolInput, plan);
    } catch (error) {
      await fail(error);
    }
  },
};

function inputOf({ argument, settings }: SkillContext): EditInput {
  const [, file = '', line = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
  // eslint-disable-next-line texts/translated -- for the file
  return { file: file || settings.notesFile, line: line || '- A line of the demo agent.' };
}

async function confirmAndApply(context: SkillContext, call: AgentToolCall, input: EditInput, toolInput: string, plan: PlannedEdit) {
  const { files, voice } = context;
  let title = plan.before === undefined ? l10n.t`Create ${input.file}?` : l10n.t`Edit ${input.file}?`;
  for (let attempt = 1; ; attempt++) {
    const decision = await call.confirm({
      invocationMessage: { markdown: l10n.t`Editing ${code(input.file)}` },
      toolInput,
      confirmationTitle: title,
      edits: { items: [plan.edit] },
      editable: true,
      options,
    });
    if (!decision.approved) {
      await voice.say(l10n.sentencesText([refusal(decision), l10n.t`${code(input.file)} is as it was.`]));
      return;
    }
    if (decision.toolInput !== undefined && decision.toolInput !== toolInput) {
      toolInput = decision.toolInput;
      input = parsed(toolInput);
      plan = await files.planAppend(input.file, input.line);
    }
    if (await files.apply(plan)) break;
    if (attempt === MAX_ATTEMPTS) throw new WordedError(phrase`${input.file} kept changing`);
    plan = await files.planAppend(input.file, input.line);
    title = l10n.t`${input.file} has changed in the meantime. Edit it as it is now?`;
  }
  complete(call, plan, input);
  await voice.say(l10n.t`${doneText(plan, input)}. The session now counts it among its changes.`);
}

function doneText(plan: PlannedEdit, { file }: EditInput): string {
  return plan.before === undefined ? l10n.t`Created ${code(file)}` : l10n.t`Edited ${code(file)}`;
}

function complete(call: AgentToolCall, plan: PlannedEdit, input: EditInput): void {
  call.complete({
    success: true,
    pastTenseMessage: { markdown: doneText(plan, input) },
    content: [{ type: 'fileEdit', ...plan.edit }],
  });
}

function parsed(toolInput: string): EditInput {
  let value: unknown;
  try {
    value = JSON.parse(toolInput);
  } catch (error) {
    throw new WordedError(phrase`the input as you left it is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const { file, line } = (value ?? {}) as Partial<Record<keyof EditInput, unknown>>;
  if (typeof file !== 'string' || file === '' || typeof line !== 'string')
    throw new WordedError(phrase`the input needs the texts "file" and "line"`);
  return { file, line };
}
