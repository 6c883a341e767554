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

  it('have the newest problems, the newest last, wherever they are from', () => {
    const times = [...Array.from({ length: 40 }, (_, at) => 1_000 * at), 15_500];
    const text = diagnosticsText({ ...diagnosed, problems: times.map((at) => ({ at, kind: 'error' })) });
    const shown = [...text.matchAll(/^- (\S+Z) error$/gm)].map(([, at]) => Date.parse(at!));
    assert.deepEqual(shown, times.toSorted((one, other) => one - other).slice(-30));
  });

  it('are short, whatever they are told', () => {
    const long = 'x '.repeat(100_000);
    const hosts = Array.from({ length: 1000 }, () => ({ ...diagnosed.hosts[0]!, problem: long }));
    const text = diagnosticsText({ ...diagnosed, hosts, gateway: long, problems: hosts.map(() => ({ at: 0, kind: long })) });
    assert.ok(text.length <= 20_000);
    assert.match(text, /^- 1970-01-01T00:00:00.000Z x/m);
    assert.match(text, /^- 980 more$/m);
  });
});
