import assert from 'node:assert/strict';
import type { ChoiceField } from '../configForm/configFields.ts';
import { configFields } from '../configForm/configFields.ts';
import { chipFields, chipPicker, folderPicker, foldersOf, OTHER, startModel, startModelOptions, startModelPicker } from './startChips.ts';
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
