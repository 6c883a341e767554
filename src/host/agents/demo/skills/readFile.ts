import { messageOf } from '../../../../base/errors.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import { code, codeBlock } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill } from '../skill.ts';

export const readFileTool: ToolDefinition = {
  name: 'read_file',
  title: 'Read file',
  description: 'Reads a text file in the working directory.',
  inputSchema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  annotations: { readOnlyHint: true },
};

/** Characters of a file in the result. */
const MAX_RESULT = 20_000;

/** The user sees the result before the agent may have it. */
export const readSkill: Skill = {
  name: 'read',
  parameters: '[file]',
  summary: 'Reads a file. You see the result and decide whether the agent gets it',
  async run({ argument, files, settings, turn, voice }) {
    const file = argument || settings.notesFile;
    const toolInput = JSON.stringify({ file });
    const call = turn.toolCall({ toolName: readFileTool.name, displayName: 'Read file' });
    await voice.writeInput(call, toolInput);
    if (!(await begin(voice, call, { invocationMessage: { markdown: `Reading ${code(file)}` }, toolInput }, 'not-needed'))) return;
    let text: string | undefined;
    let problem = 'there is no such file';
    try {
      text = await files.read(file);
    } catch (error) {
      problem = messageOf(error);
    }
    if (text === undefined) {
      call.complete({
        success: false,
        pastTenseMessage: { markdown: `Could not read ${code(file)}` },
        error: { message: problem, code: 'unreadable' },
      });
      await voice.say(`I could not read ${code(file)}: ${problem}`);
      return;
    }
    const { approved } = await call.completeWithResultConfirmation({
      success: true,
      pastTenseMessage: { markdown: `Read ${code(file)}` },
      content: [{ type: 'text', text: text.slice(0, MAX_RESULT) }],
    });
    if (!approved) {
      await voice.say(`You kept the content of ${code(file)} from me. All I know is that the file is there.`);
      return;
    }
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    await voice.say(
      `${code(file)} has ${lines.length} lines${lines.length ? ` and begins with:\n\n${codeBlock(lines.slice(0, 5).join('\n'))}` : '.'}`,
    );
  },
};
