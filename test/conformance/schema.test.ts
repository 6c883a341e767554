import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import type { ResourceState, Snapshot } from '../../src/ahp/v1/commands.ts';
import { reducerFor } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { type ActionEnvelope, resourceOf } from '../../src/ahp/v1/actions.ts';
import { actionTypes } from '../support/actionTypes.ts';
import { describeShared, sharedJson } from '../support/shared.ts';
import { toldByHost, v1Transcripts } from '../support/transcript.ts';

interface Schema {
  $ref: string;
  definitions: Record<string, { anyOf?: { $ref: string }[]; properties?: { type?: { const?: string } } }>;
}

describeShared('the JSON Schema of AHP v1', (dir) => {
  const schema = sharedJson(dir, 'spec/agent-host-v1/ahp-v1.strict.schema.json') as Schema;

  /** Names of the definitions that a union consists of, unions inside it resolved. */
  const members = (name: string): string[] => {
    const union = schema.definitions[name]?.anyOf;
    return union ? union.flatMap(({ $ref }) => members($ref.replace('#/definitions/', ''))) : [name];
  };

  it('has exactly the action types that we know', () => {
    const types = new Set(members('StateAction').map((name) => schema.definitions[name]?.properties?.type?.const));
    assert.deepEqual([...types].sort(), [...actionTypes].sort());
    assert.equal(types.size, 52);
  });

  it('accepts what our reducers make of a real host, but for the fields of that older host', function () {
    this.timeout(20_000);
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajv.addSchema(schema, 'ahp');
    const definitionOf = (resource: string): string =>
      resource === 'agenthost:/root' ? 'RootState' : resource.startsWith('agenthost-terminal:') ? 'TerminalState' : 'SessionState';
    let validated = 0;
    for (const name of v1Transcripts(dir)) {
      const states = new Map<string, ResourceState>();
      for (const { snapshots, envelope } of toldByHost<Snapshot, ActionEnvelope>(dir, name)) {
        for (const { resource, state } of snapshots) if (!states.has(resource)) states.set(resource, state);
        if (!envelope) continue;
        const { action } = envelope;
        const resource = resourceOf(action) ?? '';
        const state = states.get(resource);
        if (state === undefined) continue;
        const next = reducerFor(resource)(state, action, 9999);
        states.set(resource, next);
        assert(ajv.validate(`ahp#/definitions/${definitionOf(resource)}`, next), `${name}, after ${action.type}: ${ajv.errorsText()}`);
        validated++;
      }
    }
    assert(validated > 250, `${validated} states`);
  });
});
