import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { OtlpFile } from './otlpFile.ts';

describe('a file of spans', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-spans-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const spans = (...names: string[]) => {
    const memory = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] }).getTracer('x');
    for (const name of names) tracer.startSpan(name).end();
    return memory.getFinishedSpans();
  };
  const namesIn = (path: string) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name));

  it('has a line of OTLP JSON for each batch, for its user alone', async () => {
    const path = join(folder, 'traces.jsonl');
    await new OtlpFile(path).send(spans('a', 'b'));
    await new OtlpFile(path).send(spans('c'));
    assert.deepEqual(namesIn(path), [['a', 'b'], ['c']]);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('makes room when it is full, and keeps the one before', async () => {
    const path = join(folder, 'traces.jsonl');
    const file = new OtlpFile(path, 10);
    for (const name of ['a', 'b', 'c']) await file.send(spans(name));
    assert.deepEqual([namesIn(path), namesIn(`${path}.1`)], [[['c']], [['b']]]);
    assert.equal(readdirSync(folder).length, 2);
  });

  it('says when it cannot be written', async () => {
    await assert.rejects(new OtlpFile(join(folder, 'no', 'such')).send(spans('a')), /ENOENT/);
  });
});
