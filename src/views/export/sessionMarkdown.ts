/** A session as a Markdown document. */
/* eslint-disable texts/translated -- for the file */
import type { ActiveTurn, ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent } from '../../ahp/common/tools.ts';
import { plainTerminalText } from '../../base/text/plainTerminalText.ts';
import { messageView } from '../session/transcript/messageView.ts';
import { toolCallView } from '../session/toolCall/toolCallView.ts';
import { byteText } from '../text/excerpt.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { plainText } from '../text/inlineText.ts';
import type { ExportedSession } from './exportedSession.ts';
import { answered, escaped, fenced, quoted } from './markdownSafe.ts';

/** What tools returned, in characters of one text. The whole is in the JSON. */
const MAX_OUTPUT = 100_000;

/** In pieces, of which each is at most a turn. */
export function* sessionMarkdown(session: ExportedSession): Generator<string> {
  const { title, agent, host, folder, createdAt, exportedAt, chats, missing } = session;
  const facts = [
    ['Agent', agent],
    ['Host', host],
    ['Folder', folder],
    ['Created', createdAt],
    ['Exported', exportedAt],
  ] as const;
  const known = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${escaped(oneLine(value))}`] : []));
  yield `${[`# ${escaped(oneLine(title))}`, known.join('\n')].join('\n\n')}\n`;
  for (const { title: chatTitle, chat, isPart } of chats) {
    if (chats.length > 1) yield `\n# Chat: ${escaped(oneLine(chatTitle))}\n`;
    if (isPart) yield '\n*Older turns are missing: the host did not give them.*\n';
    for (const turn of chat.turns) yield turnText(turn);
    if (chat.activeTurn) yield `${turnText(chat.activeTurn)}\n*This turn was not over.*\n`;
  }
  if (missing.length > 0) yield `\n*The host did not give these chats: ${missing.map((one) => escaped(oneLine(one))).join(', ')}.*\n`;
}

function turnText(turn: Turn | ActiveTurn): string {
  const { words, sentBy, added } = messageView(turn.message);
  const sender = !sentBy ? 'You' : 'what' in sentBy ? sentBy.what : sentBy.provider;
  const blocks = [
    `## ${escaped(oneLine(sender))}`,
    quoted(words),
    ...added.map(({ label, content }) => `${escaped(oneLine(label))}:\n\n${fenced(content)}`),
  ];
  const attachments = (turn.message.attachments ?? []).map(({ label }) => `- ${escaped(oneLine(label) || 'Attachment')}`);
  if (attachments.length > 0) blocks.push(`Attached:\n\n${attachments.join('\n')}`);
  let role = 'user';
  for (const part of turn.responseParts) {
    const is = part.kind === 'toolCall' ? 'tool' : 'agent';
    if (is === 'agent' && role !== 'agent') blocks.push('## Agent');
    role = is;
    blocks.push(...partBlocks(part));
  }
  if ('state' in turn && turn.state === 'cancelled') blocks.push('*You stopped this turn.*');
  return `\n${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function partBlocks(part: ResponsePart): string[] {
  // The kinds are open, so that a part of an unknown kind may be anything.
  if (part.kind === 'markdown' && 'content' in part) return [answered(part.content)];
  if (part.kind === 'reasoning' && 'content' in part) return ['*Thinking:*', quoted(part.content)];
  if (part.kind === 'toolCall') return toolBlocks(part.toolCall);
  if (part.kind === 'systemNotification' && 'content' in part) return [`*${escaped(oneLine(plainText(part.content)))}*`];
  if (part.kind === 'error' && 'error' in part) return [`**Failed:** ${escaped(oneLine(part.error.message))}`];
  if (part.kind === 'inputRequest' && 'request' in part) {
    const questions = part.request.questions?.map(({ message }) => message) ?? [];
    const asked = [part.request.message, ...questions].flatMap((one) => (one ? [quoted(one)] : []));
    return ['*Question to you:*', ...asked, ...(part.response === undefined ? [] : [`*Your answer: ${escaped(oneLine(part.response))}*`])];
  }
  return [];
}

function toolBlocks(call: ToolCallState): string[] {
  const { summary, facts, reason, input, content, structured, error } = toolCallView(call);
  const words = oneLine(summary.map(({ text }) => text).join(''));
  const all = [words, ...facts].map((one) => escaped(one)).join(' · ');
  return [
    `## Tool: ${all}`,
    ...(input?.command === undefined ? [] : [fenced(input.command, 'sh')]),
    ...(input?.url === undefined ? [] : [fenced(input.url)]),
    ...(input?.rest === undefined ? [] : [`${escaped(input.restName ?? 'Input')}:`, fenced(input.rest)]),
    ...(reason === undefined ? [] : [escaped(reason)]),
    ...content.flatMap(contentBlocks),
    ...(structured === undefined ? [] : ['Result:', fenced(cut(structured), 'json')]),
    ...(error === undefined ? [] : [`**Failed:** ${escaped(oneLine(error))}`]),
  ];
}

function contentBlocks(content: ToolResultContent): string[] {
  if (content.type === 'text' && 'text' in content) return ['Result:', fenced(cut(content.text))];
  if (content.type === 'terminal' && 'title' in content) {
    const { preview } = content.result ?? {};
    return preview ? ['Output:', fenced(cut(plainTerminalText(preview)))] : [];
  }
  if (content.type === 'fileEdit') {
    const { before, after, diff } = content as Extract<ToolResultContent, { type: 'fileEdit' }>;
    const uri = (after ?? before)?.uri;
    const lines = diff ? ` (+${diff.added ?? 0} −${diff.removed ?? 0})` : '';
    return uri === undefined ? [] : [`Changed: ${escaped(oneLine(displayPath(uri)))}${lines}`];
  }
  if (content.type === 'subagent' && 'title' in content) return [`Subagent: ${escaped(oneLine(content.title))}`];
  if (content.type === 'embeddedResource' && 'data' in content)
    return [`Content: ${escaped(oneLine(content.contentType))}, ${byteText(Math.floor((content.data.length * 3) / 4))}`];
  return [];
}

function cut(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  return `${text.slice(0, MAX_OUTPUT)}\n… ${(text.length - MAX_OUTPUT).toLocaleString('en')} more characters`;
}
