/** Who speaks in a conversation: a model at a server with the chat interface of OpenAI, or an example of the case. */
import type { Example } from './evalCase.ts';

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };
export interface OfferedFunction {
  type: 'function';
  function: { name: string; description: string; parameters: unknown };
}
export interface Said {
  text: string;
  calls: ToolCall[];
}
export type Model = (messages: readonly Message[], tools: readonly OfferedFunction[]) => Promise<Said>;

const ANSWER_MS = 180_000;

export function chatModel({ baseUrl, model, key }: { baseUrl: string; model: string; key: string | undefined }): Model {
  return async (messages, tools) => {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, messages, ...(tools.length && { tools }) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!response.ok) throw new Error(`the model’s server answers ${response.status}: ${(await response.text()).slice(0, 500)}`);
    const { choices } = (await response.json()) as { choices?: { message?: { content?: string | null; tool_calls?: ToolCall[] } }[] };
    const message = choices?.[0]?.message;
    if (!message) throw new Error('the model’s server gives no message');
    return { text: message.content ?? '', calls: message.tool_calls ?? [] };
  };
}

/** Makes the calls of the example, one after the other, and then gives its answer. */
export function scriptedModel({ calls, answer }: Example): Model {
  let made = 0;
  return async () => {
    const call = calls[made];
    if (!call) return { text: answer, calls: [] };
    const id = `call-${++made}`;
    return { text: '', calls: [{ id, type: 'function', function: { name: call.tool, arguments: JSON.stringify(call.args) } }] };
  };
}
