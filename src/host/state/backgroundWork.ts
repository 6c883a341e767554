/**
 * Names in each chat what goes on beside its turns, as the protocol has it since 1.0.0: commands that go on after the turn which started them,
 * and subagents while they work.
 */
import type { BackgroundWork as Work, ChatState } from '../../ahp/channels/chat/state.ts';
import type { TerminalInfo } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { DispatchedAction, StateStore } from './stateStore.ts';

const beginOrEnd: ReadonlySet<string> = new Set([
  'chat/turnStarted',
  'chat/turnResume',
  'chat/turnComplete',
  'chat/turnCancelled',
  'chat/error',
  'chat/truncated',
]);

export class BackgroundWork implements Disposable {
  readonly #listener: Disposable;

  constructor(private readonly store: StateStore) {
    this.#listener = store.onDidDispatch((dispatched) => this.#follow(dispatched));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #follow({ kind, envelope, before, after }: DispatchedAction): void {
    if (before === after || envelope.rejectionReason !== undefined) return;
    const { channel, action } = envelope;
    if (kind === 'root' && action.type === 'root/terminalsChanged') {
      const lists = [before, after].flatMap((state) => (state && 'terminals' in state ? (state.terminals ?? []) : []));
      for (const chat of new Set(lists.flatMap((terminal) => claimOf(terminal)?.chat ?? []))) this.#followCommands(chat);
    }
    if (kind !== 'chat' || !beginOrEnd.has(action.type)) return;
    this.#followCommands(channel);
    this.#followSubagent(channel);
  }

  #followCommands(channel: URI): void {
    const chat = this.store.chat(channel);
    if (!chat) return;
    const running = (this.store.root.terminals ?? []).filter((terminal) => isBeside(terminal, channel, chat));
    for (const terminal of running) if (!has(chat, terminal.resource)) this.#set(channel, this.#command(terminal));
    for (const { kind, id } of chat.backgroundWork ?? [])
      if (kind === 'shell' && !running.some(({ resource }) => resource === id)) this.#remove(channel, id);
  }

  #command({ resource, title }: TerminalInfo): Work {
    const started = this.store.terminal(resource)?.content.find((part) => part.type === 'command' && 'commandLine' in part);
    const { commandLine = title, timestamp = this.store.now } = started && 'commandLine' in started ? started : {};
    const startedAt = new Date(timestamp).toISOString();
    return { kind: 'shell', id: resource, label: title, command: commandLine, startedAt, terminal: resource };
  }

  #followSubagent(channel: URI): void {
    const { origin, activeTurn, title: label } = this.store.chat(channel) ?? {};
    if (origin?.kind !== 'tool' || !('toolCallId' in origin)) return;
    if (activeTurn)
      this.#set(origin.chat, { kind: 'subagent', id: channel, label, startedAt: activeTurn.startedAt, chat: channel } as Work);
    else this.#remove(origin.chat, channel);
  }

  #set(chat: URI, work: Work): void {
    this.store.dispatch(chat, { type: 'chat/backgroundWorkSet', work });
  }
  #remove(chat: URI, id: string): void {
    this.store.dispatch(chat, { type: 'chat/backgroundWorkRemoved', id });
  }
}

function has({ backgroundWork = [] }: ChatState, id: string): boolean {
  return backgroundWork.some((work) => work.id === id);
}

/** It runs for a call of the chat, and not of the turn in progress. */
function isBeside(terminal: TerminalInfo, chat: URI, { activeTurn }: ChatState): boolean {
  const claim = claimOf(terminal);
  if (claim?.chat !== chat || claim.toolCallId === undefined || terminal.lifecycle.status === 'exited') return false;
  return claim.turnId !== activeTurn?.id;
}

function claimOf({ claim }: TerminalInfo): Extract<TerminalInfo['claim'], { session: URI }> | undefined {
  return claim.kind === 'session' && 'session' in claim ? claim : undefined;
}
