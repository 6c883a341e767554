/**
 * Tools of paired providers, which are mostly web pages, are off until the user has allowed them: once a session, and again when a tool
 * changes. They are not offered to a client that cannot ask, unless the user has chosen `--allow-paired`. MCP's question is one message, so a
 * tool that does not fit into it whole cannot be allowed.
 */
import { definitionText } from '../../tap/owner/offeredTool.ts';
import { toolQuestion } from '../../tap/owner/toolQuestion.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';

/** In characters. Clients show a question as one message, and a terminal has no room for more. */
const QUESTION_LENGTH = 6_000;
const MEANS =
  'It can then be used in this session: the provider gets the arguments of each call, and the model reads its description and its answers.';

export type Answer = 'accept' | 'decline' | 'cancel';

/** `asks`: the first call asks the user. `tooLong`: what it says of itself could not be shown whole in a question. */
export type PairedState = 'allowed' | 'asks' | 'tooLong';

export interface PairedToolsOptions {
  /** Whether the client can ask its user. */
  canAsk: boolean;
  /** Every tool is allowed without a question. */
  allowAll: boolean;
  /** The user has allowed a tool. */
  onAllowed(): void;
}

export class PairedTools {
  readonly #allowed = new Set<string>();
  readonly #declined = new Set<string>();
  /** Provider and name of the tools that were allowed once, whatever they looked like then. */
  readonly #seen = new Set<string>();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(private readonly options: PairedToolsOptions) {}

  isOffered({ trust }: OfferedTool): boolean {
    return trust !== 'external' || this.options.allowAll || this.options.canAsk;
  }

  /** Whether the tool is allowed with this description and these parameters. */
  isAllowed(tool: OfferedTool): boolean {
    return tool.trust !== 'external' || this.options.allowAll || this.#allowed.has(formOf(tool));
  }

  stateOf(tool: OfferedTool): PairedState {
    if (this.isAllowed(tool)) return 'allowed';
    return questionAbout(tool, this.#wasAllowed(tool)) === undefined ? 'tooLong' : 'asks';
  }

  /** Asks the user if need be. Calls that come meanwhile wait for the same answer. Rejects like `ask`. */
  async allow(tool: OfferedTool, ask: (question: string) => Promise<Answer>): Promise<boolean> {
    if (this.isAllowed(tool)) return true;
    const form = formOf(tool);
    const question = questionAbout(tool, this.#wasAllowed(tool));
    if (!this.options.canAsk || this.#declined.has(form) || question === undefined) return false;
    const asking = this.#asking.get(form) ?? this.#ask(tool, form, () => ask(question));
    this.#asking.set(form, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(form);
    }
  }

  async #ask(tool: OfferedTool, form: string, ask: () => Promise<Answer>): Promise<boolean> {
    const answer = await ask();
    if (answer === 'decline') this.#declined.add(form);
    if (answer !== 'accept') return false;
    this.#allowed.add(form);
    this.#seen.add(keyOf(tool));
    this.options.onAllowed();
    return true;
  }

  #wasAllowed(tool: OfferedTool): boolean {
    return this.#seen.has(keyOf(tool));
  }
}

function keyOf({ provider, origin, name }: OfferedTool): string {
  return JSON.stringify([provider, origin, name]);
}

/** A tool with another description or other parameters, or of a page of another origin, counts as another tool. */
function formOf(tool: OfferedTool): string {
  return JSON.stringify([tool.provider, tool.origin, tool.name, definitionText(tool)]);
}

/** Undefined where it would be too long. */
function questionAbout(tool: OfferedTool, hasChanged: boolean): string | undefined {
  // The question is longer than this. So nothing is made of megabytes.
  if (definitionText(tool).length > QUESTION_LENGTH) return undefined;
  const { title, facts } = toolQuestion(tool, hasChanged);
  const question = `${title} ${MEANS}\n\n${facts.join('\n')}`;
  return question.length > QUESTION_LENGTH ? undefined : question;
}
