import * as l10n from '../../../../base/l10n.ts';
import type { Skill } from '../skill.ts';
import { askQuestions, shortQuestions } from './ask.ts';
import { editSkill } from './editFile.ts';
import { runSkill } from './runCommand.ts';

export const tourSkill: Skill = {
  name: 'tour',
  parameters: '',
  summary: l10n.t('A little of everything in one turn: reasoning, text, a command, an edit, a question'),
  async run(context) {
    const { voice, settings } = context;
    if (settings.thinking !== 'off')
      await voice.think(
        l10n.t('They want to see what a turn can hold. I will run something harmless, change one file and ask one question.'),
      );
    await voice.say(`# ${l10n.t('A tour')}\n\n${l10n.t('First a **command**. It runs when you allow it, and you may change it before.')}`);
    await runSkill.run({ ...context, argument: 'ls -la' });
    await voice.say(l10n.t('Now an **edit**. You see the diff before anything is written.'));
    await editSkill.run({ ...context, argument: '' });
    await voice.say(l10n.t('Last, a **question**.'));
    await askQuestions(context, shortQuestions);
    await voice.say(l10n.t('That was the tour. Send `help` for everything else.'));
  },
};
