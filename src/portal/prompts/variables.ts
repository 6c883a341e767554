/** Variables in prompts: `$` and letters, then any number of `-letters`, read greedily. */
const variable = /\$(\p{L}+(?:-\p{L}+)*)/gu;

/** Set while a task runs. All others are prompt variables of the entry and are gone once the entry is validated. */
export const runtimeVariables = ['user-input', 'task-model', 'reported-document', 'reported-true-reason', 'reported-false-reason'] as const;
export type RuntimeVariable = (typeof runtimeVariables)[number];

export function isRuntimeVariable(name: string): name is RuntimeVariable {
  return (runtimeVariables as readonly string[]).includes(name);
}

/** The names of all variables in the text, in order, without `$`. */
export function variablesIn(text: string): string[] {
  return Array.from(text.matchAll(variable), ([, name]) => name as string);
}

/** Replaces each variable by what `valueOf` returns for its name. What is put in is not read again. */
export function replaceVariables(text: string, valueOf: (name: string) => string): string {
  return text.replace(variable, (_, name: string) => valueOf(name));
}
