import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Diagnosed, diagnosticsText, withoutPrivate } from './diagnosticsText.ts';

const diagnosed: Diagnosed = {
  versions: { Tapline: '0.2.0', 'VS Code': '1.106.0' },
  hosts: [
    { kind: 'embedded', dialect: { name: 'channels', version: '0.9.0' }, state: 'connected', problem: undefined, sessions: 2 },
    { kind: 'configured', dialect: undefined, state: 'not connected', problem: 'Connection refused', sessions: 0 },
  ],
  gateway: 'runs',
  counts: { providers: 3 },
  problems: [{ at: 0, text: 'Cannot read /home/ada/.tapline/host.log' }],
};
const secret = fc.stringMatching(/^[A-Za-z0-9_-]{32,60}$/).filter((text) => /\d/.test(text) && /[A-Za-z]/.test(text));

describe('diagnostics', () => {
  it('say what runs, how, and what went wrong last', () => {
    assert.equal(
      diagnosticsText(diagnosed, '/home/ada'),
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
- 1970-01-01T00:00:00.000Z Cannot read ~/.tapline/host.log
`,
    );
  });

  it('hold no token, wherever a text has one', () => {
    const places = [
      (token: string) => `ws://127.0.0.1:80/?tkn=${token} is gone`,
      (token: string) => `Authorization: Bearer ${token}`,
      (token: string) => `https://ada:${token}@example.com/`,
      (token: string) => `{"token":"${token}"}`,
      (token: string) => token,
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), (token, place) => {
        const text = diagnosticsText({ ...diagnosed, gateway: place(token), problems: [{ at: 0, text: place(token) }] }, '/home/ada');
        assert.ok(!text.includes(token), text);
      }),
    );
    assert.equal(withoutPrivate('api key: hunter22', '/home/ada'), 'api key: …');
    assert.equal(
      withoutPrivate('No token was given, tkn=abc, Authorization: Basic abc, "apiKey": "abc"', '/home/ada'),
      'No token was given, tkn=…, Authorization: Basic …, "apiKey": "…"',
    );
    assert.equal(withoutPrivate('own-abcdefghij and ghp_abcdefghij', '/home/ada'), '… and …');
  });

  it('leave what is no secret as it is', () => {
    const text = 'The gateway at 127.0.0.1:4321 has ended (exit code 1) in /srv/projects/web-application/node_modules/esbuild';
    assert.equal(withoutPrivate(text, '/home/ada'), text);
  });

  it('name the home folder by a tilde only, also on Windows', () => {
    assert.equal(withoutPrivate(String.raw`C:\Users\Ada\x and C:/Users/Ada/y`, String.raw`C:\Users\Ada`), String.raw`~\x and ~/y`);
    assert.equal(withoutPrivate('/a/b', '/'), '/a/b');
  });

  it('are short, whatever they are told', () => {
    const long = 'x '.repeat(100_000);
    const hosts = Array.from({ length: 1000 }, () => ({ ...diagnosed.hosts[0]!, problem: long }));
    const text = diagnosticsText({ ...diagnosed, hosts, gateway: long }, '/home/ada');
    assert.ok(text.length <= 20_000);
    assert.match(text, /^- 980 more$/m);
  });
});
