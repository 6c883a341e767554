/**
 * Writes an output to a terminal as fast as that takes it. What comes while it writes is written together afterwards, and of a flood only the end that is
 * kept. Pieces are so small that the terminal can pause between them, because it does not within one.
 */
import { addedText, type TerminalText } from '../../../../views/session/toolCall/terminalText.ts';

/** Characters. */
const PIECE = 64 * 1024;
/** Full reset, in line with what is still to be written. */
const RESET = '\u001bc';

export interface Screen {
  /** `done` is called once it shows the text, later. */
  write(text: string, done?: () => void): void;
}

export class PacedWrites {
  #written: TerminalText = { text: '', end: 0 };
  #newest = this.#written;
  #isWriting = false;

  /** `onShown`: the screen shows all that it was given. */
  constructor(
    private readonly screen: Screen,
    private readonly onShown: () => void,
  ) {}

  show(output: TerminalText): void {
    this.#newest = output;
    if (!this.#isWriting) this.#write();
  }

  #write(): void {
    const added = addedText(this.#written, this.#newest);
    const text = added ?? RESET + this.#newest.text;
    this.#written = this.#newest;
    this.#isWriting = true;
    let from = 0;
    for (; text.length - from > PIECE; from += PIECE) this.screen.write(text.slice(from, from + PIECE));
    this.screen.write(text.slice(from), () => {
      this.#isWriting = false;
      this.onShown();
      if (this.#newest !== this.#written) this.#write();
    });
  }
}
