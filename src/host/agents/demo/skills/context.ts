import * as l10n from '../../../../base/l10n.ts';
import { code, codeBlock } from '../../markdown.ts';
import type { Skill } from '../skill.ts';

export const contextSkill: Skill = {
  name: 'context',
  parameters: '',
  summary: l10n.t('Shows what tool providers add to the system message, which a model would read'),
  async run({ sections: { sections, startup, context }, voice }) {
    const told = [
      ...startup.map(({ provider, content }) => ({ from: l10n.t`At the start, from ${code(provider)}:`, content })),
      ...sections.flatMap(({ section, parts }) =>
        parts.map(({ provider, action, content }) => ({
          from: l10n.t`Section ${code(section)} (${action}), from ${code(provider)}:`,
          content,
        })),
      ),
      ...context.map(({ provider, content }) => ({ from: l10n.t`With every message, from ${code(provider)}:`, content })),
    ];
    if (told.length === 0) return voice.say(l10n.t('No tool provider adds anything to the system message of this session.'));
    await voice.say(told.map(({ from, content }) => `${from}\n\n${codeBlock(content, 'text')}`).join('\n\n'));
  },
};
