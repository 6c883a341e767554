/** All skills of the demo agent, in the order of its help. */
import type { ToolDefinition } from '../../../ahp/common/tools.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Skill } from './skill.ts';
import { askSkill } from './skills/ask.ts';
import { clientSkill } from './skills/clientTool.ts';
import { commentSkill, commentTool } from './skills/comment.ts';
import { contextSkill } from './skills/context.ts';
import { editFileTool, editSkill } from './skills/editFile.ts';
import { crashSkill, failSkill } from './skills/failures.ts';
import { readFileTool, readSkill } from './skills/readFile.ts';
import { runCommandTool, runSkill } from './skills/runCommand.ts';
import { streamSkill } from './skills/stream.ts';
import { listFilesTool, subagentSkill, subagentTool } from './skills/subagent.ts';
import { tourSkill } from './skills/tour.ts';
import { waitSkill, waitTool } from './skills/wait.ts';

const helpSkill: Skill = {
  name: 'help',
  parameters: '',
  summary: l10n.t('This list'),
  run: async ({ voice }) =>
    voice.say(
      `${l10n.t('I am the **demo agent**. There is no model behind me, but what I do in the working directory is real.')}\n\n${helpTable()}`,
    ),
};

export const skills: readonly Skill[] = [
  tourSkill,
  streamSkill,
  runSkill,
  editSkill,
  readSkill,
  commentSkill,
  askSkill,
  clientSkill,
  contextSkill,
  subagentSkill,
  waitSkill,
  failSkill,
  crashSkill,
  helpSkill,
];

export const demoTools: readonly ToolDefinition[] = [
  runCommandTool,
  editFileTool,
  readFileTool,
  commentTool,
  subagentTool,
  listFilesTool,
  waitTool,
];

/** The skill that a message names, and the text after the name. */
export function findSkill(message: string): { skill: Skill | undefined; argument: string } {
  const words = message.trim();
  const [word = ''] = /^\S*/.exec(words) ?? [];
  return { skill: skills.find(({ name }) => name === word.toLowerCase()), argument: words.slice(word.length).trimStart() };
}

export function helpTable(): string {
  const rows = skills.map(({ name, parameters, summary }) => `| \`${`${name} ${parameters}`.trim()}\` | ${summary} |`);
  return [
    `| ${l10n.t({ message: 'Send', comment: 'a verb, above commands' })} | ${l10n.t('What happens')} |`,
    '| --- | --- |',
    ...rows,
  ].join('\n');
}
