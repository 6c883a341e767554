import type { AgentTurn } from '../../agent.ts';

/** What people should know besides the model's words: said in the turn in progress, otherwise at the beginning of the next one. */
export class Remarks {
  #turn: AgentTurn | undefined;
  #waiting = '';

  begin(turn: AgentTurn): void {
    this.#turn = turn;
    turn.markdown(this.#waiting);
    this.#waiting = '';
  }
  end(): void {
    this.#turn = undefined;
  }

  /** `text`: a sentence or more of Markdown, on one line. */
  add(text: string): void {
    if (this.#turn) this.#turn.markdown(`\n\n*${text}*\n\n`);
    else this.#waiting += `*${text}*\n\n`;
  }
}
