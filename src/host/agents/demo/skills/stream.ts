import type { Skill } from '../skill.ts';

const MAX_SECTIONS = 200;

const thoughts = {
  short: 'The user wants to see how a long answer arrives. I will use headings, a list, a table, code and a link.',
  long: [
    'The user wants to see how a long answer arrives.',
    'First I should decide on the parts: headings so that it can be skimmed, a list, a table, a block of code and a link.',
    'A model would now weigh alternatives. I have none to weigh, so these lines only show where reasoning appears.',
    'I will keep each section short and the whole as long as they asked for.',
  ].join('\n'),
};

export const streamSkill: Skill = {
  name: 'stream',
  parameters: '[sections]',
  summary: 'A long answer, streamed: reasoning, then headings, a list, a table, code and a link',
  async run({ argument, settings, voice }) {
    const asked = argument === '' ? 3 : Number(argument);
    if (!Number.isInteger(asked) || asked < 1 || asked > MAX_SECTIONS) {
      await voice.say(`Say how many sections you want, from 1 to ${MAX_SECTIONS}, for example \`stream 5\`.`);
      return;
    }
    if (settings.thinking !== 'off') await voice.think(thoughts[settings.thinking]);
    await voice.say(
      '# A streamed answer\n\nEvery word of this arrives as an action of its own. Stop me at any time; what is here by then stays.',
    );
    for (let section = 1; section <= asked; section++) await voice.say(sectionText(section, asked));
    await voice.say('That is all. See the [Markdown guide](https://www.markdownguide.org/basic-syntax/) for what else could be here.');
  },
};

function sectionText(section: number, all: number): string {
  return `## Section ${section} of ${all}

Some things that an answer may hold:

- **bold**, *italic* and \`code\` in a line
- a list in a list
  1. first
  2. second

| what | how much |
| --- | ---: |
| sections so far | ${section} |
| still to come | ${all - section} |

\`\`\`ts
export function section(): number {
  return ${section};
}
\`\`\``;
}
