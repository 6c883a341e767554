import type { RuntimeValues } from '../prompts/runtimeValues.ts';
import { isDenial, type PersonAnswer } from '../runs/personAnswer.ts';
import type { StartedTool } from './portalSession.ts';

/** An argument becomes part of prompts. */
const MAX_ARGUMENT_LENGTH = 100_000;
const MAX_PATH_LENGTH = 4_096;

export interface Answer {
  holds: boolean;
  reason: string;
}

/** The path of the document that the call reports. Undefined: it reports none. */
export function reportedDocument({ name, argument }: StartedTool): string | undefined {
  if (name !== 'job_prepare_document' || typeof argument !== 'string') return undefined;
  const path = firstLine(argument.slice(0, MAX_PATH_LENGTH));
  return path === '' ? undefined : path;
}

function firstLine(text: string): string {
  return (text.split(/\r\n|[\r\n]/, 1)[0] ?? '').trim();
}

/** What the tools said while one prompt was answered. */
export class Round {
  readonly #values: RuntimeValues;
  readonly #tools = new Set<string>();
  readonly #refused = new Map<string, string>();
  #answer: Answer | undefined;
  /** Which limit has ended the round: then it has failed, whatever its tools have said. */
  overLimit: string | undefined;

  constructor(values: RuntimeValues) {
    this.#values = values;
  }

  /** Undefined when no boolean tool was called; otherwise what the last one said. */
  get answer(): Answer | undefined {
    return this.overLimit === undefined ? this.#answer : undefined;
  }

  wasCalled(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Who has refused a call of the tool, or that the model gets its result: in words. */
  refuserOf(tool: string): string | undefined {
    return this.#refused.get(tool);
  }

  noteAnswer(answer: PersonAnswer): void {
    if (answer.tool !== undefined && isDenial(answer)) this.#refused.set(answer.tool, answer.by);
  }

  /** A job tool without a text as its argument is refused by the host, so it does not count here. */
  readonly toolStarted = ({ name, argument }: StartedTool): void => {
    if (typeof argument !== 'string') return;
    const text = argument.slice(0, MAX_ARGUMENT_LENGTH);
    this.#tools.add(name);
    switch (name) {
      case 'job_prepare_document':
        this.#values.set('reported-document', firstLine(text));
        break;
      case 'job_boolean_true':
        this.#answer = { holds: true, reason: text };
        this.#values.set('reported-true-reason', text);
        this.#values.delete('reported-false-reason');
        break;
      case 'job_boolean_false':
        this.#answer = { holds: false, reason: text };
        this.#values.set('reported-false-reason', text);
        this.#values.delete('reported-true-reason');
        break;
    }
  };
}
