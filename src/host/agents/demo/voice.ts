/** Writes the text of the demo agent into a turn, streamed and counted. */
import type { AgentToolCall, AgentTurn } from '../agent.ts';
import type { Pace } from './pace.ts';

export class Voice {
  #characters = 0;

  constructor(
    private readonly turn: Pick<AgentTurn, 'markdown' | 'reasoning'>,
    private readonly pace: Pace,
  ) {}

  /** Characters that count as written by a model: text, reasoning and the input of tools. */
  get characters(): number {
    return this.#characters;
  }

  /** A paragraph or more of Markdown. */
  async say(markdown: string): Promise<void> {
    await this.#stream(`${markdown}\n\n`, (piece) => this.turn.markdown(piece));
  }
  async think(text: string): Promise<void> {
    await this.#stream(`${text}\n`, (piece) => this.turn.reasoning(piece));
  }
  /** The input of a tool, as a model writes it. */
  async writeInput(call: AgentToolCall, input: string): Promise<void> {
    await this.#stream(input, (piece) => call.inputDelta(piece));
  }

  async #stream(text: string, give: (piece: string) => void): Promise<void> {
    this.#characters += text.length;
    await this.pace.stream(text, give);
  }
}
