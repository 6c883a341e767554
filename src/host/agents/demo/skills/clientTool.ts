import type { SessionActiveClient } from '../../../../ahp/v1/session.ts';
import type { ToolCallResult } from '../../../../ahp/v1/toolCall.ts';
import { messageOf } from '../../../../base/errors.ts';
import { code, codeBlock, plain } from '../../markdown.ts';
import type { Skill } from '../skill.ts';

/** Calls a tool that the active client lends to the session. */
export const clientSkill: Skill = {
  name: 'client',
  parameters: '[tool] [json]',
  summary: 'Calls a tool that the connected client lends to this session; without a name it lists them',
  async run({ argument, host, turn, voice }) {
    const { activeClient } = host.state;
    const [, name = '', input = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
    const tool = activeClient?.tools.find((candidate) => candidate.name === name);
    if (!activeClient || !tool) {
      await voice.say(whatThereIs(activeClient, name));
      return;
    }
    const toolInput = input.trim() || '{}';
    try {
      JSON.parse(toolInput);
    } catch (error) {
      await voice.say(`The input for ${code(name)} is not JSON: ${messageOf(error)}`);
      return;
    }
    const displayName = tool.title ?? tool.annotations?.title ?? tool.name;
    const call = turn.toolCall({ toolName: tool.name, displayName, toolClientId: activeClient.clientId });
    await voice.writeInput(call, toolInput);
    call.run({ invocationMessage: { markdown: `Calling ${code(displayName)}` }, toolInput }, 'not-needed');
    let result: ToolCallResult;
    try {
      result = await call.waitForClient();
    } catch (error) {
      turn.signal.throwIfAborted();
      await voice.say(`The call came to nothing: ${messageOf(error)}`);
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

function whatThereIs(activeClient: SessionActiveClient | undefined, asked: string): string {
  if (!activeClient)
    return 'No client lends tools to this session. A client does so by becoming its *active client* (`session/activeClientChanged`) with a list of tools; then ask again.';
  const who = code(activeClient.displayName ?? activeClient.clientId);
  if (activeClient.tools.length === 0)
    return `${who} is the active client, but it lends no tools. It can with \`session/activeClientToolsChanged\`.`;
  const list = activeClient.tools
    .map((tool) => `- ${code(tool.name)}${tool.description ? ` — ${plain(tool.description)}` : ''}`)
    .join('\n');
  return `${asked ? `There is no tool ${code(asked)}. ` : ''}${who} lends these tools:\n\n${list}\n\nCall one with \`client <tool> <json>\`.`;
}
