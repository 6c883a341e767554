import type { OfferedTool, OwnerEvents } from '../../tap/wire/ownerMessages.ts';
import { Inbox } from './inbox.ts';
import type { Binding } from './provider.ts';
import { Streams } from '../streams/streams.ts';
import { type MergedTool, mergeTools } from '../tools/toolSet.ts';

/** The process that a session lives in, as the core sees it. */
export interface SessionOwner {
  readonly name: string;
  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void;
}

/** A session of an agent, as its owner registered it. */
export class Session {
  label = '';
  cwd: string | undefined;
  foreground = false;
  agentTools: ReadonlySet<string> = new Set();
  /** Providers in the order in which they were registered. */
  readonly bindings = new Set<Binding>();
  #tools: ReadonlyMap<string, MergedTool> | undefined;
  /** What the owner was told last. */
  offered: OfferedTool[] = [];
  revision = 0;
  /** Counts what providers have changed here. It only rises, so for each of them it does too, also over a rebind. */
  updates = 0;
  readonly streams = new Streams();
  readonly inbox: Inbox;
  /** Set while the session is being torn down: who has not said that it is ready. */
  ending: { waitingFor: Set<Binding>; finish: () => void; finished: Promise<void> } | undefined;

  constructor(
    readonly id: string,
    readonly owner: SessionOwner,
  ) {
    this.inbox = new Inbox(this);
  }

  /** What the session's model is offered. Never changed in place. */
  get tools(): ReadonlyMap<string, MergedTool> {
    return (this.#tools ??= mergeTools(this));
  }

  /** The providers' tools, or the agent's own, are others now; they are put together when somebody asks. */
  toolsChanged(): void {
    this.#tools = undefined;
  }
}
