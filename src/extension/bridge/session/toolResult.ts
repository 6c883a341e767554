/** What became of a call at the gateway, as the host and the model are told: always something that a model can read. */
import type { ToolCallResult, ToolResultContent } from '../../../ahp/common/tools.ts';
import type { ToolOutcome } from '../../../tap/wire/ownerMessages.ts';

/** Characters of text that a model gets of one result. */
const MAX_TEXT = 400_000;
/** Of base64: hosts take 16 MiB in one message. */
const MAX_BINARY = 10 * 1024 * 1024;
const MAX_ERROR = 20_000;

export function resultOf(outcome: ToolOutcome, tool: string): ToolCallResult {
  if (!outcome.ok) return failedResult(tool, outcome.error, outcome.errorCode);
  const content = 'file' in outcome ? ofFile(outcome.file) : ofData(outcome.data);
  if (typeof content === 'string') return failedResult(tool, content, 'PAYLOAD_TOO_LARGE');
  return { success: true, pastTenseMessage: `Called ${tool}`, content };
}

export function failedResult(tool: string, message: string, code: string): ToolCallResult {
  return { success: false, pastTenseMessage: `${tool} failed`, error: { message: message.slice(0, MAX_ERROR), code } };
}

/** The content, or why it cannot be handed over. */
function ofData(data: unknown): ToolResultContent[] | string {
  const found = imageOf(data);
  if (found) {
    const { contentType, base64, rest } = found;
    if (base64.length > MAX_BINARY) return tooLarge('An image', base64.length);
    return [
      { type: 'embeddedResource', contentType, data: base64 },
      ...(Object.keys(rest).length > 0 ? ofText(JSON.stringify(rest, null, 1)) : []),
    ];
  }
  return ofText(typeof data === 'string' ? data : JSON.stringify(data ?? null, null, 1));
}

function ofFile({ mimeType, base64 }: { mimeType: string; base64: string }): ToolResultContent[] | string {
  return base64.length > MAX_BINARY
    ? tooLarge('A file', base64.length)
    : [{ type: 'embeddedResource', contentType: mimeType, data: base64 }];
}

/** Cut where it is too long, and says so: a part is worth more than nothing. */
function ofText(text: string): ToolResultContent[] {
  if (text.length <= MAX_TEXT) return [{ type: 'text', text }];
  const cut = text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return [{ type: 'text', text: `${cut}\n[cut: ${text.length - cut.length} of ${text.length} characters are left out]` }];
}

function tooLarge(what: string, length: number): string {
  const mib = (characters: number) => `${(characters / (1024 * 1024)).toFixed(1)} MiB`;
  return `${what} of ${mib(length)} (in base64) came back, and at most ${mib(MAX_BINARY)} can be handed over. Ask for something smaller.`;
}

/** `{image: dataURL}`, and what stands beside it. */
function imageOf(data: unknown): { contentType: string; base64: string; rest: object } | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const { image, ...rest } = data as { image?: unknown };
  if (typeof image !== 'string') return undefined;
  const [, contentType, base64] = /^data:(image\/[\w.+-]{1,100});base64,([A-Za-z0-9+/]+={0,2})$/.exec(image) ?? [];
  return contentType !== undefined && base64 !== undefined ? { contentType, base64, rest } : undefined;
}
