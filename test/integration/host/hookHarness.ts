/** A client of our host that says what may run, without a gateway. */
import { type HookAnswers, HookServer } from '../../../src/ahp/client/hookServer.ts';
import { hooksMeta } from '../../../src/ahp/hookRequests.ts';
import type { HookParams, HookResult } from '../../../src/ahp/schemas/hookSchemas.ts';
import type { V1Client, V1ClientOptions } from '../../support/v1Client.ts';
import { DemoConversation } from './demoHarness.ts';

export type Question = HookParams<'tapline/evaluateHooks'>;
export type Answer = HookResult<'tapline/evaluateHooks'>;
export const allow: Answer = { decision: 'allow' };
export const deny = (reason: string): Answer => ({ decision: 'deny', reason });
export const never = () => new Promise<never>(() => undefined);
const noSections = { sections: [], context: [], startup: [] };

/** The options of a client that the host asks. */
type ClientOptions = Required<Pick<V1ClientOptions, 'meta' | 'onHostRequest'>>;

/** A client that answers what the host asks about its session. */
export class Guard<C extends { clientId: string; close(): void } = V1Client> {
  readonly asked: Question[] = [];
  answer: (question: Question) => Answer | Promise<Answer> = () => allow;
  sections: HookAnswers['tapline/sections'] = async () => noSections;
  readonly #hooks = new HookServer();
  client!: C;

  async connect(
    host: { connect(options: ClientOptions): Promise<C> },
    options: Partial<ClientOptions> & { clientId?: string } = {},
  ): Promise<this> {
    this.client = await host.connect({ meta: hooksMeta, onHostRequest: this.#hooks.answer, ...options });
    return this;
  }
  /** Over AHP v1. */
  async guard(this: Guard, session: string, tools: string[] = []): Promise<DemoConversation> {
    this.answerFor(session);
    const chat = new DemoConversation(this.client, session);
    await chat.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    const activeClient = { clientId: this.client.clientId, tools: tools.map((name) => ({ name })) };
    await chat.dispatch({ type: 'session/activeClientChanged', activeClient });
    return chat;
  }
  answerFor(session: string): void {
    this.#hooks.add(session, {
      'tapline/evaluateHooks': async (question) => {
        this.asked.push(question);
        return this.answer(question);
      },
      'tapline/sections': (params) => this.sections(params),
    });
  }
}
