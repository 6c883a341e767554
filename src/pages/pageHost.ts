/**
 * What all pages have in common at the side that tells them what to show: messages are checked, a page may load again at any time and is told
 * everything then, a slow one is not flooded, its focus is reported, and it may copy and open links.
 */
import * as l10n from '../base/l10n.ts';
import { englishOf, messageOf } from '../base/errors.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { WebviewMessage } from '../webviews/session/protocol.ts';
import type { FocusHandle } from './pageFocus.ts';
import { onPageMessage } from './pageMessages.ts';
import type { PagePort, PageShell } from './pagePort.ts';
import { PageQueue, type PageQueueOptions } from './pageQueue.ts';

/** Of one page: what is asked for it at a time, and has not come. */
export const MAX_REQUESTS = 64;
/** What waits behind that. A call may change hundreds of files, each with two sides. */
export const MAX_WAITING_REQUESTS = 2_000;
/** Refusals that the page has not taken. */
export const MAX_REFUSALS = 2_000;
const TOO_MANY = l10n.t('Too much that this page has asked for has not come yet. Try again in a moment.');

type CommonMessage = Extract<WebviewMessage, { type: 'ready' | 'focus' | 'copy' | 'openExternal' }>;
/** What the protocol of a page has beside {@link CommonMessage}. */
export type OwnMessage<In extends { type: string }> = Exclude<In, CommonMessage>;

export type Answer = { result: unknown } | { error: string };

export interface PageHostOptions<In extends { type: string }, Out> extends Pick<
  PageQueueOptions<Out>,
  'ofResource' | 'saysAll' | 'isSaidOnce'
> {
  /** What the page is called in the log. */
  name: string;
  shell: PageShell;
  focus: FocusHandle;
  /** Undefined: the protocol of the page has no such message. */
  parse(value: unknown): In | undefined;
  /** The page takes messages, maybe after it was loaded again. Everything is to be sent. */
  onReady(): void;
  /** The user is shown why it failed. */
  handle(message: OwnMessage<In>): Promise<void>;
  /** What the protocol does not have. It is logged. */
  refuse?(value: unknown): Promise<void>;
}

export class PageHost<In extends { type: string }, Out extends { readonly type: string }> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #queue: PageQueue<Out>;
  #isReady = false;
  /** The page has said that it is there. */
  #isThere = false;
  /** Messages to send when the page is ready. */
  #onceReady: Out[] = [];
  /** Requests that are being answered, and what lets the next one begin. */
  #requests = 0;
  readonly #waiting: (() => void)[] = [];
  #refusals = 0;

  constructor(
    port: PagePort<Out>,
    private readonly options: PageHostOptions<In, Out>,
  ) {
    const { name, shell, parse, refuse, ofResource, saysAll, isSaidOnce } = options;
    this.#queue = this.#store.add(
      new PageQueue<Out>({
        ...{ ofResource, saysAll, isSaidOnce },
        post: (messages) => port.post(messages),
        onError: (error) => shell.logger.error(`${name}, posting to it: ${englishOf(error)}`),
      }),
    );
    const handle = (message: In) => this.#handle(message);
    this.#store.add(onPageMessage(port, { name, shell, parse, handle, ...(refuse && { refuse }) }));
  }

  /**
   * The page is being loaded by a shell that keeps messages until it listens: it is told everything before it asks, which saves it the way there and
   * back. Should they not reach it, it says so. Returns what it is told.
   */
  begin(): readonly Out[] {
    this.#isReady = true;
    this.options.onReady();
    return this.#queue.waiting;
  }

  /** The page takes messages. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** For what the page is told anyway when it is ready: nothing is sent before. */
  send(message: Out): void {
    if (this.#isReady) this.#queue.send(message);
  }

  /** As soon as the page is there. */
  tell(message: Out): void {
    if (this.#isThere) this.#queue.send(message);
    else this.#onceReady.push(message);
  }

  /**
   * Answers what the page has asked for, so many requests at a time: a long card asks for much at once. An answer that the page does not take counts
   * too.
   */
  async respond(answer: () => Promise<unknown>, wrap: (response: Answer) => Out): Promise<void> {
    if (this.#requests < MAX_REQUESTS) this.#requests++;
    else if (this.#waiting.length >= MAX_WAITING_REQUESTS) return this.#refuse(wrap({ error: TOO_MANY }));
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const settled = () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#requests--;
    };
    try {
      this.#queue.respond(wrap({ result: await answer() }), settled);
    } catch (error) {
      this.#queue.respond(wrap({ error: messageOf(error) }), settled);
    }
  }

  /** A page that takes nothing and asks for more has its questions run out of time in the end. */
  #refuse(answer: Out): void {
    if (this.#refusals >= MAX_REFUSALS) return;
    if (++this.#refusals === MAX_REFUSALS) {
      const { name, shell } = this.options;
      shell.logger.warn(`${name} takes no answers, so of what it asks now no more is answered`);
    }
    this.#queue.respond(answer, () => this.#refusals--);
  }

  /** Before the page is told everything again. */
  clear(): void {
    this.#queue.clear();
  }

  dispose(): void {
    this.#isReady = false;
    this.#waiting.length = 0;
    this.#store.dispose();
  }

  async #handle(message: In): Promise<void> {
    if (!isCommon(message)) return this.options.handle(message as OwnMessage<In>);
    const { focus, shell, onReady } = this.options;
    switch (message.type) {
      case 'ready':
        this.#isThere = true;
        // A page that was loaded again reports its focus when it gets it.
        focus.report('none');
        if (!message.told || !this.#isReady) {
          this.#isReady = true;
          onReady();
        }
        for (const waiting of this.#onceReady.splice(0)) this.#queue.send(waiting);
        return;
      case 'focus':
        focus.report(message.place);
        return;
      case 'copy':
        await shell.copy(message.text);
        return;
      case 'openExternal':
        await shell.openExternal(message.url);
        return;
    }
  }
}

function isCommon(message: { type: string }): message is CommonMessage {
  return ['ready', 'focus', 'copy', 'openExternal'].includes(message.type);
}
