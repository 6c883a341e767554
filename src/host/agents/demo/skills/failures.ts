import { randomUUID } from 'node:crypto';
import type { ResumableError } from '../../agent.ts';
import type { Skill } from '../skill.ts';
import { readSkill } from './readFile.ts';

/** As when the connection to a model is lost. */
class PassingFailure extends Error implements ResumableError {
  override readonly name = 'PassingFailure';
  readonly resumable = true;
}

export const failSkill: Skill = {
  name: 'fail',
  parameters: '[once]',
  summary: 'Ends the turn with an error, as when a model cannot be reached. With `once`, the turn can go on',
  async run({ voice, turn, argument }) {
    if (turn.isResumed) return await voice.say('This time I do not fail.');
    await voice.say('I will fail now, on purpose.');
    if (argument === 'once') throw new PassingFailure('The demo agent failed because you asked it to. Go on with the turn, and it works.');
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
