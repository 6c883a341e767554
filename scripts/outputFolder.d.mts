/** Files of a folder that others read while it is written. Paths are absolute. */
export class OutputFolder {
  constructor(path: string);
  readonly path: string;
  put(file: string, data: string | Uint8Array, mode?: number): void;
  copy(from: string, to: string): void;
  keep(folder: string): void;
  removeOthers(): void;
}
