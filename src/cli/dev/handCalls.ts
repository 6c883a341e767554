/** Calls that the author of a provider types, and what comes of them. */
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { OwnedSession } from '../../tap/owner/ownerClient.ts';
import type { OfferedTool, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { type ResultBlock, resultContent } from '../../tap/wire/resultContent.ts';
import { visiblePlain } from '../../views/text/visibleText.ts';
import { onOneLine } from '../visible.ts';
import { exampleCall, toolLine } from './toolList.ts';

export const HELP = `  NAME {"argument": …}          calls a tool
  tools [NAME]                  lists the tools, or shows all of one
  check NAME {"argument": …}    what the rules of the provider say of such a call of an agent
  restart                       starts the provider again; saving a file of its folder does that too
  quit                          ends everything, as Ctrl+C does`;
const commands = ['help', 'tools', 'check', 'restart', 'quit'];

export interface HandCallsOptions {
  session: OwnedSession;
  tools(): readonly OfferedTool[];
  print(text: string): void;
  restart(): void;
  quit(): void;
}

export class HandCalls {
  constructor(private readonly options: HandCallsOptions) {}

  /** For the Tab key: what the line may go on with, and the part that is completed. */
  readonly complete = (line: string): [string[], string] => {
    const word = line.slice(line.lastIndexOf(' ') + 1);
    const isFirst = word === line;
    const names = this.options.tools().map(({ name }) => name);
    const known = isFirst ? [...names, ...commands] : /^(?:tools|check)\s/.test(line) ? names : [];
    return [known.filter((name) => name.startsWith(word)), word];
  };

  /** Never throws. */
  async run(line: string): Promise<void> {
    const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*)$/s.exec(line) ?? [];
    try {
      await this.#run(word, rest.trim());
    } catch (error) {
      this.options.print(messageOf(error));
    }
  }

  async #run(word: string, rest: string): Promise<void> {
    const { print, tools } = this.options;
    switch (word) {
      case '':
        return;
      case 'help':
        return print(HELP);
      case 'tools':
        if (rest) return print(visiblePlain(JSON.stringify(this.#tool(rest), undefined, 2)));
        return print(tools().map(toolLine).join('\n') || 'It offers no tools.');
      case 'check':
        return this.#check(rest);
      case 'restart':
        return this.options.restart();
      case 'quit':
        return this.options.quit();
      default:
        return this.#call(this.#tool(word), rest);
    }
  }

  #tool(name: string): OfferedTool {
    const found = this.options.tools().find((tool) => tool.name === name);
    if (found) return found;
    const names = this.options.tools().map((tool) => tool.name);
    throw new Error(
      `There is no tool “${onOneLine(name)}”. ${names.length ? `There are: ${names.join(', ')}.` : 'It offers none.'} Type help.`,
    );
  }

  async #call(tool: OfferedTool, given: string): Promise<void> {
    const { session, print } = this.options;
    const outcome = await session.call(tool.name, argumentsOf(given, exampleCall(tool)), undefined, (message) =>
      print(`  … ${onOneLine(message)}`),
    );
    for (const line of outcomeLines(outcome)) print(line);
    if (!outcome.ok && outcome.errorCode === 'INVALID_ARGUMENTS') print(`Such a call fits: ${exampleCall(tool)}`);
  }

  async #check(rest: string): Promise<void> {
    const [, tool = '', given = ''] = /^(\S*)\s*(.*)$/s.exec(rest) ?? [];
    if (!tool) throw new Error('Name a tool of an agent: check shell {"command": "ls"}');
    const { decision, reason, context } = await this.options.session.evaluateHooks(tool, argumentsOf(given, `check ${tool} {}`));
    this.options.print(`${decision}${reason === undefined ? '' : `: ${onOneLine(reason)}`}`);
    for (const { content } of context) this.options.print(`  The model also reads: ${onOneLine(content)}`);
  }
}

function argumentsOf(text: string, example: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = text ? JSON.parse(text) : {};
  } catch (error) {
    throw new Error(`The arguments are not JSON (${onOneLine(messageOf(error))}). For example: ${example}`);
  }
  if (isRecord(value)) return value;
  throw new Error(`The arguments are a JSON object. For example: ${example}`);
}

function outcomeLines(outcome: ToolOutcome): string[] {
  if (!outcome.ok) {
    const { error, errorCode, details } = outcome;
    const code = details?.errorCode ?? errorCode;
    return [`${onOneLine(code)}: ${visiblePlain(error)}${details?.retryable ? ' (retryable)' : ''}`];
  }
  if ('file' in outcome) return [`[file, ${onOneLine(outcome.file.mimeType)}, ${outcome.file.size} bytes]`];
  const { content, structuredContent } = resultContent(outcome.data, (value) => JSON.stringify(value, undefined, 2));
  const lines = content.map((block) => visiblePlain(blockText(block)));
  return structuredContent ? [...lines, `structured: ${visiblePlain(JSON.stringify(structuredContent))}`] : lines;
}

function blockText(block: ResultBlock): string {
  const bytes = (base64: string) => `${Buffer.byteLength(base64, 'base64')} bytes`;
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${bytes(block.data)}]`;
    case 'resource': {
      const { resource } = block;
      return `[file ${resource.uri}, ${resource.mimeType ?? 'of no type'}] ${'text' in resource ? resource.text : bytes(resource.blob)}`;
    }
    case 'resource_link':
      return `[link ${block.name}: ${block.uri}]`;
  }
}
