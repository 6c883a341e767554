/** A client of our host that says what may run, without a gateway. */
import type { AgentHostClient, AgentHostClientOptions } from '../../../src/ahp/client/agentHostClient.ts';
import { type HookAnswers, HookServer } from '../../../src/ahp/client/hookServer.ts';
import { hooksMeta, type HookParams, type HookResult } from '../../../src/ahp/hookRequests.ts';
import { DemoConversation } from './demoHarness.ts';

export type Question = HookParams<'tapline/evaluateHooks'>;
export type Answer = HookResult<'tapline/evaluateHooks'>;
export const allow: Answer = { decision: 'allow' };
export const deny = (reason: string): Answer => ({ decision: 'deny', reason });
export const never = () => new Promise<never>(() => undefined);
const noSections = { sections: [], context: [], startup: [] };

/** A client that answers what the host asks about its session. */
export class Guard {
  readonly asked: Question[] = [];
  answer: (question: Question) => Answer | Promise<Answer> = () => allow;
  sections: HookAnswers['tapline/sections'] = async () => noSections;
  readonly #hooks = new HookServer();
  client!: AgentHostClient;

  async connect(
    host: { connect(options: Partial<AgentHostClientOptions>): Promise<AgentHostClient> },
    options: Partial<AgentHostClientOptions> = {},
  ): Promise<this> {
    this.client = await host.connect({ meta: hooksMeta, onHostRequest: this.#hooks.answer, ...options });
    return this;
  }
  /** Over version 1. */
  async guard(session: string, tools: string[] = []): Promise<DemoConversation> {
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
