/** What the page “Control Tower” is told, and what comes of what the user does in it. */
import { englishOf, messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { SpanPlace } from '../../views/traces/towerQuestion.ts';
import {
  type AskedSession,
  parseTowerMessage,
  type TowerMessage,
  type TowerPageMessage,
  type TowerShellMessage,
} from '../../webviews/controlTower/protocol.ts';
import { onPageMessage } from '../pageMessages.ts';
import type { PagePort, PageShell } from '../pagePort.ts';
import { answerEmitters, type EmittersOfSessions } from './sessionEmitters.ts';
import { NewestSpans } from './newestSpans.ts';
import { answerTower, type SessionTraces, type TracesOfSessions } from './sessionTraces.ts';

/** Whose spans are kept for the next question. A page can name any. */
const MAX_SESSIONS = 50;

export interface TowerServices extends Pick<PageShell, 'logger' | 'showError'> {
  /** The sessions of this shell, and what else the gateway watches. */
  shown(): Omit<TowerMessage, 'type'>;
  readonly onDidChange: Event<unknown>;
  readonly emitters: Pick<EmittersOfSessions, 'of'>;
  readonly traces: TracesOfSessions;
  openSession(session: SessionRef): void;
  /** Shows the turn or the call in the page of its session. */
  openPlace(session: SessionRef, place: SpanPlace): Promise<unknown>;
  openTraceSettings(): Promise<unknown>;
  watch(session: SessionRef | undefined): Promise<unknown>;
}

export class ControlTowerPage implements Disposable {
  readonly #store = new DisposableStore();
  #isReady = false;
  #sent: TowerMessage | undefined;
  /** By the ids of sessions, the one that was asked about last at the end. */
  readonly #spans = new Map<string, NewestSpans>();

  constructor(
    private readonly port: PagePort<TowerShellMessage>,
    private readonly services: TowerServices,
  ) {
    const handle = (message: TowerPageMessage) => this.#handle(message);
    // eslint-disable-next-line texts/translated -- for the log
    this.#store.add(onPageMessage(port, { name: 'The control tower', shell: services, parse: parseTowerMessage, handle }));
    this.#store.add(services.onDidChange(() => this.#tell()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #handle(message: TowerPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#sent = undefined;
        return this.#tell();
      case 'openSession':
        return this.services.openSession(message.session);
      case 'watch':
        await this.services.watch(message.session);
        return;
      case 'openPlace': {
        const { turn, call } = message.place;
        await this.services.openPlace(message.session, { turn, ...(call !== undefined && { call }) });
        return;
      }
      case 'openTraceSettings':
        await this.services.openTraceSettings();
        return;
      case 'request':
        return this.#answer(message.id, async () => answerEmitters(await this.services.emitters.of(message.session), message.request));
      case 'ask':
        return this.#answer(message.id, async () => {
          const traces = await this.#tracesOf(message.session);
          return answerTower(traces, message.question, this.#spansOf(traces));
        });
    }
  }

  async #tracesOf(session: AskedSession): Promise<SessionTraces> {
    const { traces } = this.services;
    return 'atGateway' in session ? traces.elsewhere(session.atGateway) : traces.of(session);
  }

  #spansOf({ sessionId }: SessionTraces): NewestSpans {
    const spans = this.#spans.get(sessionId) ?? new NewestSpans();
    this.#spans.delete(sessionId);
    this.#spans.set(sessionId, spans);
    const [oldest] = this.#spans.keys();
    if (oldest !== undefined && this.#spans.size > MAX_SESSIONS) this.#spans.delete(oldest);
    return spans;
  }

  async #answer(id: number, work: () => Promise<unknown>): Promise<void> {
    try {
      this.#post({ type: 'answer', id, result: await work() });
    } catch (error) {
      this.#post({ type: 'answer', id, error: messageOf(error) });
    }
  }

  #tell(): void {
    if (!this.#isReady) return;
    const message: TowerMessage = { type: 'sessions', ...this.services.shown() };
    if (sameJson(message, this.#sent)) return;
    this.#sent = message;
    this.#post(message);
  }

  #post(message: TowerShellMessage): void {
    Promise.resolve(this.port.post([message])).catch((error: unknown) =>
      this.services.logger.error(`The control tower, posting to it: ${englishOf(error)}`),
    );
  }
}
