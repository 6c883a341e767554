/** What waits, as the portal lists it. */
import { attentionList, type AttentionList, type WaitingItem } from '../views/portal/answers/attentionList.ts';
import type { PortalClient } from './portalClient.ts';
import { onOneLine, quoted } from './visible.ts';

export function listAttention(client: PortalClient): Promise<AttentionList> {
  return client.call('attention', attentionList);
}

export function oneLineOf({ id, host, title, what }: WaitingItem): string {
  return `${id}  ${host === undefined ? '' : `${onOneLine(host)}: `}${onOneLine(title)}: ${onOneLine(what)}`;
}

/** All that is listed of it. */
export function textOf({
  id,
  revision,
  title,
  host,
  session,
  folder,
  call,
  result,
  question,
  options = [],
  isPartial,
  what,
}: WaitingItem): string {
  const lines = [`${onOneLine(title)}`, `  ${onOneLine(what)}`];
  const add = (heading: string, text: string | undefined) => {
    if (text !== undefined && text !== '') lines.push(`  ${heading}:`, quoted(text));
  };
  if (host !== undefined) lines.push(`  Agent host: ${onOneLine(host)}`);
  if (session !== undefined) lines.push(`  Session: ${onOneLine(session)}`);
  if (folder !== undefined) lines.push(`  Folder: ${onOneLine(folder)}`);
  if (call) {
    lines.push(`  Tool: ${onOneLine(call.displayName)} (${onOneLine(call.toolName)})`);
    if (call.clientId !== undefined) lines.push(`  It is run by the client ${onOneLine(call.clientId)}`);
    add('The agent asks', call.title);
    add('The agent says', call.message);
    const what = call.toolKind === 'terminal' ? 'The command line' : call.toolKind === 'typing' ? 'What is typed' : 'The input of the tool';
    add(`${what}, exactly`, call.input);
    for (const { before, after } of call.files) {
      const names = before === after || before === undefined || after === undefined ? [before ?? after ?? ''] : [before, after];
      lines.push(`  It changes the file ${names.map(onOneLine).join(' → ')}`);
    }
  }
  if (result) {
    lines.push(result.success ? '  It has succeeded' : '  It has failed');
    add('Its error', result.error);
    for (const text of result.content) add('What the model would get', text);
    add('Structured content', result.structuredContent);
  }
  if (question) {
    add('The agent says', question.message);
    add('A page to open', question.url);
    for (const { id: name, message, kind, required, options: choices = [] } of question.questions) {
      add(`Question ${onOneLine(name)} (${onOneLine(kind)}${required ? ', needs an answer' : ''})`, message);
      for (const choice of choices) lines.push(`    ${onOneLine(choice.id)}: ${onOneLine(choice.label)}`);
    }
  }
  for (const { decision, option, label } of options)
    lines.push(`  --${decision}${option === undefined ? '' : ` --option ${onOneLine(option)}`}: ${onOneLine(label)}`);
  if (isPartial) lines.push('  Not all of it can be shown here, so it can be allowed in Tapline only.');
  lines.push(`  Id: ${onOneLine(id)}`, `  Revision: ${onOneLine(revision)}`);
  return lines.join('\n');
}
