/**
 * Text that streams from the model. When a stream breaks, the engine asks again, and the whole answer comes again under another id. The
 * text that is shown already cannot be removed, so the new text is held back while it repeats that. An answer that differs is shown in full
 * after a remark.
 */
export class StreamedText {
  #id: string | undefined;
  #text = '';
  /** What the broken attempt has shown and the new one has not reached yet. */
  #toRepeat = '';
  #broken = false;

  constructor(
    private readonly show: (text: string) => void,
    private readonly remark: () => void,
  ) {}

  delta(id: string, text: string): void {
    if (id !== this.#id) this.#begin(id);
    this.#text += text;
    if (this.#toRepeat === '') this.show(text);
    else if (this.#text.startsWith(this.#toRepeat)) {
      const more = this.#text.slice(this.#toRepeat.length);
      this.#toRepeat = '';
      this.show(more);
    } else if (!this.#toRepeat.startsWith(this.#text)) this.#showAnew();
  }

  /** The text is complete. Shows what was not streamed. */
  complete(id: string, whole: string): void {
    if (id !== this.#id) this.#begin(id);
    if (whole.startsWith(this.#text) && whole.length > this.#text.length) this.delta(id, whole.slice(this.#text.length));
    // It is shorter than what the broken attempt has shown.
    if (this.#toRepeat !== '' && this.#toRepeat !== this.#text) this.#showAnew();
    this.#toRepeat = '';
    this.#broken = false;
  }

  /** The stream broke. Text under another id belongs to a new attempt. */
  break(): void {
    this.#broken = true;
  }

  #begin(id: string): void {
    if (this.#broken && this.#toRepeat === '') this.#toRepeat = this.#text;
    this.#broken = false;
    this.#id = id;
    this.#text = '';
  }

  #showAnew(): void {
    this.#toRepeat = '';
    this.remark();
    this.show(this.#text);
  }
}
