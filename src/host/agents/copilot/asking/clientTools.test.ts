import assert from 'node:assert/strict';
import { clientTools } from './clientTools.ts';

describe('clientTools', () => {
  it('are those of all clients, each under a name of its own', () => {
    const lenders = [
      { clientId: 'a', tools: [{ name: 'look.up' }, { name: 'bash' }] },
      { clientId: 'b', tools: [{ name: 'look_up' }, { name: 'other' }] },
    ];
    const tools = clientTools(lenders, new Set(['bash']));
    assert.deepEqual(
      [...tools.values()].map(({ name, clientId, definition }) => [name, clientId, definition.name]),
      [
        ['look_up', 'a', 'look.up'],
        ['bash_client', 'a', 'bash'],
        ['look_up_client', 'b', 'look_up'],
        ['other', 'b', 'other'],
      ],
    );
  });
});
