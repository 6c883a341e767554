import { isRuntimeVariable, replaceVariables, type RuntimeVariable } from './variables.ts';

const MISSING = '<MISSING>';

/** The runtime variables of one task. */
export class RuntimeValues {
  readonly #values = new Map<RuntimeVariable, string>();

  set(name: RuntimeVariable, value: string): void {
    this.#values.set(name, value);
  }

  delete(name: RuntimeVariable): void {
    this.#values.delete(name);
  }

  /** Puts the values into an expanded prompt. What a user or a model wrote is not expanded again. */
  substitute(text: string): string {
    return replaceVariables(text, (name) => (isRuntimeVariable(name) ? (this.#values.get(name) ?? MISSING) : `$${name}`));
  }
}
