import { readdir } from 'node:fs/promises';
import type { ToolDefinition, ToolResultContent } from '../../../../ahp/common/tools.ts';
import { messageOf, WordedError } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import type { SubagentTurn } from '../../agent.ts';
import { plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill, SkillContext } from '../skill.ts';
import { Voice } from '../voice.ts';

export const subagentTool: ToolDefinition = {
  name: 'start_subagent',
  title: l10n.t('Start subagent'),
  description: l10n.t('Gives a task to a second demo agent in a chat of its own.'),
};
export const listFilesTool: ToolDefinition = {
  name: 'list_files',
  title: l10n.t('List files'),
  description: l10n.t('Lists the working directory. Only the subagent uses it.'),
  annotations: { readOnlyHint: true },
};

const MAX_LISTED = 50;

export const subagentSkill: Skill = {
  name: 'subagent',
  parameters: '[task]',
  summary: l10n.t('Starts a subagent in a chat of its own, which answers and uses a tool'),
  async run(context) {
    const { host, turn, voice } = context;
    const task = context.argument || l10n.t('look at the working directory');
    const title = l10n.t`Subagent: ${task.split('\n')[0]?.slice(0, 60) ?? ''}`;
    const call = turn.toolCall({ toolName: subagentTool.name, displayName: l10n.t('Start subagent') });
    await voice.writeInput(call, task);
    if (!(await begin(voice, call, { invocationMessage: l10n.t`Subagent working on: ${task}`, toolInput: task }, 'not-needed'))) return;
    const subagent = host.startSubagent({ toolCallId: call.id, title, prompt: task });
    const link: ToolResultContent = { type: 'subagent', resource: subagent.chat, title, agentName: 'demo', description: task };
    call.setContent([link]);
    try {
      const entries = await work(context, subagent, task);
      subagent.complete();
      const text = l10n.t`The subagent found ${entries} entries.`;
      call.complete({ success: true, pastTenseMessage: l10n.t('The subagent finished its task'), content: [link, { type: 'text', text }] });
      await voice.say(text);
    } catch (error) {
      const message = subagent.signal.aborted ? l10n.t('The subagent was stopped.') : messageOf(error);
      subagent.fail({ errorType: 'SubagentFailed', message });
      turn.signal.throwIfAborted();
      call.complete({ success: false, pastTenseMessage: l10n.t('The subagent did not finish'), content: [link], error: { message } });
      await voice.say(message);
    }
  },
};

async function work({ host, pace }: SkillContext, subagent: SubagentTurn, task: string): Promise<number> {
  const voice = new Voice(subagent, pace.until(subagent.signal));
  await voice.think(l10n.t('I am the subagent. I list the working directory and report what I find.'));
  await voice.say(l10n.t`My task is: ${plain(task)}. I list the working directory.`);
  const call = subagent.toolCall({ toolName: listFilesTool.name, displayName: l10n.t('List files') });
  const ready = { invocationMessage: l10n.t('Listing the working directory'), toolInput: '{}' };
  if (!(await begin(voice, call, ready, 'not-needed'))) throw new WordedError(phrase`The subagent may not list the working directory.`);
  const entries = (await readdir(host.workingDirectory, { withFileTypes: true }))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  const text = entries.slice(0, MAX_LISTED).join('\n');
  call.complete({ success: true, pastTenseMessage: l10n.t`Listed ${entries.length} entries`, content: [{ type: 'text', text }] });
  await voice.say(l10n.t`There are **${entries.length}** entries. That is all I was asked for.`);
  return entries.length;
}
