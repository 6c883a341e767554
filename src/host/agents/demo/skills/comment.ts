import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { messageOf, WordedError } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import { BY_AGENT, rangeOfLines } from '../../comments.ts';
import { code, plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill, SkillContext } from '../skill.ts';

export const commentTool: ToolDefinition = {
  name: 'add_comment',
  title: l10n.t({ message: 'Comment', comment: 'a verb' }),
  description: l10n.t('Adds a comment to the first line of a text file in the working directory.'),
  inputSchema: { type: 'object', properties: { file: { type: 'string' }, text: { type: 'string' } }, required: ['file', 'text'] },
  annotations: { destructiveHint: false, idempotentHint: false },
};

/** Needs no permission: it changes nothing but the session's comments. */
export const commentSkill: Skill = {
  name: 'comment',
  parameters: '[file] [text]',
  summary: l10n.t('Comments on the first line of a file. You see it beside the text and can answer'),
  async run(context) {
    const { argument, settings, turn, voice } = context;
    const [, named = '', words = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
    const file = named || settings.notesFile;
    const text = words || l10n.t('A comment of the demo agent.');
    const toolInput = JSON.stringify({ file, text });
    const call = turn.toolCall({ toolName: commentTool.name, displayName: l10n.t({ message: 'Comment', comment: 'a verb' }) });
    await voice.writeInput(call, toolInput);
    if (!(await begin(voice, call, { invocationMessage: { markdown: l10n.t`Commenting on ${code(file)}` }, toolInput }, 'not-needed')))
      return;
    try {
      await comment(context, file, text);
    } catch (error) {
      turn.signal.throwIfAborted();
      const message = messageOf(error);
      call.complete({ success: false, pastTenseMessage: { markdown: l10n.t`Could not comment on ${code(file)}` }, error: { message } });
      return await voice.say(l10n.t`The comment failed: ${plain(message)}`);
    }
    call.complete({ success: true, pastTenseMessage: { markdown: l10n.t`Commented on ${code(file)}` } });
    await voice.say(l10n.t`There is a comment on the first line of ${code(file)} now.`);
  },
};

async function comment({ files, host, turn }: SkillContext, file: string, text: string): Promise<void> {
  if ((await files.read(file)) === undefined) throw new WordedError(phrase`there is no such file`);
  host.annotate({
    type: 'annotations/set',
    annotation: {
      id: randomUUID(),
      origin: { session: host.session, chat: turn.chat, turnId: turn.id },
      resource: pathToFileURL(resolve(host.workingDirectory, file)).href,
      range: rangeOfLines(1, 1),
      resolved: false,
      entries: [{ id: randomUUID(), text: { markdown: text }, _meta: BY_AGENT }],
    },
  });
}
