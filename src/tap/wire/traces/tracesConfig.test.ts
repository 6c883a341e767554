import assert from 'node:assert/strict';
import { endpointProblem, fileProblem, isTracing, shownEndpoint, spansUrl } from './tracesConfig.ts';
import { tracesSchema } from './tracesSchema.ts';

describe('where traces go', () => {
  it('is an address of HTTP without a name or password', () => {
    for (const right of ['http://localhost:4318', 'https://otel.example/v1/traces', 'https://otel.example/x?key=1', 'http://[::1]:4318/'])
      assert.equal(endpointProblem(right), undefined, right);
    for (const wrong of [
      '',
      'localhost:4318',
      'ftp://x/',
      'javascript:1',
      'http://me:secret@x/',
      'https://x/#y',
      `http://x/${'y'.repeat(5000)}`,
    ])
      assert.ok(endpointProblem(wrong), wrong.slice(0, 40));
  });

  it('gets the path of OTLP where it has none', () => {
    assert.equal(spansUrl('http://localhost:4318'), 'http://localhost:4318/v1/traces');
    assert.equal(spansUrl('https://otel.example/otlp/v1/traces?key=1'), 'https://otel.example/otlp/v1/traces?key=1');
  });

  it('is shown without what may be a key', () => {
    assert.equal(shownEndpoint('https://otel.example/v1/traces?key=secret'), 'https://otel.example/v1/traces');
  });

  it('may be a file by its absolute path', () => {
    for (const right of ['/tmp/traces.jsonl', 'C:\\traces.jsonl', 'c:/traces.jsonl', '\\\\server\\traces.jsonl'])
      assert.equal(fileProblem(right), undefined, right);
    for (const wrong of ['', 'traces.jsonl', '~/traces.jsonl', `/${'x'.repeat(5000)}`]) assert.ok(fileProblem(wrong), wrong.slice(0, 40));
  });

  it('is wanted where one of the settings says so', () => {
    const from = (given: object) => isTracing(tracesSchema.parse(given));
    assert.deepEqual([{}, { content: true }, { enabled: true }, { endpoint: 'http://x' }, { file: '/x' }].map(from), [
      false,
      false,
      true,
      true,
      true,
    ]);
    assert.ok(tracesSchema.safeParse({ endpoint: 'x' }).error);
    assert.ok(tracesSchema.safeParse({ file: 'x' }).error);
  });
});
