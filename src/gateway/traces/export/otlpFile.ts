/** A file to which spans are added as lines of OTLP JSON, as a collector reads them. */
import { appendFile, rename, stat } from 'node:fs/promises';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { SpanDestination } from './spanQueue.ts';

/** A larger one becomes `….1`, in place of the one before. */
const MAX_BYTES = 64 * 1024 * 1024;

export class OtlpFile implements SpanDestination {
  #bytes: number | undefined;

  constructor(
    readonly name: string,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  async send(spans: readonly ReadableSpan[]): Promise<void> {
    const line = JsonTraceSerializer.serializeRequest([...spans]);
    if (!line) throw new Error('the spans cannot be written as JSON');
    const before = this.#bytes ?? (await sizeOf(this.name));
    const isFull = before > 0 && before + line.length > this.maxBytes;
    if (isFull) await rename(this.name, `${this.name}.1`);
    await appendFile(this.name, Buffer.concat([line, Buffer.from('\n')]), { mode: 0o600 });
    this.#bytes = (isFull ? 0 : before) + line.length + 1;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
