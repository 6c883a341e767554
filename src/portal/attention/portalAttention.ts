/** What waits for a person at the portal's host, in whichever session, and their answers. Nothing is answered by itself. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { ASKED, askedText } from '../../ahp/askedCall.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf, withTimeout } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { answerAction, type ProgramAnswer } from '../../views/attention/answerAction.ts';
import { Attention } from '../../views/attention/attention.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import { type ListedItem, toListedItem } from '../../views/attention/listedItem.ts';
import { unknownHosts } from '../../views/attention/inboxView.ts';
import { hostConnectionView } from '../../views/hosts/hostConnectionView.ts';
import { hostInput } from '../../views/sessionList/hostInput.ts';

export interface AttentionEntry extends ListedItem {
  /** The same for as long as the same thing waits. */
  id: string;
  /** Of exactly what is listed here. */
  revision: string;
}
export interface AttentionList {
  /** Those that have waited longest first. */
  items: readonly AttentionEntry[];
  /** False while the host has not said what it has, and where there is more than can be listed. */
  isComplete: boolean;
}

interface Looked {
  of: readonly AttentionItem[];
  list: AttentionList;
  items: ReadonlyMap<AttentionEntry, AttentionItem>;
}

export type AnswerOutcome =
  | { result: 'Answered' }
  /** It was answered meanwhile, or has ended. */
  | { error: 'AttentionNotFound' }
  /** It is not what was listed with this revision. */
  | { error: 'AttentionChanged' }
  /** It cannot be answered in this way, or not here. */
  | { error: 'DecisionNotPossible' }
  | { error: 'AnswersNotValid'; problems: Record<string, string> }
  | { error: 'AnswerRefused' | 'OutcomeUnknown'; message: string };

export const MAX_ITEMS = 200;
/** Characters. */
export const MAX_ITEM_LENGTH = 200_000;
const MAX_LIST_LENGTH = 4_000_000;
const SETTLE_TIMEOUT_MS = 30_000;

export class PortalAttention implements Disposable {
  readonly #client: AgentHostClient;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #hostChanged = this.#store.add(new Emitter<void>());
  readonly #attention: Attention;
  readonly onDidChange: Event<void>;
  #last: Looked | undefined;

  constructor(client: AgentHostClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    const changed = () => this.#hostChanged.fire();
    this.#store.add(client.onDidChangeState(changed));
    this.#store.add(client.sessions.onDidChange(changed));
    const host = { client, readOnly: undefined, input: () => this.#input() };
    this.#attention = this.#store.add(new Attention({ all: [host], onDidChange: this.#hostChanged.event }, clock));
    this.onDidChange = this.#attention.onDidChange;
  }

  list(): AttentionList {
    return this.#look().list;
  }

  /** Carries out what somebody has decided about exactly the entry with this revision. */
  async answer(id: string, revision: string, answer: ProgramAnswer): Promise<AnswerOutcome> {
    const { list, items } = this.#look();
    const entries = list.items.filter((one) => one.id === id);
    const entry = entries.find((one) => one.revision === revision);
    const item = entry && items.get(entry);
    if (!entry || !item) return { error: entries.length > 0 ? 'AttentionChanged' : 'AttentionNotFound' };
    if (!entry.decisions.includes(answer.decision)) return { error: 'DecisionNotPossible' };
    const made = answerAction(item, answer);
    if (made === 'impossible') return { error: 'DecisionNotPossible' };
    if ('problems' in made) return { error: 'AnswersNotValid', problems: made.problems };
    return this.#send(item, made.action);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #send({ uri = '', waiting }: AttentionItem, action: SessionAction): Promise<AnswerOutcome> {
    // The call may ask something else before the host has the answer.
    const isBound = waiting?.kind === 'call' && action.type === 'session/toolCallConfirmed';
    const bound = isBound ? { ...action, _meta: { [ASKED]: sha256(askedText(waiting.call)) } } : action;
    // Without one, its outcome would not be known. One that waits has one already, so that nothing comes between the check and this.
    const subscription = this.#client.subscribeSession(uri);
    try {
      if (subscription.status.kind !== 'live') await whenLive(subscription);
      const settlement = await withTimeout(this.#client.dispatch(uri, bound).settled, SETTLE_TIMEOUT_MS, 'the answer of the host');
      if (settlement.kind === 'confirmed') return { result: 'Answered' };
      return { error: settlement.kind === 'rejected' ? 'AnswerRefused' : 'OutcomeUnknown', message: settlement.reason };
    } catch (error) {
      return { error: 'OutcomeUnknown', message: messageOf(error) };
    } finally {
      subscription.dispose();
    }
  }

  #input() {
    return hostInput('host', 'The host of the portal', hostConnectionView(this.#client.state, this.#clock.now()), this.#client.sessions);
  }

  #look(): Looked {
    this.#attention.look();
    const of = this.#attention.items;
    const { isLoading, away } = unknownHosts([this.#input()]);
    const isComplete = !isLoading && away.length === 0 && of.length <= MAX_ITEMS;
    if (this.#last?.of === of && this.#last.list.isComplete === isComplete) return this.#last;
    const items = new Map<AttentionEntry, AttentionItem>();
    let left = MAX_LIST_LENGTH;
    for (const item of of.toSorted((a, b) => a.since - b.since).slice(0, MAX_ITEMS)) {
      const listed = toListedItem(item, Math.min(left, MAX_ITEM_LENGTH));
      const id = shortDigest(item.id);
      const entry = { id, revision: shortDigest(JSON.stringify([id, listed])), ...listed };
      left -= JSON.stringify(entry).length;
      items.set(entry, item);
    }
    return (this.#last = { of, list: { items: [...items.keys()], isComplete }, items });
  }
}

/** Of 128 bits, so that nobody finds two texts with the same one. */
function shortDigest(text: string): string {
  return sha256(text).slice(0, 32);
}
