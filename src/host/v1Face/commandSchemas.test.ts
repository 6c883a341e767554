import assert from 'node:assert/strict';
import { malformed } from '../../../test/support/malformed.ts';
import { commandSchemas, type HostCommand } from './commandSchemas.ts';
import { problemOf } from '../checks/problem.ts';

const uri = 'file:///a';
const session = 'test:/1';
const transfer = { source: uri, destination: uri };
const configQuery = { provider: 'test', workingDirectory: uri, config: {} };

/** For each command: the parameters that it needs, and those that it may have. */
const samples: [method: HostCommand, required: Record<string, unknown>, optional?: Record<string, unknown>][] = [
  ['initialize', { protocolVersion: 1, clientId: 'me' }, { initialSubscriptions: ['a:b'], locale: 'en' }],
  ['reconnect', { clientId: 'me', lastSeenServerSeq: 1, subscriptions: ['a:b'] }],
  ['subscribe', { resource: session }],
  [
    'createSession',
    { session },
    {
      provider: 'test',
      model: { id: 'm', config: { effort: 'low' } },
      workingDirectory: uri,
      fork: { session, turnId: 't' },
      config: {},
      activeClient: { clientId: 'me', tools: [] },
    },
  ],
  ['disposeSession', { session }],
  [
    'createTerminal',
    { terminal: 'agenthost-terminal:/1', claim: { kind: 'client', clientId: 'me' } },
    { name: 'x', cwd: uri, cols: 80, rows: 24 },
  ],
  ['disposeTerminal', { terminal: 'agenthost-terminal:/1' }],
  ['listSessions', {}, { filter: {} }],
  ['resourceRead', { uri }, { encoding: 'utf-8' }],
  ['resourceWrite', { uri, data: 'x', encoding: 'utf-8' }, { contentType: 'text/plain', createOnly: true }],
  ['resourceList', { uri }],
  ['resourceCopy', transfer, { failIfExists: true }],
  ['resourceDelete', { uri }, { recursive: true }],
  ['resourceMove', transfer, { failIfExists: true }],
  ['fetchTurns', { session }, { before: 't', limit: 1 }],
  ['authenticate', { resource: 'https://api.example', token: 't' }],
  ['resolveSessionConfig', {}, configQuery],
  ['sessionConfigCompletions', { property: 'p' }, { ...configQuery, query: 'q' }],
  ['tapline/revokeGrants', { session, grants: [{ kind: 'command', text: 'npm test' }] }],
];

describe('the schemas of commands', () => {
  for (const [method, required, optional = {}] of samples) {
    it(`${method} is accepted when it fits, and every parameter that is missing or of the wrong type is named`, () => {
      const problem = (value: unknown) => problemOf(commandSchemas[method], value, 'params');
      const whole = { ...required, ...optional };
      assert.equal(problem(whole), undefined);
      assert.equal(problem(required), undefined);
      for (const { path, bad } of malformed(whole)) {
        const found = problem(bad) ?? 'accepted';
        assert.ok(found.startsWith(`params.${path} must be`), `${path}: ${found}`);
      }
      for (const key of Object.keys(required)) assert.equal(problem({ ...whole, [key]: undefined }), `params.${key} is missing`);
    });
  }

  it('are all tested here', () => {
    assert.deepEqual(samples.map(([method]) => method).sort(), Object.keys(commandSchemas).sort());
  });
});
