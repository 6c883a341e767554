import * as l10n from '../../../../base/l10n.ts';
import type { Skill } from '../skill.ts';

const MAX_SECTIONS = 200;

const thoughts = {
  short: l10n.t('The user wants to see how a long answer arrives. I will use headings, a list, a table, code and a link.'),
  long: [
    l10n.t('The user wants to see how a long answer arrives.'),
    l10n.t('First I should decide on the parts: headings so that it can be skimmed, a list, a table, a block of code and a link.'),
    l10n.t('A model would now weigh alternatives. I have none to weigh, so these lines only show where reasoning appears.'),
    l10n.t('I will keep each section short and the whole as long as they asked for.'),
  ].join('\n'),
};

export const streamSkill: Skill = {
  name: 'stream',
  parameters: '[sections]',
  summary: l10n.t('A long answer, streamed: reasoning, then headings, a list, a table, code and a link'),
  async run({ argument, settings, voice }) {
    const asked = argument === '' ? 3 : Number(argument);
    if (!Number.isInteger(asked) || asked < 1 || asked > MAX_SECTIONS) {
      await voice.say(l10n.t`Say how many sections you want, from 1 to ${MAX_SECTIONS}, for example \`stream 5\`.`);
      return;
    }
    if (settings.thinking !== 'off') await voice.think(thoughts[settings.thinking]);
    await voice.say(
      `# ${l10n.t('A streamed answer')}\n\n${l10n.t('Every word of this arrives as an action of its own. Stop me at any time; what is here by then stays.')}`,
    );
    for (let section = 1; section <= asked; section++) await voice.say(sectionText(section, asked));
    await voice.say(
      l10n.t('That is all. See the [Markdown guide](https://www.markdownguide.org/basic-syntax/) for what else could be here.'),
    );
  },
};

function sectionText(section: number, all: number): string {
  return `## ${l10n.t`Section ${section} of ${all}`}

${l10n.t('Some things that an answer may hold:')}

- ${l10n.t('**bold**, *italic* and `code` in a line')}
- ${l10n.t('a list in a list')}
  1. ${l10n.t({ message: 'first', comment: 'in a list' })}
  2. ${l10n.t({ message: 'second', comment: 'in a list' })}

| ${l10n.t({ message: 'what', comment: 'above a column' })} | ${l10n.t('how much')} |
| --- | ---: |
| ${l10n.t('sections so far')} | ${section} |
| ${l10n.t('still to come')} | ${all - section} |

\`\`\`ts
export function section(): number {
  return ${section};
}
\`\`\``;
}
