import assert from 'node:assert/strict';
import { malformed } from '../../../test/support/malformed.ts';
import type { Command } from '../../ahp/v1/commands.ts';
import { commandShapes } from './commandShapes.ts';

const uri = 'file:///a';
const session = 'test:/1';
const transfer = { source: uri, destination: uri };
const configQuery = { provider: 'test', workingDirectory: uri, config: {} };

/** Of each command: the parameters that it needs, and those that it may have. */
const samples: [method: Command, required: Record<string, unknown>, optional?: Record<string, unknown>][] = [
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
];

describe('the shapes of commands', () => {
  for (const [method, required, optional = {}] of samples) {
    it(`${method} is taken as it should be, and every parameter of a wrong type or missing is named`, () => {
      const shape = commandShapes[method];
      const whole = { ...required, ...optional };
      assert.equal(shape(whole, 'params'), undefined);
      assert.equal(shape(required, 'params'), undefined);
      for (const { path, bad } of malformed(whole)) {
        const problem = shape(bad, 'params') ?? 'taken';
        assert.ok(problem.startsWith(`params.${path} must be`), `${path}: ${problem}`);
      }
      for (const key of Object.keys(required)) assert.equal(shape({ ...whole, [key]: undefined }, 'params'), `params.${key} is missing`);
    });
  }

  it('are all here', () => {
    assert.deepEqual(samples.map(([method]) => method).sort(), Object.keys(commandShapes).sort());
  });
});
