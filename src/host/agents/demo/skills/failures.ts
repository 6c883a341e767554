import { randomUUID } from 'node:crypto';
import type { Skill } from '../skill.ts';
import { readSkill } from './readFile.ts';

export const failSkill: Skill = {
  name: 'fail',
  parameters: '',
  summary: 'Ends the turn with an error, as when a model cannot be reached',
  async run({ voice }) {
    await voice.say('I will fail now, on purpose.');
    throw new Error('The demo agent failed because you asked it to. Nothing is broken. Send another message.');
  },
};

export const crashSkill: Skill = {
  name: 'crash',
  parameters: '',
  summary: 'Uses a tool that fails, because the file to read does not exist. The turn goes on',
  async run(context) {
    await readSkill.run({ ...context, argument: `not-there-${randomUUID()}.txt` });
    await context.voice.say('A failed tool does not have to end the turn. I go on without it.');
  },
};
