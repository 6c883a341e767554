/** Runs a tool that the user has chosen, in one of the sessions that it is offered to. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import type { OfferedTool, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { isSameProvider } from '../../tap/wire/trust.ts';
import { trustWords } from '../../views/pairing/trustWords.ts';
import { byteText } from '../../views/text/excerpt.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { SessionBridge } from '../bridge/session/sessionBridge.ts';
import type { TextDocuments } from '../textDocuments.ts';

export class ToolRunner {
  constructor(
    private readonly bridge: Bridge,
    private readonly documents: TextDocuments,
  ) {}

  /** The tool of a row of the view; otherwise the user picks one. */
  async run(chosen: OfferedTool | undefined): Promise<void> {
    const tool = chosen ?? (await this.#pickTool());
    if (!tool) return;
    const session = await this.#pickSession(tool);
    if (!session) return;
    const { askForArguments } = await import('./askForArguments.ts');
    let problem: string | undefined;
    let args: Record<string, unknown> | undefined;
    // Arguments that the gateway refuses can be corrected; the tool has not run then.
    while ((args = await askForArguments(tool, args, problem))) {
      const outcome = await this.#call(session, tool, args);
      if (!outcome) return;
      if (outcome.ok) return this.#show(tool, outcome);
      if (outcome.errorCode !== 'INVALID_ARGUMENTS')
        throw new UserError(l10n.t`${tool.name} failed (${outcome.errorCode}): ${oneLine(outcome.error, 1_000)}`);
      problem = outcome.error;
    }
  }

  async #pickTool(): Promise<OfferedTool | undefined> {
    const tools = new Map<string, OfferedTool>();
    for (const { bridge } of this.bridge.sessions) {
      for (const tool of bridge.offered) tools.set(JSON.stringify([tool.trust, tool.provider, tool.origin, tool.spawned, tool.name]), tool);
    }
    if (tools.size === 0)
      throw new UserError(
        l10n.t('No provider offers tools to the sessions of this window. Open a session and start a provider, then try again.'),
      );
    const shown = (text: string) => withoutMarkup(oneLine(text));
    const items = [...tools.values()].map((tool) => ({
      label: shown(tool.name),
      description: `${shown(tool.provider)} (${trustWords(tool)})`,
      detail: shown(tool.description),
      tool,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Run a Tool'),
      placeHolder: l10n.t('Which tool?'),
      matchOnDescription: true,
    });
    return picked?.tool;
  }

  /** The one that the user looks at comes first. */
  async #pickSession(tool: OfferedTool): Promise<SessionBridge | undefined> {
    const isOffered = ({ offered }: SessionBridge) => offered.some((other) => other.name === tool.name && isSameProvider(other, tool));
    const sessions = this.bridge.sessions.map(({ bridge }) => bridge).filter(isOffered);
    if (sessions.length === 0) throw new UserError(l10n.t`${oneLine(tool.provider)} does not offer ${tool.name} any more.`);
    if (sessions.length === 1) return sessions[0];
    const items = sessions
      .toSorted((a, b) => Number(b.isForeground) - Number(a.isForeground))
      .map((session) => ({
        label: withoutMarkup(oneLine(session.title)),
        description: session.isForeground ? l10n.t('in front') : '',
        session,
      }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t({ message: 'Run {0}', comment: 'a verb', args: [tool.name] }),
      placeHolder: l10n.t('In which session?'),
    });
    return picked?.session;
  }

  /** Undefined when the user cancelled. */
  #call(session: SessionBridge, tool: OfferedTool, args: Record<string, unknown>): Thenable<ToolOutcome | undefined> {
    const title = withoutMarkup(l10n.t`Running ${tool.name} of ${oneLine(tool.provider)}`);
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const abort = new AbortController();
        // eslint-disable-next-line texts/translated -- for the provider
        token.onCancellationRequested(() => abort.abort('the user has cancelled it'));
        let outcome: ToolOutcome;
        try {
          outcome = await session.run(tool, args, abort.signal, (message) => progress.report({ message: withoutMarkup(oneLine(message)) }));
        } catch (error) {
          throw new UserError(messageOf(error));
        }
        return token.isCancellationRequested && !outcome.ok ? undefined : outcome;
      },
    );
  }

  #show({ name }: OfferedTool, outcome: Extract<ToolOutcome, { ok: true }>): Promise<void> {
    const title = l10n.t`Result of ${name}`;
    if ('data' in outcome) {
      const { data } = outcome;
      return typeof data === 'string'
        ? this.documents.show(title, 'txt', data)
        : this.documents.show(title, 'json', JSON.stringify(data ?? null, undefined, 2));
    }
    const { mimeType, size, base64 } = outcome.file;
    const isText = /^text\/|^application\/json\b/.test(mimeType);
    const text = isText
      ? Buffer.from(base64, 'base64').toString('utf8')
      : l10n.t`A file of ${byteText(size)} (${oneLine(mimeType)}). It is not text.`;
    return this.documents.show(title, 'txt', text);
  }
}
