import { messageOf } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import { code, codeBlock } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill } from '../skill.ts';

export const readFileTool: ToolDefinition = {
  name: 'read_file',
  title: l10n.t('Read file'),
  description: l10n.t('Reads a text file in the working directory.'),
  inputSchema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  annotations: { readOnlyHint: true },
};

/** Characters of a file in the result. */
const MAX_RESULT = 20_000;

/** The user sees the result before the agent may have it. */
export const readSkill: Skill = {
  name: 'read',
  parameters: '[file]',
  summary: l10n.t('Reads a file. You see the result and decide whether the agent gets it'),
  async run({ argument, files, settings, turn, voice }) {
    const file = argument || settings.notesFile;
    const toolInput = JSON.stringify({ file });
    const call = turn.toolCall({ toolName: readFileTool.name, displayName: l10n.t('Read file') });
    await voice.writeInput(call, toolInput);
    if (!(await begin(voice, call, { invocationMessage: { markdown: l10n.t`Reading ${code(file)}` }, toolInput }, 'not-needed'))) return;
    let text: string | undefined;
    let problem = l10n.t('there is no such file');
    try {
      text = await files.read(file);
    } catch (error) {
      problem = messageOf(error);
    }
    if (text === undefined) {
      call.complete({
        success: false,
        pastTenseMessage: { markdown: l10n.t`Could not read ${code(file)}` },
        error: { message: problem, code: 'unreadable' },
      });
      await voice.say(l10n.t`I could not read ${code(file)}: ${problem}`);
      return;
    }
    const { approved } = await call.completeWithResultConfirmation({
      success: true,
      pastTenseMessage: { markdown: l10n.t`Read ${code(file)}` },
      content: [{ type: 'text', text: text.slice(0, MAX_RESULT) }],
    });
    if (!approved) {
      await voice.say(l10n.t`You kept the content of ${code(file)} from me. All I know is that the file is there.`);
      return;
    }
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    const count = l10n.countText(lines.length);
    await voice.say(
      lines.length === 0
        ? l10n.t`${code(file)} is empty.`
        : [
            l10n.plural(
              lines.length,
              l10n.t`${code(file)} has ${count} line and begins with:`,
              l10n.t`${code(file)} has ${count} lines and begins with:`,
            ),
            codeBlock(lines.slice(0, 5).join('\n')),
          ].join('\n\n'),
    );
  },
};
