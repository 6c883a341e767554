import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../../base/errors.ts';
import { code } from '../markdown.ts';
import type { Skill } from '../skill.ts';
import { readFileTool } from './readFile.ts';

/** Ends the turn with an error. */
export const failSkill: Skill = {
  name: 'fail',
  parameters: '',
  summary: 'Ends the turn with an error, as when a model cannot be reached',
  async run({ voice }) {
    await voice.say('I will fail now, on purpose.');
    throw new Error('The demo agent failed because you asked it to. Nothing is broken; send another message.');
  },
};

/** A tool that fails, in a turn that goes on. */
export const crashSkill: Skill = {
  name: 'crash',
  parameters: '',
  summary: 'Uses a tool that fails: it reads a file that is not there; the turn goes on',
  async run({ files, turn, voice }) {
    const file = `not-there-${randomUUID()}.txt`;
    const toolInput = JSON.stringify({ file });
    const call = turn.toolCall({ toolName: readFileTool.name, displayName: 'Read file' });
    await voice.writeInput(call, toolInput);
    call.run({ invocationMessage: { markdown: `Reading ${code(file)}` }, toolInput }, 'not-needed');
    let message = 'there is no such file';
    try {
      if ((await files.read(file)) !== undefined) throw new Error(`${file} exists, against all odds`);
    } catch (error) {
      message = messageOf(error);
    }
    call.complete({
      success: false,
      pastTenseMessage: { markdown: `Could not read ${code(file)}` },
      error: { message, code: 'not-found' },
    });
    await voice.say(`The tool failed (${message}), and I carry on without it.`);
  },
};
