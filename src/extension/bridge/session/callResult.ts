/* eslint-disable texts/translated -- for the model */
/** What became of a call at the gateway, as the host and the model are told: always something that a model can read. */
import type { ToolCallResult, ToolResultContent } from '../../../ahp/common/tools.ts';
import type { ToolOutcome } from '../../../tap/wire/owner/ownerMessages.ts';
import { type ResultBlock, resultContent } from '../../../tap/wire/resultContent.ts';
import { isDeeperThan, MAX_DEPTH } from '../tools/selectTools.ts';

/** Characters of text that a model gets of one result, and again of its structured content. */
const MAX_TEXT = 400_000;
/** Of base64: hosts take 16 MiB in one message. */
const MAX_BINARY = 10 * 1024 * 1024;
const MAX_PARTS = 1_000;
const MAX_ERROR = 20_000;

export function resultOf(outcome: ToolOutcome, tool: string): ToolCallResult {
  if (!outcome.ok) return failedResult(tool, outcome.error, outcome.errorCode);
  const parts = new Parts();
  if ('file' in outcome) parts.addBinary('A file', outcome.file.mimeType, outcome.file.base64);
  else parts.addData(outcome.data);
  const { content, structuredContent, refused } = parts;
  if (refused !== undefined && !parts.hasAny) return failedResult(tool, refused, 'PAYLOAD_TOO_LARGE');
  return { success: true, pastTenseMessage: `Called ${tool}`, content, ...(structuredContent && { structuredContent }) };
}

export function failedResult(tool: string, message: string, code: string): ToolCallResult {
  return { success: false, pastTenseMessage: `${tool} failed`, error: { message: message.slice(0, MAX_ERROR), code } };
}

/** The parts of one result, within what can be handed over. Where one has no room, a text says so in its place. */
class Parts {
  readonly content: ToolResultContent[] = [];
  structuredContent: Record<string, unknown> | undefined;
  /** Why the last one was left out. */
  refused: string | undefined;
  /** More than words about what was left out. */
  hasAny = false;
  #text = MAX_TEXT;
  #binary = MAX_BINARY;

  addData(data: unknown): void {
    const { content, structuredContent } = resultContent(data, asText);
    for (const block of content.slice(0, MAX_PARTS)) this.#add(block);
    if (content.length > MAX_PARTS) this.#leaveOut(`${content.length - MAX_PARTS} more parts`);
    if (!structuredContent) return;
    if (isDeeperThan(structuredContent, MAX_DEPTH) || JSON.stringify(structuredContent).length > MAX_TEXT)
      return this.#leaveOut('structured content, which is too large or nested too deeply');
    this.structuredContent = structuredContent;
    if (!content.length) this.#addText(asText(structuredContent));
  }

  addBinary(what: string, contentType: string, data: string): void {
    if (data.length > this.#binary) return this.#leaveOut(tooLarge(what, data.length));
    this.#binary -= data.length;
    this.hasAny = true;
    this.content.push({ type: 'embeddedResource', contentType, data });
  }

  #add(block: ResultBlock): void {
    switch (block.type) {
      case 'text':
        return this.#addText(block.text);
      case 'resource_link':
        return this.#addText(linkText(block));
      case 'resource': {
        const { uri, mimeType, ...held } = block.resource;
        const title = `Resource ${uri}${mimeType === undefined ? '' : ` (${mimeType})`}:`;
        if ('text' in held) return this.#addText(`${title}\n\n${held.text}`);
        if (held.blob.length <= this.#binary) this.#addText(title);
        return this.addBinary('A resource', mimeType ?? 'application/octet-stream', held.blob);
      }
      default:
        return this.addBinary(block.type === 'image' ? 'An image' : 'A sound', block.mimeType, block.data);
    }
  }

  /** Cut where it is too long, and says so: a part is worth more than nothing. */
  #addText(text: string): void {
    this.hasAny = true;
    const cut = text.length <= this.#text ? text : text.slice(0, this.#text).replace(/[\uD800-\uDBFF]$/, '');
    this.#text -= cut.length;
    const rest = text.length - cut.length;
    const note = rest ? `${cut && '\n'}[cut: ${rest} of ${text.length} characters are left out]` : '';
    this.content.push({ type: 'text', text: cut + note });
  }

  #leaveOut(why: string): void {
    this.refused = why;
    this.content.push({ type: 'text', text: `[left out: ${why}]` });
  }
}

/** JSON, for a model to read. */
const asText = (value: unknown) => JSON.stringify(value, null, 1);

/** The protocol has links to what the host can read, and this one only the provider may know. */
function linkText({ name, title, mimeType, size, uri, description }: Extract<ResultBlock, { type: 'resource_link' }>): string {
  const facts = [title === undefined ? '' : `“${title}”`, mimeType ?? '', size === undefined ? '' : `${size} bytes`].filter(Boolean);
  return `Link to ${name}${facts.length ? ` (${facts.join(', ')})` : ''}: ${uri}${description === undefined ? '' : `\n${description}`}`;
}

function tooLarge(what: string, length: number): string {
  const mib = (characters: number) => `${(characters / (1024 * 1024)).toFixed(1)} MiB`;
  return `${what} of ${mib(length)} (in base64) came back, and at most ${mib(MAX_BINARY)} can be handed over. Ask for something smaller.`;
}
