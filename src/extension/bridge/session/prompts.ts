/** What providers add to the user's messages: context, startup context (once a session), sections, and context from rules about calls. */
import { type ContextPart, splitContext, withContext } from '../../../base/text/contextBlock.ts';
import { withTimeout } from '../../../base/errors.ts';
import { Time } from '../../../tap/wire/limits.ts';
import type { HookDecision, PromptParts } from '../../../tap/wire/owner/ownerMessages.ts';
import type { HostedSections } from '../hosted/hostedSession.ts';

/** Transforms are asked all at once, and each has its own time at the gateway. */
const EVALUATION_MS = Time.transformMs + 2_000;
/** Characters of all parts together, so that the user's own words stay the main part. */
const MAX_TOTAL = 200_000;
const MAX_FROM_HOOKS = 50;

export class Prompts {
  /** Startup context that was added already, by provider and content. */
  readonly #startupAdded = new Set<string>();
  #fromHooks: ContextPart[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** To be added to the user's next message. */
  addFromHook(context: HookDecision['context']): void {
    const parts = context.map(({ provider, content }): ContextPart => ({ kind: 'hook', provider, content }));
    this.#fromHooks = [...this.#fromHooks, ...parts].slice(-MAX_FROM_HOOKS);
  }

  /** For a host that puts them into the system message instead. */
  sections({ sections, context, startup }: PromptParts): HostedSections {
    const budget = { left: MAX_TOTAL };
    // A section that was cut would lose a part of the agent's own text. It is left as it is.
    const changed = sections.filter(({ parts }) => parts.length > 0 && parts.every(({ content }) => spend(content, budget)));
    const texts = (parts: PromptParts['context']) => parts.map(({ provider, content }) => ({ provider, content: cut(content, budget) }));
    return { sections: changed, startup: texts(startup), context: texts(context) };
  }

  /**
   * The message with a block in front of the words. One after another, so that messages keep their order. Never rejects: when the providers
   * cannot be asked, the words go without them, and `onProblem` gets the reason.
   */
  prepare(text: string, evaluate: () => Promise<PromptParts | undefined>, onProblem: (error: unknown) => void): Promise<string> {
    // A message that is sent again brings the block of the first time along. An event that began the turn stays one, and what the user attached stays.
    const { parts, words } = splitContext(text);
    const kept = parts.filter(({ kind }) => kind === 'push' || kind === 'item');
    const prepared = this.#last.then(async () => {
      try {
        // eslint-disable-next-line texts/translated -- also in the log, which is English
        const evaluated = await withTimeout(evaluate(), EVALUATION_MS, 'asking the providers about a message').catch(onProblem);
        return this.#write(kept, words, evaluated || undefined);
      } catch (error) {
        onProblem(error);
        return withContext(kept, words);
      }
    });
    this.#last = prepared;
    return prepared;
  }

  #write(kept: readonly ContextPart[], words: string, evaluated: PromptParts | undefined): string {
    const fromHooks = this.#fromHooks;
    this.#fromHooks = [];
    const parts: ContextPart[] = [...fromHooks];
    for (const { provider, content } of evaluated?.startup ?? []) {
      const key = JSON.stringify([provider, content]);
      if (this.#startupAdded.has(key)) continue;
      this.#startupAdded.add(key);
      parts.push({ kind: 'startup', provider, content });
    }
    for (const { section, content, parts: from } of evaluated?.sections ?? []) {
      const providers = [...new Set(from.map(({ provider }) => provider))];
      if (content !== '' && providers.length > 0) parts.push({ kind: 'section', provider: providers.join(', '), name: section, content });
    }
    for (const { provider, content } of evaluated?.context ?? []) parts.push({ kind: 'context', provider, content });
    return withContext([...kept, ...bounded(parts)], words);
  }
}

function bounded(parts: ContextPart[]): ContextPart[] {
  const budget = { left: MAX_TOTAL };
  return parts.flatMap((part) => {
    const content = cut(part.content, budget);
    return content === '' ? [] : [{ ...part, content }];
  });
}

function cut(content: string, budget: { left: number }): string {
  const text = content.slice(0, budget.left);
  budget.left -= text.length;
  return text;
}

/** False when there is no room for all of it. */
function spend({ length }: string, budget: { left: number }): boolean {
  if (length > budget.left) return false;
  budget.left -= length;
  return true;
}
