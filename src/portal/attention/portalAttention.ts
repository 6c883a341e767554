/**
 * What waits for a person at the portal's own host, in whichever session, and in its sessions at other hosts, and their answers. Nothing is
 * answered by itself.
 */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { ClientAction } from '../../ahp/client/model/resourceModel.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { type CarriedOut, carryOut } from '../../pages/answering/carryOut.ts';
import { answerAction, type ProgramAnswer } from '../../views/attention/answerAction.ts';
import { Attention, type AttentionHost } from '../../views/attention/attention.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import { type ListedItem, toListedItem } from '../../views/attention/listedItem.ts';
import { unknownHosts } from '../../views/attention/inboxView.ts';
import { hostConnectionView } from '../../views/hosts/hostConnectionView.ts';
import { questionKey } from '../../views/session/waiting/waiting.ts';
import { hostInput } from '../../views/sessionList/hostInput.ts';
import type { HostSessions } from '../hostSessions/hostSessions.ts';

export interface AttentionEntry extends ListedItem {
  /** The same for as long as the same thing waits. */
  id: string;
  /** Of exactly what is listed here. */
  revision: string;
}
export interface AttentionList {
  /** Those that have waited longest first. */
  items: readonly AttentionEntry[];
  /** False while a host has not said what it has, and where there is more than can be listed. */
  isComplete: boolean;
}

export interface PortalAttentionOptions {
  /** Of the portal's own host. */
  client: AgentHostClient;
  /** Of other hosts, by name. */
  hosts?: ReadonlyMap<string, AgentHostClient>;
  sessions: Pick<HostSessions, 'urisAt' | 'onDidChange' | 'answerers'>;
}

interface AttendedHost extends AttentionHost {
  /** Part of the ids of its items, so that an answer never goes to a session of another host with the same URI. */
  readonly id: string;
  readonly client: AgentHostClient;
  /** Absent: the portal's own. */
  readonly name?: string;
  /** Something of the portal may wait there. */
  isAttended(): boolean;
}

const OWN_ID = 'host';
const OTHER_ID = 'host ';

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

type Refusal = Extract<AnswerOutcome, { error: string }>;

export const MAX_ITEMS = 200;
/** Characters. */
export const MAX_ITEM_LENGTH = 200_000;
const MAX_LIST_LENGTH = 4_000_000;
/** For the state of what is answered, and again for the answer of the host. */
const ANSWER_TIMEOUT_MS = 30_000;

export class PortalAttention implements Disposable {
  readonly #hosts: ReadonlyMap<string, AttendedHost>;
  readonly #clock: Clock;
  readonly #answerers: HostSessions['answerers'];
  readonly #store = new DisposableStore();
  readonly #hostChanged = this.#store.add(new Emitter<void>());
  readonly #attention: Attention;
  readonly onDidChange: Event<void>;
  #last: Looked | undefined;

  constructor({ client, hosts = new Map<string, AgentHostClient>(), sessions }: PortalAttentionOptions, clock: Clock) {
    this.#clock = clock;
    this.#answerers = sessions.answerers;
    const own = this.#attended(OWN_ID, 'The host of the portal', client);
    const others = Array.from(hosts, ([name, other]) => ({
      ...this.#attended(`${OTHER_ID}${name}`, name, other, () => sessions.urisAt(name)),
      name,
    }));
    this.#hosts = new Map([own, ...others].map((host) => [host.id, host]));
    const changed = () => this.#hostChanged.fire();
    for (const host of this.#hosts.values()) {
      this.#store.add(host.client.onDidChangeState(changed));
      this.#store.add(host.client.sessions.onDidChange(changed));
    }
    this.#store.add(sessions.onDidChange(changed));
    const all = [...this.#hosts.values()];
    this.#attention = this.#store.add(new Attention({ all, onDidChange: this.#hostChanged.event }, clock));
    this.onDidChange = this.#attention.onDidChange;
  }

  /** The whole of what waits, for pages. {@link list} is for programs. */
  get items(): readonly AttentionItem[] {
    return this.#attention.items;
  }

  /** Brings `items` up to what the clients know now. */
  look(): void {
    this.#attention.look();
  }

  list(): AttentionList {
    return this.#look().list;
  }

  /**
   * How many calls and questions wait now in a session and its subagents. `host`: its name, where it is not the portal's own. Turns that have
   * failed are not among them.
   */
  waiting(): (session: URI, host?: string) => number {
    const counts = new Map<string, number>();
    const keyOf = (session: URI | undefined, host: string | undefined) => JSON.stringify([session, host]);
    this.look();
    // All of it, and not only what programs are told at a time.
    for (const { kind, topSession, uri, hostId } of this.items) {
      if (kind === 'failed') continue;
      const key = keyOf(topSession ?? uri, this.#hosts.get(hostId)?.name);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return (session, host) => counts.get(keyOf(session, host)) ?? 0;
  }

  /** Carries out what somebody has decided about exactly the entry with this revision. `by`: who or what that is, in words. */
  async answer(id: string, revision: string, answer: ProgramAnswer, by = 'a program'): Promise<AnswerOutcome> {
    const first = this.#chosen(id, revision, answer);
    if ('error' in first) return first;
    const { hostId, uri: session } = first.item;
    const client = this.#hosts.get(hostId)?.client;
    if (!client) return { error: 'AttentionNotFound' };
    const model = first.uri === session ? client.session(first.uri) : client.chat(first.uri);
    let refusal: Refusal | undefined;
    const decide = () => {
      // By now something else may wait there.
      const chosen = this.#chosen(id, revision, answer);
      if (!('error' in chosen)) {
        const { action, item } = chosen;
        const what = 'toolCallId' in action ? action.toolCallId : 'requestId' in action ? action.requestId : undefined;
        if (typeof what === 'string') this.#answerers.note(item.topSession ?? item.uri ?? '', what, by);
        return { action, asked: askedBy(item) };
      }
      refusal = chosen;
      return undefined;
    };
    try {
      const done = await carryOut(model, { decide, stateMs: ANSWER_TIMEOUT_MS, settleMs: ANSWER_TIMEOUT_MS });
      return refusal ?? outcomeOf(done);
    } finally {
      model.dispose();
    }
  }

  /** What the answer is to, and the action that gives it. */
  #chosen(id: string, revision: string, answer: ProgramAnswer): Chosen | Refusal {
    const { list, items } = this.#look();
    const entries = list.items.filter((one) => one.id === id);
    const entry = entries.find((one) => one.revision === revision);
    const item = entry && items.get(entry);
    if (!entry || !item) return { error: entries.length > 0 ? 'AttentionChanged' : 'AttentionNotFound' };
    if (!entry.decisions.includes(answer.decision)) return { error: 'DecisionNotPossible' };
    const made = answerAction(item, answer);
    if (made === 'impossible') return { error: 'DecisionNotPossible' };
    if ('problems' in made) return { error: 'AnswersNotValid', problems: made.problems };
    return { item, ...made };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** `uris`: of its sessions only these are attended, with their subagents. Absent: all. */
  #attended(id: string, label: string, client: AgentHostClient, uris?: () => ReadonlySet<string>): AttendedHost {
    const input = () => {
      const listed = hostInput(id, label, hostConnectionView(client.state, this.#clock.now()), client);
      if (!uris) return listed;
      const own = uris();
      return { ...listed, sessions: listed.sessions.filter(({ resource }) => own.has(client.topSession(resource))) };
    };
    return { id, client, readOnly: undefined, input, isAttended: () => !uris || uris().size > 0 };
  }

  #look(): Looked {
    this.#attention.look();
    const of = this.#attention.items;
    const { isLoading, away } = unknownHosts([...this.#hosts.values()].filter((host) => host.isAttended()).map((host) => host.input()));
    const isComplete = !isLoading && away.length === 0 && of.length <= MAX_ITEMS;
    if (this.#last?.of === of && this.#last.list.isComplete === isComplete) return this.#last;
    const items = new Map<AttentionEntry, AttentionItem>();
    let left = MAX_LIST_LENGTH;
    for (const item of of.toSorted((a, b) => a.since - b.since).slice(0, MAX_ITEMS)) {
      const name = this.#hosts.get(item.hostId)?.name;
      const listed = { ...(name !== undefined && { host: name }), ...toListedItem(item, Math.min(left, MAX_ITEM_LENGTH)) };
      const id = shortDigest(item.id);
      const entry = { id, revision: shortDigest(JSON.stringify([id, listed])), ...listed };
      left -= JSON.stringify(entry).length;
      items.set(entry, item);
    }
    return (this.#last = { of, list: { items: [...items.keys()], isComplete }, items });
  }
}

interface Chosen {
  item: AttentionItem;
  uri: URI;
  action: ClientAction;
}

/** What an answer to a question is to. A call has it in its action. */
function askedBy({ waiting }: AttentionItem): string | undefined {
  return waiting?.kind === 'question' ? questionKey(waiting.request) : undefined;
}

function outcomeOf(done: CarriedOut): AnswerOutcome {
  switch (done.kind) {
    case 'confirmed':
      return { result: 'Answered' };
    case 'outdated':
      return { error: 'AttentionChanged' };
    case 'notSent':
      return { error: 'AnswerRefused', message: `${done.reason}. Nothing was sent.` };
    case 'rejected':
      return { error: 'AnswerRefused', message: done.reason };
    case 'unknown':
      return { error: 'OutcomeUnknown', message: done.reason };
  }
}

/** Of 128 bits, so that nobody finds two texts with the same one. */
function shortDigest(text: string): string {
  return sha256(text).slice(0, 32);
}
