import type { AgentTurn } from '../../agent.ts';

/** Notices for the user besides the model's words. They are added to the turn in progress, otherwise to the beginning of the next one. */
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

  /** `text`: one or more sentences of Markdown, on one line. */
  add(text: string): void {
    if (this.#turn) this.#turn.markdown(`\n\n*${text}*\n\n`);
    else this.#waiting += `*${text}*\n\n`;
  }
}
