/** The prompt files of a session's folder, on whichever host. */
import * as l10n from '../../base/l10n.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { OfferedPrompt } from '../../views/session/composer/promptFiles.ts';

/** With a parser for YAML, which nothing else needs. */
const loadRules = () => import('../../views/session/composer/promptFiles.ts');
const ASK_TIMEOUT_MS = 10_000;
/** How long what was found is offered, because each letter asks again. */
const REMEMBERED_MS = 10_000;
/** How many are looked into for their descriptions, and how many characters of them all. */
const MAX_FILES = 50;
const MAX_READ = 1_000_000;

type Client = Pick<AgentHostClient, 'command'>;

export class PromptFiles {
  #found: { client: Client; folder: URI; at: number; offered: Promise<OfferedPrompt[]> } | undefined;

  constructor(private readonly clock: Pick<Clock, 'now'> = systemClock) {}

  /** Best first. Rejects when the host does not answer. */
  async find(client: Client, folder: URI | undefined, query: string): Promise<OfferedPrompt[]> {
    if (folder === undefined) return [];
    const now = this.clock.now();
    const isKnown = this.#found?.client === client && this.#found.folder === folder && now - this.#found.at < REMEMBERED_MS;
    if (!isKnown || !this.#found) this.#found = { client, folder, at: now, offered: offeredIn(client, folder) };
    const found = this.#found;
    try {
      const { matchingPrompts } = await loadRules();
      return matchingPrompts(await found.offered, query);
    } catch (error) {
      if (this.#found === found) this.#found = undefined;
      throw error;
    }
  }
}

async function offeredIn(client: Client, folder: URI): Promise<OfferedPrompt[]> {
  const { descriptionOf, PROMPT_FOLDERS, promptFiles, promptFolderUri } = await loadRules();
  const files = await Promise.all(
    PROMPT_FOLDERS.map(async (place) => promptFiles(folder, place, await namesIn(client, promptFolderUri(folder, place)))),
  );
  const offered: OfferedPrompt[] = [];
  let read = 0;
  for (const { name, path, uri } of files.flat()) {
    const content = offered.length < MAX_FILES && read < MAX_READ ? await textOf(client, uri) : '';
    read += content.length;
    const description = descriptionOf(content);
    offered.push({ name, path, ...(description !== undefined && { description }) });
  }
  return offered;
}

/** The text of a prompt file. `path`: as it was offered. Rejects with a `UserError` when there is none, or when it is too long for a message. */
export async function readPrompt(client: Client, folder: URI | undefined, path: string): Promise<string> {
  const { MAX_PROMPT, promptFileAt, promptText } = await loadRules();
  const file = folder === undefined ? undefined : promptFileAt(folder, path);
  if (!file) throw new UserError(l10n.t('That is not a prompt file of this session.'));
  const content = await textOf(client, file.uri);
  if (content.length > MAX_PROMPT)
    throw new UserError(
      l10n.t`${file.path} has ${l10n.countText(content.length)} characters. A prompt file may have at most ${l10n.countText(MAX_PROMPT)} characters.`,
    );
  const text = promptText(content);
  if (text === '') throw new UserError(l10n.t`${file.path} has no text, or cannot be read any more.`);
  return text;
}

async function namesIn(client: Client, uri: URI): Promise<string[]> {
  return refusedAs([], async () => {
    const { entries } = await client.command('resourceList', { uri }, ASK_TIMEOUT_MS);
    return entries.flatMap(({ name, type }) => (type === 'file' ? [name] : []));
  });
}

async function textOf(client: Client, uri: URI): Promise<string> {
  return refusedAs('', async () => {
    const { data, encoding } = await client.command('resourceRead', { uri, encoding: 'utf-8' }, ASK_TIMEOUT_MS);
    if (typeof data !== 'string') return '';
    return encoding === 'base64' ? Buffer.from(data, 'base64').toString('utf8') : data;
  });
}

/** The host has no such file or folder, or does not give it to clients. */
async function refusedAs<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError) return otherwise;
    throw error;
  }
}
