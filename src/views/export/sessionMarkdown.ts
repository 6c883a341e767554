/** A session as a Markdown document, which people read. */
import * as l10n from '../../base/l10n.ts';
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
    [l10n.t('Agent'), agent],
    [l10n.t('Host'), host],
    [l10n.t('Folder'), folder],
    [l10n.t('Created'), createdAt],
    [l10n.t('Exported'), exportedAt],
  ] as const;
  const known = facts.flatMap(([name, value]) => (value ? [`- ${l10n.t`${name}: ${escaped(oneLine(value))}`}`] : []));
  yield `${[`# ${escaped(oneLine(title))}`, known.join('\n')].join('\n\n')}\n`;
  for (const { title: chatTitle, chat, isPart } of chats) {
    if (chats.length > 1) yield `\n# ${l10n.t`Chat: ${escaped(oneLine(chatTitle))}`}\n`;
    if (isPart) yield `\n*${l10n.t('Older turns are missing, because the host did not give them.')}*\n`;
    for (const turn of chat.turns) yield turnText(turn);
    if (chat.activeTurn) yield `${turnText(chat.activeTurn)}\n*${l10n.t('This turn was not over.')}*\n`;
  }
  if (missing.length > 0)
    yield `\n*${l10n.t`The host did not give these chats: ${l10n.commaText(missing.map((one) => escaped(oneLine(one))))}.`}*\n`;
}

function turnText(turn: Turn | ActiveTurn): string {
  const { words, sentBy, added } = messageView(turn.message);
  const sender = !sentBy ? l10n.t('You') : 'what' in sentBy ? sentBy.what : sentBy.provider;
  const blocks = [
    `## ${escaped(oneLine(sender))}`,
    quoted(words),
    ...added.map(({ label, content }) => `${headed(escaped(oneLine(label)))}\n\n${fenced(content)}`),
  ];
  const attachments = (turn.message.attachments ?? []).map(({ label }) => `- ${escaped(oneLine(label) || l10n.t('Attachment'))}`);
  if (attachments.length > 0) blocks.push(`${headed(l10n.t('Attached'))}\n\n${attachments.join('\n')}`);
  let role = 'user';
  for (const part of turn.responseParts) {
    const is = part.kind === 'toolCall' ? 'tool' : 'agent';
    if (is === 'agent' && role !== 'agent') blocks.push(`## ${l10n.t('Agent')}`);
    role = is;
    blocks.push(...partBlocks(part));
  }
  if ('state' in turn && turn.state === 'cancelled') blocks.push(`*${l10n.t('You stopped this turn.')}*`);
  return `\n${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function partBlocks(part: ResponsePart): string[] {
  // The kinds are open, so that a part of an unknown kind may be anything.
  if (part.kind === 'markdown' && 'content' in part) return [answered(part.content)];
  if (part.kind === 'reasoning' && 'content' in part)
    return [`*${headed(l10n.t({ message: 'Thinking', comment: 'a heading' }))}*`, quoted(part.content)];
  if (part.kind === 'toolCall') return toolBlocks(part.toolCall);
  if (part.kind === 'systemNotification' && 'content' in part) return [`*${escaped(oneLine(plainText(part.content)))}*`];
  if (part.kind === 'error' && 'error' in part) return [failed(part.error.message)];
  if (part.kind === 'inputRequest' && 'request' in part) {
    const questions = part.request.questions?.map(({ message }) => message) ?? [];
    const asked = [part.request.message, ...questions].flatMap((one) => (one ? [quoted(one)] : []));
    return [
      `*${headed(l10n.t('Question to you'))}*`,
      ...asked,
      ...(part.response === undefined ? [] : [`*${l10n.t`Your answer: ${escaped(oneLine(part.response))}`}*`]),
    ];
  }
  return [];
}

function toolBlocks(call: ToolCallState): string[] {
  const { summary, facts, reason, input, content, structured, error } = toolCallView(call);
  const words = oneLine(summary.map(({ text }) => text).join(''));
  const all = [words, ...facts].map((one) => escaped(one)).join(' · ');
  return [
    `## ${l10n.t`Tool: ${all}`}`,
    ...(input?.command === undefined ? [] : [fenced(input.command, 'sh')]),
    ...(input?.url === undefined ? [] : [fenced(input.url)]),
    ...(input?.rest === undefined ? [] : [headed(escaped(input.restName ?? l10n.t('Input'))), fenced(input.rest)]),
    ...(reason === undefined ? [] : [escaped(reason)]),
    ...content.flatMap(contentBlocks),
    ...(structured === undefined ? [] : [headed(l10n.t('Result')), fenced(cut(structured), 'json')]),
    ...(error === undefined ? [] : [failed(error)]),
  ];
}

function contentBlocks(content: ToolResultContent): string[] {
  if (content.type === 'text' && 'text' in content) return [headed(l10n.t('Result')), fenced(cut(content.text))];
  if (content.type === 'terminal' && 'title' in content) {
    const { preview } = content.result ?? {};
    return preview ? [headed(l10n.t('Output')), fenced(cut(plainTerminalText(preview)))] : [];
  }
  if (content.type === 'fileEdit') {
    const { before, after, diff } = content as Extract<ToolResultContent, { type: 'fileEdit' }>;
    const uri = (after ?? before)?.uri;
    const lines = diff ? ` (+${diff.added ?? 0} −${diff.removed ?? 0})` : '';
    return uri === undefined ? [] : [l10n.t`Changed: ${escaped(oneLine(displayPath(uri))) + lines}`];
  }
  if (content.type === 'subagent' && 'title' in content) return [l10n.t`Subagent: ${escaped(oneLine(content.title))}`];
  if (content.type === 'embeddedResource' && 'data' in content)
    return [l10n.t`Content: ${escaped(oneLine(content.contentType))}, ${byteText(Math.floor((content.data.length * 3) / 4))}`];
  return [];
}

function cut(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  const more = text.length - MAX_OUTPUT;
  return `${text.slice(0, MAX_OUTPUT)}\n${l10n.plural(more, l10n.t`… ${l10n.countText(more)} more character`, l10n.t`… ${l10n.countText(more)} more characters`)}`;
}

/** Before what stands below it. */
function headed(name: string): string {
  return l10n.t`${name}:`;
}

function failed(why: string): string {
  return `**${headed(l10n.t('Failed'))}** ${escaped(oneLine(why))}`;
}
