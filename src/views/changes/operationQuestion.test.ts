import assert from 'node:assert/strict';
import { COMMIT_MESSAGE } from '../../ahp/commitMessage.ts';
import type { ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import { changedMeanwhile, operationQuestion } from './operationQuestion.ts';

const operation = (id: string, fields: Partial<ChangesetOperation> = {}): ChangesetOperation => ({
  ...{ id, label: id, scopes: ['changeset', 'resource', 'range'], status: 'idle' },
  ...fields,
});

describe('the question before an operation', () => {
  const subject = { name: 'a.ts', scope: 'resource' as const };

  it('does not take an Enter too many for a yes where something is discarded or kept', () => {
    const of = (id: string, confirmation?: string) => {
      const asked = operationQuestion('september', operation(id, confirmation === undefined ? {} : { confirmation }), subject);
      return asked && [asked.question, asked.yes, asked.isUnlikely];
    };
    for (const confirmation of [undefined, 'Sure?']) {
      assert.deepEqual(of('discard', confirmation), ['discard: a.ts?', 'Discard', true]);
      assert.deepEqual(of('keep', confirmation), ['keep: a.ts?', 'Keep', true]);
    }
    assert.deepEqual([of('push', 'Sure?'), of('push')], [['push: a.ts?', 'Run', false], undefined]);
  });

  it('says that discarding a file which was created deletes it', () => {
    const asked = operationQuestion('september', operation('discard', { confirmation: 'Sure?' }), { ...subject, isCreated: true });
    assert.deepEqual([asked?.yes, asked?.isUnlikely], ['Delete the File', true]);
    assert.equal(asked?.detail, 'september asks: Sure?\n\nThe file was not there before these changes, so it is deleted.');
  });

  it('does not repeat the message of a commit, which is in the field', () => {
    const commit = operation('commit', {
      confirmation: 'Commits 4 files with the message: Sort $& it',
      _meta: { [COMMIT_MESSAGE]: 'Sort $& it' },
    });
    assert.equal(operationQuestion('september', commit, subject)?.detail, 'september asks: Commits 4 files with the message: …');
  });

  it('is not asked where it is too long to be read', () => {
    assert.throws(
      () => operationQuestion('september', operation('push', { confirmation: 'x'.repeat(1001) }), subject),
      /too long to be shown/,
    );
  });
});

describe('after the answer', () => {
  const side = (content: string) => ({ uri: 'file:///a', content: { uri: content } });
  const seen = { id: 'a', edit: { before: side('1'), after: side('2') } };
  const discard = operation('discard', { confirmation: 'Sure?' });
  const state = (fields: Partial<ChangesetState> = {}): ChangesetState => ({
    status: 'ready',
    files: [seen],
    operations: [discard],
    ...fields,
  });
  const subject = { name: 'a.ts, line 1', scope: 'range' as const };

  it('nothing is done where the host asks something else, or does not offer it any more', () => {
    assert.equal(changedMeanwhile(state(), discard, subject), undefined);
    for (const operations of [[], [{ ...discard, confirmation: 'All?' }], [{ ...discard, status: 'running' as const }]])
      assert.match(
        changedMeanwhile(state({ operations }), discard, subject) ?? '',
        /^Nothing was done, because the host has changed “discard”/,
      );
    assert.match(changedMeanwhile(undefined, discard, subject) ?? '', /^Nothing was done/);
  });

  it('nothing is done with lines of a file that has other changes than the user saw', () => {
    assert.equal(changedMeanwhile(state(), discard, { ...subject, seen }), undefined);
    const newer = { ...seen, edit: { ...seen.edit, after: side('3') } };
    for (const files of [[newer], []]) {
      assert.match(changedMeanwhile(state({ files }), discard, { ...subject, seen }) ?? '', /other changes than you saw: a\.ts, line 1/);
      assert.equal(changedMeanwhile(state({ files }), discard, subject), undefined, 'all of a file is what the host has now');
    }
  });

  it('a review of the file by somebody else is no other change', () => {
    assert.equal(changedMeanwhile(state({ files: [{ ...seen, reviewed: true }] }), discard, { ...subject, seen }), undefined);
  });
});
