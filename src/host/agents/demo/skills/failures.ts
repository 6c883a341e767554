import { randomUUID } from 'node:crypto';
import { WordedError } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import type { ResumableError } from '../../agent.ts';
import type { Skill } from '../skill.ts';
import { readSkill } from './readFile.ts';

/** As when the connection to a model is lost. */
class PassingFailure extends WordedError implements ResumableError {
  override readonly name = 'PassingFailure';
  readonly resumable = true;
}

export const failSkill: Skill = {
  name: 'fail',
  parameters: '[once]',
  summary: l10n.t('Ends the turn with an error, as when a model cannot be reached. With `once`, the turn can go on'),
  async run({ voice, turn, argument }) {
    if (turn.isResumed) return await voice.say(l10n.t('This time I do not fail.'));
    await voice.say(l10n.t('I will fail now, on purpose.'));
    if (argument === 'once')
      throw new PassingFailure(phrase`The demo agent failed because you asked it to. Go on with the turn, and it works.`);
    throw new WordedError(phrase`The demo agent failed because you asked it to. Nothing is broken. Send another message.`);
  },
};

export const crashSkill: Skill = {
  name: 'crash',
  parameters: '',
  summary: l10n.t('Uses a tool that fails, because the file to read does not exist. The turn goes on'),
  async run(context) {
    await readSkill.run({ ...context, argument: `not-there-${randomUUID()}.txt` });
    await context.voice.say(l10n.t('A failed tool does not have to end the turn. I go on without it.'));
  },
};
