import assert from 'node:assert/strict';
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import { nextConfigStep } from './configSteps.ts';

const isolation = {
  type: 'string' as const,
  title: 'Isolation',
  description: 'Where the agent makes changes',
  enum: ['folder', 'worktree'],
  enumLabels: ['Folder'],
  enumDescriptions: ['Your folder', 'A folder\nof its own'],
  default: 'folder',
};
const approvals = { ...isolation, title: 'Approvals', sessionMutable: true };
const branch = { type: 'string' as const, title: 'Branch', enumDynamic: true };
const config = (properties: SessionConfigState['schema']['properties'], values: Record<string, unknown> = {}) => ({
  schema: { type: 'object' as const, properties },
  values,
});
const steps = (result: SessionConfigState) => {
  const asked = new Set<string>();
  const ids = [];
  for (let step = nextConfigStep(result, asked); step; step = nextConfigStep(result, asked)) ids.push(asked.add(step.id) && step.id);
  return ids;
};

describe('the questions before a session is made', () => {
  it('ask for what cannot be changed later, with what the host would take', () => {
    assert.deepEqual(nextConfigStep(config({ approvals, isolation }, { isolation: 'worktree' }), new Set()), {
      id: 'isolation',
      title: 'Isolation',
      description: 'Where the agent makes changes',
      value: 'worktree',
      options: [
        { value: 'folder', label: 'Folder', description: 'Your folder' },
        { value: 'worktree', label: 'worktree', description: 'A folder of its own' },
      ],
      isDynamic: false,
    });
  });

  it('take the default where the host gives no value', () => {
    assert.equal(nextConfigStep(config({ isolation }), new Set())?.value, 'folder');
  });

  it('come once each, and leave out what is settled or has one answer', () => {
    assert.deepEqual(steps(config({ isolation, branch })), ['isolation', 'branch']);
    assert.deepEqual(steps(config({ isolation: { ...isolation, readOnly: true }, branch: { ...branch, readOnly: true } })), []);
    assert.deepEqual(steps(config({ isolation: { ...isolation, enum: ['folder'] } })), []);
    assert.deepEqual(steps(config({ free: { type: 'string', title: 'Free text' } })), []);
  });
});
