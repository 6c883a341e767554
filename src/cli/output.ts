/** What a command writes. Results go to stdout, everything else to stderr. */
export interface Output {
  isJson: boolean;
  /** One line, or several. */
  out(text: string): void;
  /** One line. */
  json(value: unknown): void;
  note(text: string): void;
}

export function processOutput(isJson: boolean): Output {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  return { isJson, out, json: (value) => out(JSON.stringify(value)), note: (text) => void process.stderr.write(`${text}\n`) };
}
