import { code, codeBlock } from '../../markdown.ts';
import type { Skill } from '../skill.ts';

export const contextSkill: Skill = {
  name: 'context',
  parameters: '',
  summary: 'Shows what tool providers add to the system message, which a model would read',
  async run({ sections: { sections, startup, context }, voice }) {
    const told = [
      ...startup.map(({ provider, content }) => ({ what: 'At the start', provider, content })),
      ...sections.flatMap(({ section, parts }) =>
        parts.map(({ provider, action, content }) => ({ what: `Section ${code(section)} (${action})`, provider, content })),
      ),
      ...context.map(({ provider, content }) => ({ what: 'With every message', provider, content })),
    ];
    if (told.length === 0) return voice.say('No tool provider adds anything to the system message of this session.');
    await voice.say(
      told.map(({ what, provider, content }) => `${what}, from ${code(provider)}:\n\n${codeBlock(content, 'text')}`).join('\n\n'),
    );
  },
};
