/**
 * Reads for a model what clients lend to this host (`ahp/lentFiles`): attachments that are files of the client's own computer. What a model
 * gets is what they held when the message went to it.
 */
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { parseLentUri } from '../../ahp/lentFiles.ts';
import { type LentRequest, type LentResult, lentResults } from '../../ahp/schemas/lentSchemas.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { englishOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { utf8Of } from '../../base/text/utf8.ts';
import { linesOf } from '../agents/attachmentWords.ts';
import { code, codeBlock } from '../agents/markdown.ts';
import type { Client, Clients } from '../state/clients.ts';

/** For one answer of a client. */
const ANSWER_MS = 15_000;
/** For all of a message. */
const TOTAL_MS = 60_000;
/** Characters of all of a message. */
const MAX_TEXT = 400_000;
/** Files and folders of all of a message. */
const MAX_ENTRIES = 500;
const MAX_DEPTH = 10;
/** Characters of a name. */
const MAX_NAME = 200;

export interface LentText {
  /** Without what is lent. */
  message: Message;
  /** One for each attachment that is lent. */
  texts: string[];
}

interface Budget {
  text: number;
  entries: number;
  signal: AbortSignal;
  /** Rejects when nobody waits any more. */
  ended: Promise<never>;
}

export class LentFileReader {
  constructor(
    private readonly clients: Pick<Clients, 'connected'>,
    private readonly logger: Logger,
  ) {}

  /** Never rejects: the model is told what could not be read. `signal`: nobody waits for it any more. */
  async read(message: Message, signal: AbortSignal): Promise<LentText> {
    const { attachments = [] } = message;
    const lent = attachments.filter((one) => one.type === 'resource').filter(({ uri }) => parseLentUri(uri));
    if (lent.length === 0) return { message, texts: [] };
    const either = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]);
    const budget = { text: MAX_TEXT, entries: MAX_ENTRIES, signal: either, ended: rejectedBy(either) };
    const texts: string[] = [];
    // One after the other, so that the first ones get what they need.
    for (const { uri, label, displayKind, selection } of lent) {
      // Where no label was given, a client of AHP v1 has the URI as one.
      const name = label === uri || label === '' ? (parseLentUri(uri)?.names.at(-1) ?? uri) : label;
      const text = await this.#text(uri, name, displayKind === 'directory', budget, 0);
      const lines = linesOf(selection);
      texts.push(lines === undefined ? text : `${text}\n\nThe user has selected ${lines} of it.`);
    }
    return { message: { ...message, attachments: attachments.filter((one) => !lent.some((taken) => taken === one)) }, texts };
  }

  async #text(uri: URI, name: string, isFolder: boolean, budget: Budget, depth: number): Promise<string> {
    const called = code(name.slice(0, MAX_NAME));
    if (budget.entries-- <= 0 || budget.text <= 0 || depth > MAX_DEPTH) return `${called}: left out, because there is too much.`;
    try {
      return isFolder ? await this.#folder(uri, name, budget, depth) : await this.#file(uri, called, budget);
    } catch (error) {
      this.logger.info(`A file that a client lends could not be read: ${englishOf(error)}`);
      return `${called}, a file of the user’s own computer, cannot be read: ${englishOf(error).slice(0, MAX_NAME)}.`;
    }
  }

  async #file(uri: URI, called: string, budget: Budget): Promise<string> {
    const { data, encoding } = await this.#ask('resourceRead', uri, budget);
    const text = encoding === 'utf-8' ? data : utf8Of(Buffer.from(data, 'base64'));
    if (text === undefined) return `${called} is a file of the user’s own computer that is not text, so you cannot see it.`;
    const shown = text.slice(0, budget.text);
    budget.text -= shown.length;
    const cut = shown.length < text.length ? `, its first ${shown.length} of ${text.length} characters` : '';
    return `${called}, a file of the user’s own computer${cut}:\n\n${codeBlock(shown)}`;
  }

  async #folder(uri: URI, name: string, budget: Budget, depth: number): Promise<string> {
    const { entries } = await this.#ask('resourceList', uri, budget);
    const parts = [`${code(name.slice(0, MAX_NAME))}, a folder of the user’s own computer, has ${entries.length} entries.`];
    for (const entry of entries) {
      if (budget.entries <= 0 || budget.text <= 0) {
        parts.push('The others are left out, because there is too much.');
        break;
      }
      const path = `${name}/${entry.name}`;
      parts.push(await this.#text(`${uri}/${encodeURIComponent(entry.name)}`, path, entry.type === 'directory', budget, depth + 1));
    }
    return parts.join('\n\n');
  }

  async #ask<M extends LentRequest>(method: M, uri: URI, budget: Budget): Promise<LentResult<M>> {
    budget.signal.throwIfAborted();
    const client: Client | undefined = this.clients.connected(parseLentUri(uri)?.clientId ?? '');
    if (!client) throw new Error('the window that lends it is not connected');
    const asking = client.request(method, { channel: ROOT_CHANNEL, uri }, ANSWER_MS);
    const answer = lentResults[method].safeParse(await Promise.race([asking, budget.ended]));
    if (!answer.success) throw new Error('the answer of the window that lends it cannot be read');
    return answer.data as LentResult<M>;
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('reading it took too long')), { once: true });
  });
  // Usually nothing waits for it at that time.
  ended.catch(() => undefined);
  return ended;
}
