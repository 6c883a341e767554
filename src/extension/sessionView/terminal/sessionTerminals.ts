/** Terminals of agent hosts as terminals of VS Code, in which the user types. What is typed goes to that terminal of that host only. */
import { problemText } from '../../../ahp/client/connection/hostError.ts';
import { reasonText } from '../../../ahp/client/resources/subscription.ts';
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { ResourceModel } from '../../../ahp/client/model/resourceModel.ts';
import type { TerminalState } from '../../../ahp/channels/terminal.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError } from '../../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { terminalsOf } from '../../../views/session/terminals/sessionWork.ts';
import { addedText, type TerminalText, terminalText } from '../../../views/session/toolCall/terminalText.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { type RegisteredHost, rootOf } from '../../hosts/registeredHost.ts';
import { typedText } from './typedText.ts';

/** Of a tab. A title is often a whole command line. */
const MAX_NAME = 40;

export class SessionTerminals implements Disposable {
  readonly #store = new DisposableStore();
  readonly #open = new Map<string, { readonly host: RegisteredHost; readonly terminal: vscode.Terminal }>();

  constructor() {
    this.#store.add(
      vscode.window.onDidCloseTerminal((closed) => {
        for (const [key, { terminal }] of this.#open) if (terminal === closed) this.#open.delete(key);
      }),
    );
  }

  /** Shows the terminal and gives it the focus. */
  open(host: RegisteredHost, uri: URI): void {
    const key = `${host.id}\n${uri}`;
    const info = rootOf(host)?.terminals?.find(({ resource }) => resource === uri);
    const open = this.#open.get(key);
    if (open?.host === host) return open.terminal.show();
    // A host whose address or token was changed has another connection.
    open?.terminal.dispose();
    const terminal = vscode.window.createTerminal({
      name: oneLine(info?.title, MAX_NAME) || l10n.t('Agent'),
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
      pty: new HostPseudoterminal(host, uri),
    });
    this.#open.set(key, { host, terminal });
    terminal.show();
  }

  /** Lets the user choose among the running terminals of the session and its subagents, or of one subagent. One alone is opened at once. */
  async choose(host: RegisteredHost, session: URI): Promise<void> {
    const running = terminalsOf(rootOf(host), session).filter(({ lifecycle }) => lifecycle.status !== 'exited');
    const items = running.map(({ title, resource }) => ({ label: oneLine(title) || l10n.t('Terminal'), resource }));
    const chosen =
      items.length > 1 ? await vscode.window.showQuickPick(items, { title: l10n.t('Which terminal do you want to type into?') }) : items[0];
    if (chosen) this.open(host, chosen.resource);
    else if (items.length === 0) throw new UserError(l10n.t('No command of this session is running in a terminal.'));
  }

  dispose(): void {
    for (const { terminal } of this.#open.values()) terminal.dispose();
    this.#store.dispose();
  }
}

/** Closing it leaves the command running. */
class HostPseudoterminal implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#write.event;
  #model: ResourceModel<'terminal'> | undefined;
  #written: TerminalText = { text: '', end: 0 };
  #saidEnd = false;
  #saidAway = false;

  constructor(
    private readonly host: RegisteredHost,
    private readonly uri: URI,
  ) {}

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.#model = this.host.client.model('terminal', this.uri);
    this.#model.onDidChange(() => this.#draw());
    this.#draw();
    if (dimensions) this.setDimensions(dimensions);
  }

  close(): void {
    this.#model?.dispose();
    this.#write.dispose();
  }

  handleInput(data: string): void {
    const typed = typedText(data);
    // What is none has no state as a terminal.
    if (!this.#model || !this.#state || typed === '' || this.#hasEnded) return;
    // It is not kept for later: by then the program may ask something else.
    if (this.host.client.state.kind === 'connected') {
      this.#saidAway = false;
      const { settled } = this.#model.perform({ type: 'terminal/input', data: typed });
      void settled.then((how) => how.kind !== 'confirmed' && this.#say(l10n.t`What you typed may be lost: ${oneLine(reasonText(how))}`));
    } else if (!this.#saidAway) {
      this.#saidAway = true;
      this.#say(l10n.t`${oneLine(this.host.label)} is not connected. What you type now is not sent.`);
    }
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    if (this.#hasEnded || this.host.client.state.kind !== 'connected') return;
    this.#model?.perform({ type: 'terminal/resized', cols: columns, rows });
  }

  get #hasEnded(): boolean {
    return this.#state?.lifecycle.status === 'exited';
  }

  get #state(): TerminalState | undefined {
    return this.#model?.state;
  }

  #draw(): void {
    const status = this.#model?.status;
    const state = this.#state;
    if (status?.kind === 'failed' && !state) return this.#say(l10n.t`This terminal cannot be shown: ${oneLine(problemText(status.error))}`);
    if (!state) return;
    const output = terminalText(state);
    const added = addedText(this.#written, output) ?? `\u001bc${output.text}`;
    this.#written = output;
    if (added !== '') this.#write.fire(added.replace(/(?<!\r)\n/g, '\r\n'));
    if (!this.#hasEnded || this.#saidEnd) return;
    this.#saidEnd = true;
    this.#say(l10n.t('The command has ended. You can close this terminal.'));
  }

  #say(text: string): void {
    this.#write.fire(`\r\n\u001b[0;7m ${text} \u001b[0m\r\n`);
  }
}
