import assert from 'node:assert/strict';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { Row } from '../transcript/transcript.ts';
import { inRuns, runLabel } from './readRuns.ts';

let ids = 0;
type Completed = Extract<ToolCallState, { status: 'completed' }>;
const call = (fields: Partial<Completed> = {}): Extract<Row, { kind: 'toolCall' }> => {
  const id = `c${++ids}`;
  const base: Completed = {
    status: 'completed',
    toolCallId: id,
    toolName: 'view',
    displayName: 'Read',
    confirmed: 'not-needed',
    success: true,
    invocationMessage: 'Reading',
    pastTenseMessage: `Read ${id}`,
    toolInput: `{"path":"${id}.ts"}`,
    _meta: { toolKind: 'read' },
  };
  return { kind: 'toolCall', key: id, call: { ...base, ...fields } };
};
const words: Row = { kind: 'markdown', key: 'm', text: 'So far.' };
const sizes = (rows: readonly Row[], breaks: (at: number) => boolean = () => false) =>
  inRuns(rows, breaks).map((group) => `${group.at}:${group.kind === 'run' ? group.rows.length : group.row.kind}`);

describe('Reads in a row', () => {
  it('are one group, between what is something else', () => {
    assert.deepEqual(sizes([words, call(), call(), call(), words]), ['0:markdown', '1:3', '4:markdown']);
    assert.deepEqual(sizes([call(), call(), words, call()]), ['0:toolCall', '1:toolCall', '2:markdown', '3:toolCall']);
    assert.deepEqual(sizes([]), []);
  });

  it('end where a question or a report of a provider stands between them', () => {
    const rows = Array.from({ length: 6 }, () => call());
    assert.deepEqual(
      sizes(rows, (at) => at === 3),
      ['0:3', '3:3'],
    );
    assert.deepEqual(
      sizes(rows, (at) => at === 0),
      ['0:6'],
    );
  });

  const others: [string, Partial<Completed>][] = [
    ['failed', { success: false }],
    ['told of an error', { error: { message: 'Half of it was not there.' } }],
    ['was asked about', { confirmed: 'user-action' }],
    ['is allowed by a setting', { confirmed: 'setting' }],
    ['changed a file', { content: [{ type: 'fileEdit', after: { uri: 'file:///a', content: { uri: 'x:a' } } }] }],
    ['ran in a terminal', { content: [{ type: 'terminal', resource: 'x:t', title: 'Shell' }] }],
    ['began a subagent', { content: [{ type: 'subagent', resource: 'x:s', title: 'Sub' }] }],
    ['gave what is not known', { content: [{ type: 'film' as never }] }],
    ['is of a kind that does more', { _meta: { toolKind: 'terminal' } }],
    ['is of no kind and gave nothing', { _meta: {}, content: [] }],
    ['ended with a code', { structuredContent: { exitCode: 1 } }],
    ['was run by another client', { contributor: { kind: 'client', clientId: 'x' } }],
  ];
  for (const [what, fields] of others) {
    it(`never hide a call that ${what}`, () => {
      const group = sizes([call(), call(), call(), call(fields), call(), call(), call()]);
      assert.deepEqual(group, ['0:3', '3:toolCall', '4:3']);
    });
  }

  it('never hide a call that still runs', () => {
    const running = { ...call(), call: { ...call().call, status: 'running' } as ToolCallState };
    assert.deepEqual(sizes([call(), call(), call(), running]), ['0:3', '3:toolCall']);
  });

  it('are named by what the host says that they are', () => {
    const search = { _meta: { toolKind: 'search' } };
    const text: Partial<Completed> = { _meta: {}, content: [{ type: 'text', text: 'x' }] };
    assert.equal(runLabel([call(), call(), call()]), 'Read 3 files');
    assert.equal(runLabel([call({ toolInput: 'a' }), call({ toolInput: 'a' }), call()]), 'Read 3 times');
    assert.equal(runLabel([call(search), call(search), call(search)]), 'Searched 3 times');
    assert.equal(runLabel([call(), call(search), call()]), '3 reads and searches');
    assert.equal(runLabel([call(), call(), call(text)]), '3 calls without a question');
  });
});
