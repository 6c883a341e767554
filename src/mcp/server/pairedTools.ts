/**
 * Tools of paired providers, which are mostly web pages, are off until the user has allowed them: once a session, and again when a tool
 * changes. They are not offered to a client that cannot ask, unless the user has chosen `--allow-paired`.
 */
import { definitionText } from '../../tap/owner/offeredTool.ts';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';

const DESCRIPTION_LENGTH = 500;
const ORIGIN_LENGTH = 200;
const PARAMETERS_LENGTH = 200;

export type Answer = 'accept' | 'decline' | 'cancel';

export interface PairedToolsOptions {
  /** Whether the client can ask its user. */
  canAsk: boolean;
  /** Every tool is allowed without a question. */
  allowAll: boolean;
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

  /** Asks the user if need be. Calls that come meanwhile wait for the same answer. Rejects like `ask`. */
  async allow(tool: OfferedTool, ask: (question: string) => Promise<Answer>): Promise<boolean> {
    if (this.isAllowed(tool)) return true;
    const form = formOf(tool);
    if (!this.options.canAsk || this.#declined.has(form)) return false;
    const asking = this.#asking.get(form) ?? this.#ask(tool, form, ask);
    this.#asking.set(form, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(form);
    }
  }

  async #ask(tool: OfferedTool, form: string, ask: (question: string) => Promise<Answer>): Promise<boolean> {
    const key = JSON.stringify([tool.provider, tool.origin, tool.name]);
    const answer = await ask(question(tool, this.#seen.has(key)));
    if (answer === 'decline') this.#declined.add(form);
    if (answer !== 'accept') return false;
    this.#allowed.add(form);
    this.#seen.add(key);
    return true;
  }
}

function question({ provider, origin, name, description, parameters }: OfferedTool, hasChanged: boolean): string {
  const what = cut(description, DESCRIPTION_LENGTH);
  const page = origin === undefined ? 'a program' : `the page ${JSON.stringify(cut(origin, ORIGIN_LENGTH))}`;
  const change = hasChanged ? ' This tool has changed since you allowed it.' : '';
  return (
    `Allow the tool “${name}” of the paired provider “${provider}” (${page}) in this session?${change} The provider gets the arguments of each call, ` +
    `and the model reads its answers.\n\nThe provider describes the tool as: ${what || '(nothing)'}\n\nIt takes: ${cut(JSON.stringify(parameters), PARAMETERS_LENGTH)}`
  );
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** A tool with another description or other parameters, or of a page of another origin, counts as another tool. */
function formOf(tool: OfferedTool): string {
  return JSON.stringify([tool.provider, tool.origin, tool.name, definitionText(tool)]);
}
