import { randomUUID } from 'node:crypto';
import type { Skill } from '../skill.ts';
import { readSkill } from './readFile.ts';

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
  async run(context) {
    await readSkill.run({ ...context, argument: `not-there-${randomUUID()}.txt` });
    await context.voice.say('A tool that fails need not end the turn: I carry on without it.');
  },
};
