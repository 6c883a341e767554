import assert from 'node:assert/strict';
import { sessionState } from '../../../test/fakes/models.ts';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import { wellFormed } from '../../ahp/wellFormed/wellFormed.ts';
import { allRows } from '../tree/treeRow.ts';
import { changesTree, isFor, operationsOf, targetOf } from './changesTree.ts';
import { listedChangesets, needsTurn } from './listedChangesets.ts';

const side = (path: string) => ({ uri: `file:///w/${path}`, content: { uri: `git:${path}` } });
const edited = { before: side('src/a.ts'), after: side('src/a.ts'), diff: { added: 3, removed: 1 } };
const listed = { uri: 'x:/c', label: 'All', canReview: true };
const tree = (state: unknown, fields: object = {}) =>
  changesTree(
    [{ listed, state: state === undefined ? undefined : wellFormed.changeset(state as ChangesetState), canReview: true, ...fields }],
    'file:///w',
  );

describe('listedChangesets', () => {
  const of = (...changesets: unknown[]) => wellFormed.session(sessionState({ changesets: changesets as never }));
  const turn = { label: 'This Turn', uriTemplate: 'x:/turn/{turnId}', changeKind: 'turn' };
  const session = { label: 'All', uriTemplate: 'x:/all', changeKind: 'session', capabilities: { review: {} } };

  it('has one for each address, of a turn once there is one', () => {
    assert.deepEqual(
      listedChangesets(of(session, turn, session), undefined).map(({ uri, canReview }) => [uri, canReview]),
      [['x:/all', true]],
    );
    assert.deepEqual(
      listedChangesets(of(turn), 'a/b').map(({ uri }) => uri),
      ['x:/turn/a%2Fb'],
    );
    assert.deepEqual([needsTurn(of(session)), needsTurn(of(turn))], [false, true]);
  });

  it('leaves out what has a variable that is not known', () => {
    assert.deepEqual(listedChangesets(of({ ...turn, uriTemplate: 'x:/{turnId}/{branch}' }), 't'), []);
  });
});

describe('changesTree', () => {
  it('says what changed in each file and in all, and what is reviewed', () => {
    const [root] = tree({
      status: 'ready',
      files: [
        { id: '1', edit: edited, reviewed: true },
        { id: '2', edit: { after: side('b.ts'), diff: { added: 2 } } },
        { id: '3', edit: { before: side('c.ts') } },
        { id: '4', edit: { before: side('d.ts'), after: side('e.ts') } },
      ],
    });
    assert.equal(root?.description, '4 files · +5 −1 · 1 of 4 reviewed');
    assert.deepEqual(
      root?.children?.map(({ label, description, icon, spoken, checkbox }) => [label, description, icon.id, spoken, checkbox?.isOn]),
      [
        ['a.ts', 'src · +3 −1', 'diff-modified', 'a.ts, changed, src, 3 lines added, 1 line removed', true],
        ['b.ts', '+2', 'diff-added', 'b.ts, created, 2 lines added', false],
        ['c.ts', undefined, 'diff-removed', 'c.ts, deleted', false],
        ['e.ts', 'from d.ts', 'diff-renamed', 'e.ts, moved, from d.ts', false],
      ],
    );
    assert.deepEqual(
      root?.children?.map(({ fullName }) => fullName),
      ['src/a.ts', 'b.ts', 'c.ts', 'e.ts'],
    );
    assert.deepEqual(root?.checkbox, { isOn: false, files: ['1', '2', '3', '4'], says: 'Mark all files as reviewed' });
  });

  it('has no ticks where nothing can be reviewed', () => {
    const [root] = tree({ status: 'ready', files: [{ id: '1', edit: edited }] }, { canReview: false });
    assert.deepEqual([root?.checkbox, root?.children?.[0]?.checkbox, root?.description], [undefined, undefined, '1 file · +3 −1']);
  });

  it('says why there are no files', () => {
    const note = (state: unknown, fields = {}) => tree(state, fields)[0]?.children?.map(({ label }) => label);
    assert.deepEqual(note(undefined), ['Loading…']);
    assert.deepEqual(note({ status: 'computing', files: [] }), ['Being computed…']);
    assert.deepEqual(note({ status: 'ready', files: [] }), ['No changes.']);
    assert.deepEqual(note({ status: 'error', files: [], error: { errorType: 'x', message: 'No repository' } }), ['No repository']);
    assert.deepEqual(note(undefined, { problem: 'Gone' }), ['Gone']);
    // What is known stays while it is computed again.
    assert.deepEqual(note({ status: 'recomputing', files: [{ id: '1', edit: edited }] }), ['a.ts']);
  });

  it('offers what can be done with all of it, and with a file', () => {
    const operation = (id: string, scopes: string[], status = 'idle', fields = {}) => ({ id, label: id, scopes, status, ...fields });
    const state = {
      status: 'ready',
      files: [{ id: '1', edit: edited }],
      operations: [
        operation('Commit', ['changeset'], 'error', { error: { errorType: 'x', message: 'A hook failed' } }),
        operation('Revert', ['changeset', 'resource']),
        operation('Push', ['changeset'], 'disabled'),
        operation('Stage', ['range'], 'running'),
      ],
    };
    const [root] = tree(state);
    assert.equal(root?.description, '1 file · +3 −1 · 0 of 1 reviewed · Stage runs · Commit failed');
    assert.match(root?.tooltip ?? '', /A hook failed$/);
    assert.deepEqual([root?.context, root?.children?.[0]?.context], ['changeset operations others', 'changedFile operations others']);
    const known = wellFormed.changeset(state as never);
    assert.deepEqual(
      operationsOf(known, 'changeset').map(({ id }) => id),
      ['Commit', 'Revert'],
    );
    assert.deepEqual(
      operationsOf(known, 'resource').map(({ id }) => id),
      ['Revert'],
    );
  });

  it('has buttons of their own for discarding and keeping, and parts of files', () => {
    const operation = (id: string, ...scopes: string[]) => ({ id, label: id, scopes, status: 'idle' });
    const state = {
      status: 'ready',
      files: [{ id: '1', edit: edited }],
      operations: [
        operation('discard', 'changeset', 'resource', 'range'),
        { ...operation('keep', 'changeset'), _meta: { 'tapline.commitMessage': 'x' } },
      ],
    };
    const [root] = tree(state);
    assert.deepEqual(
      [root?.context, root?.children?.[0]?.context],
      ['changeset operations discard keep', 'changedFile operations discard'],
    );
    const offered = (what: 'file' | 'operations' | 'discard' | 'keep') =>
      allRows(root ? [root] : [])
        .filter((node) => isFor(what, node))
        .map(({ kind }) => kind);
    assert.deepEqual(
      [offered('file'), offered('operations'), offered('discard'), offered('keep')],
      [['file'], ['changeset', 'file'], ['changeset', 'file'], ['changeset']],
    );
    const known = wellFormed.changeset(state as never);
    assert.deepEqual(
      operationsOf(known, 'range').map(({ id }) => id),
      ['discard'],
    );
    assert.deepEqual(known.operations?.[1]?._meta, { 'tapline.commitMessage': 'x' });
  });

  it('names the side that is there', () => {
    assert.deepEqual(targetOf(edited), { kind: 'resource', resource: 'file:///w/src/a.ts', side: 'after' });
    assert.deepEqual(targetOf({ before: side('c.ts') }), { kind: 'resource', resource: 'file:///w/c.ts', side: 'before' });
    assert.equal(targetOf({}), undefined);
  });

  it('survives a name that is none, and one that would mislead', () => {
    const [root] = tree({
      status: 'ready',
      files: [
        { id: '1', edit: {} },
        { id: '2', edit: { after: side('a\u202e.ts') } },
      ],
    });
    assert.deepEqual(
      root?.children?.map(({ label }) => label),
      ['A file without a name', 'a .ts'],
    );
  });
});
