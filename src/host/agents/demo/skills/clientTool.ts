import { runsUnasked } from '../demoOptions.ts';
import type { SessionActiveClient } from '../../../../ahp/channels/session/state.ts';
import type { ToolCallResult } from '../../../../ahp/common/tools.ts';
import { messageOf } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { AgentToolCall } from '../../agent.ts';
import { code, codeBlock, plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import { refusal } from '../refusal.ts';
import type { Skill, SkillContext } from '../skill.ts';

export const clientSkill: Skill = {
  name: 'client',
  parameters: '[tool] [json]',
  summary: l10n.t('Asks, then calls a tool that the connected client lends to this session; without a name it lists them'),
  async run(context) {
    const { argument, host, turn, voice } = context;
    const [, name = '', input = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
    const lender = host.lenders.find(({ tools }) => tools.some((candidate) => candidate.name === name));
    const tool = lender?.tools.find((candidate) => candidate.name === name);
    if (!lender || !tool) {
      await voice.say(whatThereIs(host.lenders, name));
      return;
    }
    // A portal that asks once more says why in lines below.
    const [line = ''] = input.split('\n', 1);
    const toolInput = (isJson(input) ? input : line).trim() || '{}';
    try {
      JSON.parse(toolInput);
    } catch (error) {
      await voice.say(l10n.t`The input for ${code(name)} is not JSON: ${messageOf(error)}`);
      return;
    }
    const displayName = tool.title ?? tool.annotations?.title ?? tool.name;
    const call = turn.toolCall({ toolName: tool.name, displayName, toolClientId: lender.clientId });
    await voice.writeInput(call, toolInput);
    let result: ToolCallResult;
    try {
      if (!(await permission(context, call, displayName, toolInput))) return;
      result = await call.waitForClient();
    } catch (error) {
      turn.signal.throwIfAborted();
      await voice.say(l10n.t`The call failed: ${messageOf(error)}`);
      return;
    }
    const texts = (result.content ?? []).flatMap((content) => (content.type === 'text' ? [content.text] : []));
    const others = (result.content ?? []).length - texts.length;
    await voice.say(
      [
        result.success
          ? successText(code(displayName), texts.length > 0, others)
          : l10n.t`${code(displayName)} failed: ${plain(result.error?.message ?? l10n.t('it does not say why'))}`,
        ...(texts.length > 0 ? [codeBlock(texts.join('\n'), 'text')] : []),
      ].join('\n\n'),
    );
  },
};

/** `others`: how much besides text. */
function successText(name: string, hasText: boolean, others: number): string {
  const more = l10n.countText(others);
  if (hasText)
    return others > 0 ? l10n.t`${name} succeeded and returned (and ${more} more, not text).` : l10n.t`${name} succeeded and returned.`;
  return others > 0 ? l10n.t`${name} succeeded, without text (and ${more} more, not text).` : l10n.t`${name} succeeded, without text.`;
}

/** False when the call must not be made. Rejects when the client has gone meanwhile. */
async function permission({ host, voice }: SkillContext, call: AgentToolCall, name: string, toolInput: string): Promise<boolean> {
  const ready = { invocationMessage: { markdown: l10n.t`Calling ${code(name)}` }, toolInput };
  if (runsUnasked(host.sessionState)) {
    return await begin(voice, call, ready, 'setting');
  }
  const decision = await call.confirm({ ...ready, confirmationTitle: { markdown: l10n.t`Call ${code(name)}?` } });
  if (!decision.approved) await voice.say(l10n.sentencesText([refusal(decision), l10n.t`I did not call ${code(name)}.`]));
  return decision.approved;
}

function whatThereIs(lenders: readonly SessionActiveClient[], asked: string): string {
  if (lenders.length === 0)
    return l10n.t(
      'No client provides tools to this session. A client does so by becoming an *active client* (`session/activeClientChanged`, or `session/activeClientSet` from 0.9.0 on) with a list of tools. Try again after that.',
    );
  const lists = lenders.map(({ clientId, displayName, tools }) => {
    const who = code(displayName ?? clientId);
    if (tools.length === 0) return l10n.t`${who} is an active client, but it provides no tools.`;
    const list = tools.map((tool) => `- ${code(tool.name)}${tool.description ? ` — ${plain(tool.description)}` : ''}`);
    return `${l10n.t`${who} provides these tools:`}\n\n${list.join('\n')}`;
  });
  const [first = '', ...others] = lists;
  const begin = asked ? l10n.sentencesText([l10n.t`There is no tool ${code(asked)}.`, first]) : first;
  return [begin, ...others, l10n.t('Call one with `client <tool> <json>`.')].join('\n\n');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
