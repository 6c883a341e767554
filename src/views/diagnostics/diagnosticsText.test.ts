import assert from 'node:assert/strict';
import { type Diagnosed, diagnosticsText, programWord } from './diagnosticsText.ts';

const diagnosed: Diagnosed = {
  versions: { Tapline: '0.2.0', 'VS Code': '1.106.0' },
  hosts: [
    { kind: 'embedded', dialect: { name: 'channels', version: '0.9.0' }, state: 'connected', problem: undefined, sessions: 2 },
    { kind: 'configured', dialect: undefined, state: 'not connected', problem: 'Connection refused', sessions: 0 },
  ],
  gateway: 'runs',
  counts: { providers: 3 },
  problems: [{ at: 0, kind: 'archiveSession: UserError' }],
};

describe('diagnostics', () => {
  it('say what runs, how, and what went wrong last', () => {
    assert.equal(
      diagnosticsText(diagnosed),
      `### Versions
- Tapline: 0.2.0
- VS Code: 1.106.0

### Agent hosts
- embedded · channels 0.9.0 · connected · 2 sessions
- configured · no dialect yet · not connected · Connection refused · 0 sessions

### Gateway
- runs

### Counts
- providers: 3

### Last problems
- 1970-01-01T00:00:00.000Z archiveSession: UserError
`,
    );
  });

  it('take no text for a version or a code', () => {
    assert.deepEqual(['1.0.0-beta+1', 'TOOL_CONFLICT', 'Sell the house', '', 'x'.repeat(41)].map(programWord), [
      '1.0.0-beta+1',
      'TOOL_CONFLICT',
      ...['unknown', 'unknown', 'unknown'],
    ]);
  });

  it('are short, whatever they are told', () => {
    const long = 'x '.repeat(100_000);
    const hosts = Array.from({ length: 1000 }, () => ({ ...diagnosed.hosts[0]!, problem: long }));
    const text = diagnosticsText({ ...diagnosed, hosts, gateway: long });
    assert.ok(text.length <= 20_000);
    assert.match(text, /^- 980 more$/m);
  });
});
