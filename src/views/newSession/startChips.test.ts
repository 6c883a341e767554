import assert from 'node:assert/strict';
import type { ChoiceField } from '../configForm/configFields.ts';
import { configFields } from '../configForm/configFields.ts';
import {
  changedFields,
  changedPicker,
  chipFields,
  chipPicker,
  folderPicker,
  foldersOf,
  OTHER,
  startModel,
  startModelOptions,
  startModelPicker,
} from './startChips.ts';
import type { StartAgent, StartOffer } from './startOffer.ts';

const effort = { type: 'string' as const, title: 'Effort', enum: ['low', 'high'], default: 'low' };
const models = [
  { id: 'a', label: 'Model A', facts: ['128K tokens'], configSchema: { type: 'object' as const, properties: { effort } } },
  { id: 'b', label: 'Model B', facts: [] },
];
const agent: StartAgent = { hostId: 'h', provider: 'p', label: 'P', models };
const web = { uri: 'file:///web', label: 'web' };
const offer: StartOffer = { agents: [agent], folders: [web], localHosts: ['h'], isConnecting: false };
const labels = (picker: { options: readonly { label: string }[] } | undefined) => picker?.options.map(({ label }) => label);

describe('the folders of a new session', () => {
  it('are those of the window for a host of this computer, and its own for any other', () => {
    const own = { uri: 'file:///home/me', label: '/home/me' };
    assert.deepEqual(foldersOf(offer, { ...agent, folders: [own, web] }), [web, own]);
    assert.deepEqual(foldersOf(offer, { ...agent, hostId: 'elsewhere', folders: [own] }), [own]);
  });

  it('can always be another one', () => {
    assert.deepEqual(labels(folderPicker([web], web)), ['web', 'Other folder…']);
    assert.deepEqual(labels(folderPicker([], undefined)), ['Choose a folder…', 'Other folder…']);
  });
});

describe('the model of a new session', () => {
  it('is the one that was chosen, then the last one, then what the host takes itself', () => {
    assert.equal(startModel(agent, undefined), undefined);
    assert.deepEqual(startModel({ ...agent, choosesFirst: true }, undefined), { id: 'a' });
    assert.deepEqual(startModel({ ...agent, model: { id: 'b' } }, undefined), { id: 'b' });
    assert.deepEqual(startModel({ ...agent, model: { id: 'b' } }, { id: 'a' }), { id: 'a' });
    assert.equal(startModel({ ...agent, model: { id: 'gone' } }, undefined), undefined);
  });

  it('can be chosen with its options', () => {
    assert.deepEqual(labels(startModelPicker(agent, undefined)), ['Default model', 'Model A', 'Model B']);
    assert.deepEqual(labels(startModelPicker(agent, { id: 'a' })), ['Model A', 'Model B']);
    assert.equal(startModelPicker({ ...agent, models: [] }, undefined), undefined);
    assert.deepEqual(startModelOptions(agent, { id: 'a', config: { effort: 'high' } })[0]?.value, 'high');
    assert.deepEqual(startModelOptions(agent, { id: 'b' }), []);
  });
});

describe('the settings of a new session', () => {
  const fields = configFields(
    {
      type: 'object',
      properties: {
        mode: { ...effort, title: 'Mode' },
        note: { type: 'string', title: 'Note' },
        branch: { type: 'string', title: 'Branch', enumDynamic: true, default: 'main' },
        target: { type: 'string', title: 'Target', enum: ['x', 'y'] },
      },
      required: ['target'],
    },
    {},
  );

  it('are drop-downs where they are chosen from a list, first the one without which nothing can be sent', () => {
    assert.deepEqual(
      chipFields(fields).map(({ id }) => id),
      ['target', 'mode', 'branch'],
    );
  });

  describe('that are not as the host has them by itself', () => {
    const schema = {
      type: 'object' as const,
      properties: {
        ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`c${index}`, effort])),
        yes: { type: 'boolean' as const, title: 'Approve everything' },
        quiet: { type: 'boolean' as const, title: 'Quiet', default: true },
        turns: { type: 'number' as const, title: 'Turns', default: 3 },
        tools: { type: 'array' as const, title: 'Tools', items: { type: 'string' as const, title: '' } },
        token: { type: 'string' as const, title: 'Token', sensitive: true },
      },
    };
    const defaults = configFields(schema);
    const changed = (values: Record<string, unknown>) => changedFields(configFields(schema, values), defaults);

    it('are shown, also those that have no list of values', () => {
      assert.deepEqual(changed({ yes: false, quiet: true, turns: 3 }), []);
      const all = changed({ yes: true, quiet: false, turns: 5, tools: ['run', 'edit'], token: 'secret' });
      assert.deepEqual(
        all.map((field) => [field.title, labels(changedPicker(field))]),
        [
          ['Approve everything', ['Off', 'On']],
          ['Quiet', ['Off', 'On']],
          ['Turns', ['5', 'Change…']],
          ['Tools', ['run, edit', 'Change…']],
          ['Token', ['Set', 'Change…']],
        ],
      );
      assert.deepEqual(
        all.slice(0, 2).map((field) => changedPicker(field).value),
        ['on', 'off'],
      );
    });

    it('are shown beyond the number of drop-downs that there are', () => {
      const ids = chipFields(configFields(schema, { c7: 'high' }), defaults).map(({ id }) => id);
      assert.deepEqual(ids, ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c7']);
    });
  });

  it('have what the host says of one with too many values, and a way to the others', () => {
    const branch = fields.find(({ id }) => id === 'branch') as ChoiceField;
    const found = [
      { value: 'fix', label: 'fix', description: '2 days ago' },
      { value: 'main', label: 'main' },
    ];
    assert.deepEqual(labels(chipPicker(branch, found)), ['fix', 'main', 'Other…']);
    assert.deepEqual(labels(chipPicker(branch)), ['main', 'Other…']);
    assert.equal(chipPicker(branch).options.at(-1)?.value, OTHER);
    assert.deepEqual(labels(chipPicker({ ...branch, isReadOnly: true })), ['main']);
  });
});
