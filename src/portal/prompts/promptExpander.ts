/** What is done to prompts once, when the entry is validated. */
import { WordedError } from '../../base/errors.ts';
import { type Phrase, phrase } from '../../base/text/phrase.ts';
import { isRuntimeVariable, replaceVariables, variablesIn } from './variables.ts';

/** A small entry can grow without end, because each variable may name others several times. */
export const MAX_PROMPT_LENGTH = 1_000_000;

/** What is wrong with a prompt. The caller knows where it stands. */
export class PromptFault extends WordedError {
  override readonly name = 'PromptFault';
}

interface Expanded {
  text: string;
  /** How many runtime variables were left in the text. */
  kept: number;
}

/** Substitutes prompt variables, recursively. Runtime variables stay. */
export class PromptExpander {
  readonly #variables: Readonly<Record<string, readonly string[]>>;
  readonly #known = new Map<string, Expanded>();

  constructor(variables: Readonly<Record<string, readonly string[]>>) {
    this.#variables = variables;
  }

  /** The whole prompt as one text. Throws a {@link PromptFault}. */
  expand(prompt: readonly string[]): string {
    const { text, kept } = this.#expand(prompt, []);
    if (text.trim() === '') throw new PromptFault(phrase`the prompt is empty`);
    // `$$a` may become `$user-input`, and `$a$b` may join two names. Nobody meant that, and the next validation would read it differently.
    const found = variablesIn(text);
    const joined = found.find((name) => !isRuntimeVariable(name));
    if (joined !== undefined || found.length !== kept)
      throw new PromptFault(
        phrase`substituting variables makes a new variable, ${joined === undefined ? found.map(shown).join(', ') : shown(joined)}`,
      );
    return text;
  }

  #expand(prompt: readonly string[], chain: readonly string[]): Expanded {
    let kept = 0;
    const text = replaceVariables(prompt.join('\n'), (name) => {
      if (isRuntimeVariable(name)) {
        kept++;
        return `$${name}`;
      }
      const value = this.#variable(name, chain);
      kept += value.kept;
      return value.text;
    });
    if (text.length > MAX_PROMPT_LENGTH)
      throw new PromptFault(within(phrase`the prompt is longer than ${MAX_PROMPT_LENGTH} characters`, chain));
    return { text, kept };
  }

  #variable(name: string, chain: readonly string[]): Expanded {
    const known = this.#known.get(name);
    if (known) return known;
    const start = chain.indexOf(name);
    if (start >= 0) throw new PromptFault(phrase`variables refer to each other in a circle: ${arrows([...chain.slice(start), name])}`);
    const value = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
    if (!value) throw new PromptFault(within(phrase`${shown(name)} is neither a prompt variable nor a runtime variable`, chain));
    if (value.length === 0) throw new PromptFault(within(phrase`${shown(name)} is empty`, chain));
    const expanded = this.#expand(value, [...chain, name]);
    this.#known.set(name, expanded);
    return expanded;
  }
}

function within(what: Phrase, chain: readonly string[]): Phrase {
  return chain.length > 0 ? phrase`${what} (in ${arrows(chain)})` : what;
}

function arrows(names: readonly string[]): string {
  return names.map(shown).join(' → ');
}

function shown(name: string): string {
  return `$${name}`;
}
