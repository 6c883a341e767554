import { runsUnasked } from '../demoOptions.ts';
import type { SessionActiveClient } from '../../../../ahp/channels/session/state.ts';
import type { ToolCallResult } from '../../../../ahp/common/tools.ts';
import { messageOf } from '../../../../base/errors.ts';
import type { AgentToolCall } from '../../agent.ts';
import { code, codeBlock, plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import { refusal } from '../refusal.ts';
import type { Skill, SkillContext } from '../skill.ts';

export const clientSkill: Skill = {
  name: 'client',
  parameters: '[tool] [json]',
  summary: 'Asks, then calls a tool that the connected client lends to this session; without a name it lists them',
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
      await voice.say(`The input for ${code(name)} is not JSON: ${messageOf(error)}`);
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
      await voice.say(`The call failed: ${messageOf(error)}`);
      return;
    }
    const texts = (result.content ?? []).flatMap((content) => (content.type === 'text' ? [content.text] : []));
    const others = (result.content ?? []).length - texts.length;
    const returned = texts.length ? `\n\n${codeBlock(texts.join('\n'), 'text')}` : '';
    const more = others > 0 ? ` (and ${others} more, not text)` : '';
    if (result.success)
      await voice.say(`${code(displayName)} succeeded${texts.length ? ' and returned' : ', without text'}${more}.${returned}`);
    else await voice.say(`${code(displayName)} failed: ${plain(result.error?.message ?? 'it did not say why')}${returned}`);
  },
};

/** False when the call must not be made. Rejects when the client has gone meanwhile. */
async function permission({ host, voice }: SkillContext, call: AgentToolCall, name: string, toolInput: string): Promise<boolean> {
  const ready = { invocationMessage: { markdown: `Calling ${code(name)}` }, toolInput };
  if (runsUnasked(host.sessionState)) {
    return await begin(voice, call, ready, 'setting');
  }
  const decision = await call.confirm({ ...ready, confirmationTitle: { markdown: `Call ${code(name)}?` } });
  if (!decision.approved) await voice.say(`${refusal(decision)} I did not call ${code(name)}.`);
  return decision.approved;
}

function whatThereIs(lenders: readonly SessionActiveClient[], asked: string): string {
  if (lenders.length === 0)
    return 'No client provides tools to this session. A client does so by becoming an *active client* (`session/activeClientChanged`, or `session/activeClientSet` from 0.9.0 on) with a list of tools. Try again after that.';
  const lists = lenders.map(({ clientId, displayName, tools }) => {
    const who = code(displayName ?? clientId);
    if (tools.length === 0) return `${who} is an active client, but it provides no tools.`;
    const list = tools.map((tool) => `- ${code(tool.name)}${tool.description ? ` — ${plain(tool.description)}` : ''}`);
    return `${who} provides these tools:\n\n${list.join('\n')}`;
  });
  return `${asked ? `There is no tool ${code(asked)}. ` : ''}${lists.join('\n\n')}\n\nCall one with \`client <tool> <json>\`.`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
