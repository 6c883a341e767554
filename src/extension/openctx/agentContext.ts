/** What context providers say for agents: of what the user mentions or attaches, and of files that agents ask about. */
import * as l10n from '../../base/l10n.ts';
import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { englishOf, UserError } from '../../base/errors.ts';
import { shownAddress } from '../../base/text/shownAddress.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { Item } from '../../openctx/protocol/later.ts';
import { type ContextItem, withItems } from '../../views/session/composer/contextItems.ts';
import type { FoundContext, Mention } from '../../webviews/session/protocol.ts';
import { folderOf } from '../sessions/sessionFolder.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { settings } from '../settings.ts';
import type { AgentConsent } from './agentConsent.ts';
import { isSent, MAX_CONTENT } from './editor/documentItems.ts';
import type { OpenCtx } from './openCtx.ts';
import type { ProviderStatus } from './providers/listedProvider.ts';

const MAX_MENTIONS = 20;
const MAX_TITLE = 120;

export class AgentContext {
  constructor(
    private readonly openCtx: Pick<OpenCtx, 'client' | 'find' | 'providers'>,
    private readonly consent: Pick<AgentConsent, 'mayAsk'>,
  ) {}

  /** `workingDirectory`: of the session. Where that is no folder of the window, all of its folders count. */
  async mentions(workingDirectory: string | undefined, query: string): Promise<Mention[]> {
    const answers = await Promise.all(this.#clients(workingDirectory).map((client) => client.mentions({ query })));
    const found = new Map<string, Mention>();
    for (const { provider, title, description, uri, data } of answers.flatMap(({ results }) => results)) {
      const key = JSON.stringify([provider, uri]);
      if (found.size < MAX_MENTIONS && !found.has(key))
        found.set(key, {
          provider,
          title: oneLine(title, MAX_TITLE),
          uri,
          ...(description !== undefined && { description: oneLine(description, MAX_TITLE) }),
          ...(data && { data }),
        });
    }
    return [...found.values()];
  }

  async ofMention(workingDirectory: string | undefined, mention: Mention): Promise<FoundContext> {
    const answers = await Promise.all(this.#clients(workingDirectory).map((client) => client.items({ mention })));
    return foundOf(answers.map(({ results, errors }) => ({ items: itemsFor(results), errors })));
  }

  /** Of files that the user attaches. Nothing while the setting is off. */
  async ofFiles(uris: readonly string[]): Promise<FoundContext> {
    if (!settings.contextOfAttachedFiles()) return foundOf([]);
    return foundOf(await Promise.all(uris.map((uri) => this.#ofFile(vscode.Uri.parse(uri, true)))));
  }

  /** Of a file of the window that an agent asks about, from the providers that the user lets agents ask. In order, as far as there is room. */
  async ofPath(path: string): Promise<AnswerForAgent> {
    const folder = folderOf(path, folderPaths());
    const providers = this.openCtx.providers.filter((one) => one.folder === folder && one.provider && canBeAsked(one.status.kind));
    const answered = await Promise.all(
      providers.map(async ({ uri, provider }) => ({
        uri,
        digest: provider?.digest,
        may: provider && (await this.consent.mayAsk(provider)),
      })),
    );
    // The question may have been open for a while. What was allowed is what is asked.
    const only = answered.flatMap(({ uri, may, digest }) => (may && this.openCtx.find(folder ?? '', uri)?.digest === digest ? [uri] : []));
    const { items, errors } = await this.#ofFile(vscode.Uri.file(path), only);
    const refused = answered.flatMap(({ uri, may }) =>
      may
        ? []
        : [
            // eslint-disable-next-line texts/translated -- for the model
            `${oneLine(shownAddress(uri))}: ${may === false ? 'the user does not let agents ask it' : 'the user was asked, and has not answered yet'}`,
          ],
    );
    const budget = settings.contextTokens();
    const { items: given, leftOut } = withItems([], items, budget);
    return {
      items: given.map(({ provider, title, text }) => ({ provider: oneLine(provider), title, text })),
      // eslint-disable-next-line texts/translated -- for the model
      ...(leftOut.length > 0 && { leftOut: `More than ${budget} tokens: ${leftOut.map(({ title }) => title).join(', ')}` }),
      ...(refused.length + errors.length > 0 && { notAnswered: [...refused, ...errors.map(problemForAgent)] }),
    };
  }

  async #ofFile(uri: vscode.Uri, only?: readonly string[]): Promise<Found> {
    const folder = uri.scheme === 'file' ? folderOf(uri.fsPath, folderPaths()) : undefined;
    const client = folder === undefined ? undefined : this.openCtx.client(folder);
    const content = client && (await contentOf(uri));
    if (!client || content === undefined) return { items: [], errors: [] };
    const { results, errors } = await client.items({ uri: uri.toString(), content }, only && { only });
    return { items: itemsFor(results, uri.toString()), errors };
  }

  #clients(workingDirectory: string | undefined) {
    const uri = workingDirectory === undefined ? undefined : vscode.Uri.parse(workingDirectory);
    const own = uri?.scheme === 'file' ? folderOf(uri.fsPath, folderPaths()) : undefined;
    return (own === undefined ? folderPaths() : [own]).flatMap((path) => this.openCtx.client(path) ?? []);
  }
}

/** For the model. */
interface AnswerForAgent {
  items: Pick<ContextItem, 'provider' | 'title' | 'text'>[];
  leftOut?: string;
  notAnswered?: string[];
}

function canBeAsked(kind: ProviderStatus['kind']): boolean {
  return kind === 'unused' || kind === 'works' || kind === 'failed';
}

interface Found {
  items: ContextItem[];
  errors: readonly { provider: string; message: string; leftOut?: number }[];
}

/** Items without a text for agents are for people only. */
function itemsFor(results: readonly (Item & { provider: string })[], file?: string): ContextItem[] {
  return results.flatMap(({ provider, title, ai }) =>
    ai?.content
      ? [
          {
            provider: shownAddress(provider),
            // eslint-disable-next-line texts/translated -- for the model
            title: oneLine(title, MAX_TITLE) || '(no title)',
            text: ai.content,
            ...(file !== undefined && { file }),
          },
        ]
      : [],
  );
}

function foundOf(found: readonly Found[]): FoundContext {
  const problems = found.flatMap(({ errors }) => errors.map(problemOf));
  return { items: found.flatMap(({ items }) => items), budget: settings.contextTokens(), problems: [...new Set(problems)] };
}

/** For people. */
function problemOf({ provider, message, leftOut }: Found['errors'][number]): string {
  const [who, what] = [oneLine(shownAddress(provider)), oneLine(message, 300)];
  return leftOut === undefined ? l10n.t`${who} failed: ${what}` : `${who}: ${what}`;
}

/** The same for the model. */
function problemForAgent({ provider, message, leftOut }: Found['errors'][number]): string {
  return `${oneLine(shownAddress(provider))}${leftOut === undefined ? ' failed' : ''}: ${oneLine(message, 300)}`;
}

/** As it is in the editor, saved or not. Undefined for what is not sent. */
async function contentOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const text = open?.getText() ?? (await readText(uri.fsPath));
  return text !== undefined && isSent(text) ? text : undefined;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await stat(path);
    return file.isFile() && file.size <= MAX_CONTENT * 3 ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    // eslint-disable-next-line texts/translated -- for the model
    throw new UserError(`${path} cannot be read: ${englishOf(error)}`);
  }
}
