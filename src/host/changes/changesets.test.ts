import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { FileEdit, FileEditSide } from '../../ahp/common/shapes.ts';
import { nullLogger } from '../../base/log.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { ContentStore } from '../files/contentStore.ts';
import { changesetUri, changesUri } from '../state/chatUris.ts';
import { StateStore } from '../state/stateStore.ts';
import { Changesets } from './changesets.ts';
import type { ChangesetOperationTarget, ChangesetSource } from './changesetSource.ts';
import { SessionEdits } from './sessionEdits.ts';
import { sessionOperations, SessionSource } from './sessionSource.ts';
import { TurnSource } from './turnSource.ts';

const session = 'demo:/1';
const [first, helper] = ['ahp-chat://1', 'ahp-chat://helper'];
const changes = changesUri(session);
const turnUri = (turnId: string) => changesetUri({ kind: 'turn', session, turnId });

describe('the changesets of a session', () => {
  let folder: string;
  let store: StateStore;
  let contents: ContentStore;
  let edits: SessionEdits;
  let changesets: Changesets;
  let turns: TurnSource;
  let sources: ChangesetSource[];
  const read = new Set<string>();

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-changesets-')));
    open();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function open(): void {
    read.clear();
    store = new StateStore();
    contents = new ContentStore();
    edits = new SessionEdits(store, contents);
    turns = new TurnSource(store, edits);
    sources = [new SessionSource(store, edits), turns];
    changesets = new Changesets({
      ...{ store, logger: nullLogger },
      sources,
      facts: (uri) => (uri === session ? { uri, workingDirectory: folder, createdAt: 0 } : undefined),
      isRead: (channel) => read.has(channel),
    });
    const chat = { resource: first, title: '', status: 1, modifiedAt: '' };
    const ofHelper = { ...chat, resource: helper, origin: { kind: 'tool' as const, chat: first, toolCallId: 'sub' } };
    const state = { provider: 'demo', title: '', status: 1, lifecycle: 'ready' as const, activeClients: [], chats: [chat, ofHelper] };
    store.add({ channel: session, kind: 'session', state: { ...state, defaultChat: first } }, session);
    for (const each of [chat, ofHelper]) store.add({ channel: each.resource, kind: 'chat', state: { ...each, turns: [] } }, session);
    store.add({ channel: changes, kind: 'changeset', state: { status: 'ready', files: [] } }, session);
  }

  const pathOf = (name: string) => join(folder, name);
  const uriOf = (name: string) => pathToFileURL(pathOf(name)).href;
  const onDisk = (name: string) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined);
  const put = (name: string, text: string | undefined) =>
    text === undefined ? rmSync(pathOf(name), { force: true }) : writeFileSync(pathOf(name), text);
  const sideOf = (name: string, text: string | undefined): FileEditSide | undefined =>
    text === undefined ? undefined : { uri: uriOf(name), content: contents.put(session, text, 'text/plain') };

  /** As an agent changes a file: on disk, in its result, and in what the session has changed. */
  async function change(name: string, text: string | undefined): Promise<FileEdit> {
    const [before, after] = [sideOf(name, onDisk(name)), sideOf(name, text)];
    put(name, text);
    const edit = { ...(before && { before }), ...(after && { after }) };
    await edits.record(session, [edit]);
    return edit;
  }
  /** Each turn begins a second after the one before. */
  let time = 0;
  function begin(turnId: string, chat = first): void {
    store.dispatch(chat, {
      type: 'chat/turnStarted',
      turnId,
      startedAt: new Date((time += 1000)).toISOString(),
      message: { text: 'x', origin: { kind: 'user' } },
    });
  }
  function tell(turnId: string, of: FileEdit[], { chat = first, id = `c${store.serverSeq}` } = {}): void {
    const call = { turnId, toolCallId: id };
    store.dispatch(chat, { type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T' });
    store.dispatch(chat, { type: 'chat/toolCallReady', ...call, invocationMessage: 'x', confirmed: 'not-needed' });
    const content = of.map((edit) => ({ type: 'fileEdit' as const, ...edit }));
    store.dispatch(chat, { type: 'chat/toolCallComplete', ...call, result: { success: true, pastTenseMessage: 'y', content } });
  }
  const end = (turnId: string, chat = first) => store.dispatch(chat, { type: 'chat/turnComplete', turnId, duration: 1e9 });
  /** A turn with one call, which makes these changes in order. */
  async function turn(turnId: string, ...steps: [name: string, text: string | undefined][]): Promise<void> {
    begin(turnId);
    const made: FileEdit[] = [];
    for (const [name, text] of steps) made.push(await change(name, text));
    tell(turnId, made);
    end(turnId);
  }

  const shown = (state: ChangesetState | undefined) =>
    state?.files.map(({ edit: { before, after } }) =>
      [before, after].map((side) => side && Buffer.from(contents.read(side.content.uri)?.data ?? '?').toString()),
    );
  const ofSession = () => shown(store.changeset(changes));
  const ofTurn = async (turnId: string) => shown(await turns.read({ session, channel: turnUri(turnId), workingDirectory: folder, turnId }));
  const discard = (channel: string, target?: ChangesetOperationTarget) =>
    changesets.invoke(channel, { operationId: 'discard', ...(target && { target }) });
  const resource = (name: string) => ({ kind: 'resource' as const, resource: uriOf(name) });
  const range = (name: string, from: number, to: number, side?: 'before') => ({
    ...{ kind: 'range' as const, resource: uriOf(name), ...(side && { side }) },
    range: { start: { line: from, character: 0 }, end: { line: to, character: 1 } },
  });
  const failure = async (work: Promise<unknown>) =>
    await work.then(
      () => 'none',
      (error: { code: number; message: string }) => [error.code, error.message],
    );

  describe('what a session has changed', () => {
    it('is of each file the first content and the last, also where several chats change it', async () => {
      put('a', '1');
      await change('a', '2');
      await change('b', 'new');
      await change('a', '3');
      assert.deepEqual(ofSession(), [
        ['1', '3'],
        [undefined, 'new'],
      ]);
      assert.deepEqual(
        store.changeset(changes)?.files.map(({ id }) => id),
        [uriOf('a'), uriOf('b')],
      );
      await change('a', '1');
      await change('b', undefined);
      assert.deepEqual(ofSession(), [], 'files that are as they were');
    });

    it('does not get lost where chats change files at the same time', async () => {
      await Promise.all(['a', 'b', 'c'].map((name) => change(name, name)));
      assert.equal(ofSession()?.length, 3);
    });

    it('has nothing of what others changed in other lines meanwhile', async () => {
      put('a', 'one\ntwo\nthree\n');
      await change('a', 'ONE\ntwo\nthree\n');
      put('a', 'ONE\ntwo\nmine\n');
      await change('a', 'ONE\nTWO\nmine\n');
      assert.deepEqual(ofSession(), [['one\ntwo\nmine\n', 'ONE\nTWO\nmine\n']]);
      put('a', 'yours\nTWO\nmine\n');
      await change('a', 'yours\nTWO\nmine\nend\n');
      assert.deepEqual(ofSession(), [['one\ntwo\nmine\n', 'yours\nTWO\nmine\nend\n']], 'the same lines cannot be told apart');
    });

    it('begins anew where a first content is not kept any more, and leaves the others alone', async () => {
      const gone = { after: { uri: 'file:///gone', content: { uri: 'tapline-content:/x/gone' } } };
      await edits.record(session, [gone]);
      put('a', '1');
      const { before } = await change('a', '2');
      const { read: readContent } = contents;
      contents.read = (uri) => (uri === before?.content.uri ? undefined : readContent.call(contents, uri));
      await change('a', '3');
      assert.deepEqual(store.changeset(changes)?.files[0]?.edit, gone);
      assert.deepEqual(ofSession()?.slice(1), [['2', '3']]);
    });

    it('stays reviewed until it changes again', async () => {
      await change('a', '1');
      await change('b', '1');
      store.dispatch(changes, { type: 'changeset/filesReviewChanged', files: [uriOf('a'), uriOf('b')], reviewed: true });
      await change('b', '2');
      assert.deepEqual(
        store.changeset(changes)?.files.map(({ reviewed }) => reviewed),
        [true, undefined],
      );
    });

    it('keeps no content for a session that is deleted while it is recorded', async () => {
      put('a', 'one\ntwo\nthree\n');
      await change('a', 'ONE\ntwo\nthree\n');
      const side = (text: string) => sideOf('a', text)!;
      const step = { before: side('ONE\ntwo\nmine\n'), after: side('ONE\nTWO\nmine\n') };
      const first = { after: sideOf('b', 'x')! };
      const kept: string[] = [];
      const { put: keep } = contents;
      contents.put = (of, ...rest) => (kept.push(of), keep.call(contents, of, ...rest));
      const recorded = edits.record(session, [first, step]);
      for (const each of store.family(session).reverse()) store.delete(each.channel);
      await recorded;
      assert.throws(() => edits.contentsOf(session).keep('x'), { code: ErrorCode.NotFound });
      assert.deepEqual(kept, []);
    });

    it('takes as many files as a step says, and still follows those that it has', async () => {
      const made = (name: string): FileEdit => ({ after: { uri: `file:///${name}`, content: { uri: `file:///${name}` } } });
      const ids = () => store.changeset(changes)?.files.map(({ id }) => id.slice('file:///'.length));
      await edits.record(session, ['a', 'b', 'c'].map(made), 2);
      assert.deepEqual(ids(), ['a', 'b']);
      await edits.record(session, [made('d')]);
      await edits.record(session, [made('e'), { before: made('a').after!, after: sideOf('a', 'x')! }], 2);
      assert.deepEqual(ids(), ['a', 'b', 'd']);
    });
  });

  describe('what a turn has changed', () => {
    it('is what its calls say and those of its subagents, in order, also of a turn in progress', async () => {
      put('a', '1');
      begin('t');
      tell('t', [await change('a', '2')]);
      begin('inner', helper);
      tell('inner', [await change('a', '3'), await change('b', 'new')], { chat: helper });
      end('inner', helper);
      tell('t', [], { id: 'sub' });
      tell('t', [await change('c', 'x'), await change('c', undefined)]);
      const all = [
        ['1', '3'],
        [undefined, 'new'],
      ];
      assert.deepEqual(await ofTurn('t'), all);
      end('t');
      await turn('u', ['a', '4']);
      assert.deepEqual(
        [await ofTurn('t'), await ofTurn('u'), await ofTurn('inner')],
        [
          all,
          [['3', '4']],
          [
            ['2', '3'],
            [undefined, 'new'],
          ],
        ],
      );
      assert.match(String(await failure(ofTurn('none'))), /no turn none/);
    });

    it('has nothing of a subagent of a later turn, whose call has the same id', async () => {
      begin('t');
      tell('t', [], { id: 'sub' });
      store.dispatch(first, { type: 'chat/turnComplete', turnId: 't', duration: 0 });
      begin('u');
      begin('inner', helper);
      tell('inner', [await change('a', '1')], { chat: helper });
      end('inner', helper);
      tell('u', [], { id: 'sub' });
      end('u');
      assert.deepEqual([await ofTurn('t'), await ofTurn('u')], [[], [[undefined, '1']]]);
    });
  });

  describe('discarding', () => {
    it('puts files back: changed ones, created ones and deleted ones', async () => {
      put('a', '1\n');
      put('c', 'was here');
      await turn('t', ['a', '2\n'], ['b', 'new'], ['c', undefined]);
      assert.deepEqual(await discard(turnUri('t')), {});
      assert.deepEqual([onDisk('a'), onDisk('b'), onDisk('c')], ['1\n', undefined, 'was here']);
      assert.deepEqual([ofSession(), await ofTurn('t')], [[], []]);
      assert.deepEqual(readdirSync(folder).sort(), ['a', 'c']);
    });

    it('leaves what others have changed, and says where it could do nothing', async () => {
      put('a', 'one\ntwo\nthree\n');
      put('b', '1\n');
      await turn('t', ['a', 'one\nTWO\nthree\n'], ['b', '2\n'], ['c', 'new'], ['d', 'new']);
      put('a', 'mine\nTWO\nthree\n');
      put('b', 'mine\n');
      put('c', 'mine');
      const { message } = await discard(turnUri('t'));
      assert.equal(message, '2 files are left as they are. b: the same lines have been changed since; c: it has been changed since.');
      assert.deepEqual([onDisk('a'), onDisk('b'), onDisk('c'), onDisk('d')], ['mine\ntwo\nthree\n', 'mine\n', 'mine', undefined]);
      assert.deepEqual(await ofTurn('t'), [
        ['1\n', '2\n'],
        [undefined, 'new'],
      ]);
      assert.equal(ofSession()?.length, 2);
      const [code, why] = (await failure(discard(changes))) as [number, string];
      assert.equal(code, ErrorCode.Conflict);
      assert.match(why, /^Nothing was put back\. 2 files are left/);
    });

    it('puts one file back, or the places that touch some lines', async () => {
      const before = 'a\nb\nc\nd\ne\n';
      put('x', before);
      put('y', '1');
      await turn('t', ['x', 'A\nb\nc\nd\nE\n'], ['y', '2']);
      await discard(turnUri('t'), resource('y'));
      assert.deepEqual([onDisk('x'), onDisk('y')], ['A\nb\nc\nd\nE\n', '1']);
      await discard(turnUri('t'), range('x', 0, 1));
      assert.equal(onDisk('x'), 'a\nb\nc\nd\nE\n');
      const left = [[before, 'a\nb\nc\nd\nE\n']];
      assert.deepEqual([await ofTurn('t'), ofSession()], [left, left]);
      const nothing = await failure(discard(changes, range('x', 1, 3)));
      assert.match(String(nothing), /nothing was changed in these lines/);
      await discard(changes, range('x', 4, 4, 'before'));
      assert.deepEqual([onDisk('x'), ofSession()], [before, []]);
      await discard(turnUri('t'));
      assert.deepEqual(await ofTurn('t'), [], 'it is as it was, so there is nothing more to do');
    });

    it('puts back one of two neighbouring deletions: of an empty range that at exactly its place, of old lines theirs', async () => {
      const [before, after] = ['A\nB\nC\nD\nE\n', 'A\nC\nE\n'];
      const at = (line: number, to: number, side?: 'before') => ({
        ...range('x', line, to, side),
        range: { start: { line, character: 0 }, end: { line: to, character: 0 } },
      });
      const targets: [ChangesetOperationTarget, string][] = [
        [at(1, 1), 'A\nB\nC\nE\n'],
        [at(2, 2), 'A\nC\nD\nE\n'],
        [at(1, 2, 'before'), 'A\nB\nC\nE\n'],
        [at(3, 4, 'before'), 'A\nC\nD\nE\n'],
        // A range with the line between them touches both.
        [at(1, 2), before],
      ];
      for (const [index, [target, text]] of targets.entries()) {
        put('x', before);
        await turn(`t${index}`, ['x', after]);
        await discard(turnUri(`t${index}`), target);
        assert.equal(onDisk('x'), text, JSON.stringify(target));
      }
      put('x', before);
      await turn('last', ['x', after]);
      assert.match(String(await failure(discard(turnUri('last'), at(0, 0)))), /nothing was changed in these lines/);
    });

    it('of the session and then of its turn leaves nothing that could be written back', async () => {
      put('a', 'x');
      await turn('t', ['a', 'one']);
      await discard(changes);
      assert.deepEqual(await discard(turnUri('t')), {});
      assert.deepEqual([ofSession(), await ofTurn('t')], [[], []]);
      await discard(changes);
      assert.equal(onDisk('a'), 'x');
    });

    it('takes a file out of the changes of the session also where the user has put it back already', async () => {
      put('a', 'x');
      await turn('t', ['a', 'one']);
      await turn('u', ['a', 'two']);
      put('a', 'one');
      await discard(turnUri('u'));
      assert.deepEqual(ofSession(), [['x', 'one']]);
      put('a', 'x');
      await discard(changes);
      assert.deepEqual([ofSession(), onDisk('a')], [[], 'x']);
    });

    it('writes nothing outside of the folder of the session', async () => {
      const outside = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-outside-')));
      try {
        writeFileSync(join(outside, 'x'), '2');
        mkdirSync(pathOf('inside'));
        const path = join(folder, 'inside', 'x');
        const uri = pathToFileURL(path).href;
        const edit = (of: string): FileEdit => ({
          before: { uri: of, content: contents.put(session, '1', 'text/plain') },
          after: { uri: of, content: contents.put(session, '2', 'text/plain') },
        });
        writeFileSync(path, '2');
        begin('t');
        tell('t', [edit(uri), edit(pathToFileURL(join(outside, 'x')).href), edit('https://x/y'), edit('file:///etc/hostname')]);
        end('t');
        rmSync(join(folder, 'inside'), { recursive: true });
        symlinkSync(outside, join(folder, 'inside'));
        const [code, why] = (await failure(discard(turnUri('t')))) as [number, string];
        assert.deepEqual([code, why.match(/outside of the session’s folder/g)?.length], [ErrorCode.Conflict, 3]);
        assert.match(why, /no file of this computer/);
        assert.equal(readFileSync(join(outside, 'x'), 'utf8'), '2');
      } finally {
        rmSync(outside, { recursive: true });
      }
    });

    it('leaves a link that stands in the place of a file, and what it leads to', async () => {
      put('kept', '1');
      put('other', 'new');
      await turn('t', ['kept', '2'], ['made', 'new'], ['gone', 'x'], ['plain', 'new']);
      put('mine', '2');
      for (const [name, target] of [
        ['kept', 'mine'],
        ['made', 'other'],
        ['gone', 'nowhere'],
      ] as const) {
        rmSync(pathOf(name));
        symlinkSync(pathOf(target), pathOf(name));
      }
      const { message } = await discard(turnUri('t'));
      assert.equal(message, '3 files are left as they are. kept: it is a link now; made: it is a link now; gone: it is a link now.');
      assert.deepEqual(readdirSync(folder).sort(), ['gone', 'kept', 'made', 'mine', 'other']);
      assert.deepEqual([onDisk('mine'), onDisk('other')], ['2', 'new']);
    });

    it('puts back what is no text only where nobody has changed it, and keeps what may be done with a file', async () => {
      const bytes = (...values: number[]) => contents.put(session, Uint8Array.from(values), 'application/octet-stream');
      const uri = uriOf('x');
      const edit = { before: { uri, content: bytes(0, 255, 1) }, after: { uri, content: bytes(0, 255, 2) } };
      const large = {
        before: { uri: uriOf('large'), content: { uri: uriOf('large') } },
        after: { uri: uriOf('large'), content: { uri: uriOf('large') } },
      };
      begin('t');
      tell('t', [edit, large]);
      end('t');
      put('large', 'x');
      writeFileSync(pathOf('x'), Buffer.from([0, 255, 3]));
      const why = String(await failure(discard(turnUri('t'))));
      assert.match(why, /x: it is no text, and has been changed since; large: its content of then was not kept/);
      writeFileSync(pathOf('x'), Buffer.from([0, 255, 2]));
      chmodSync(pathOf('x'), 0o750);
      await discard(turnUri('t'), resource('x'));
      assert.deepEqual([...readFileSync(pathOf('x'))], [0, 255, 1]);
      assert.equal(statSync(pathOf('x')).mode & 0o777, 0o750);
    });

    it('says which scripts are back without the permission to be executed, which is not kept', async () => {
      for (const name of ['run', 'plain', 'changed']) put(name, name === 'plain' ? 'text' : '#!/bin/sh\n');
      for (const name of ['run', 'changed']) chmodSync(pathOf(name), 0o755);
      await turn('t', ['run', undefined], ['plain', undefined], ['changed', '#!/bin/bash\n'], ['mine', 'new']);
      put('mine', 'changed');
      const { message } = await discard(turnUri('t'));
      assert.equal(
        message,
        'One file is left as it is. mine: it has been changed since. Cannot be executed any more, in case it could before: run.',
      );
      assert.deepEqual(
        ['run', 'changed'].map((name) => statSync(pathOf(name)).mode & 0o111),
        [0, 0o111],
      );
    });

    it('brings back what could be executed as the last commit has it', async () => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });
      for (const name of ['run', 'program', 'plain']) put(name, name === 'program' ? 'ELF' : '#!/bin/sh\n');
      for (const name of ['run', 'program']) chmodSync(pathOf(name), 0o755);
      git('init', '--quiet');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'first');
      put('mine', '#!/bin/sh\n');
      await turn('t', ['run', undefined], ['program', undefined], ['plain', undefined], ['mine', undefined]);
      const { message } = await discard(turnUri('t'));
      assert.equal(message, 'Cannot be executed any more, in case it could before: mine.');
      assert.deepEqual(
        ['run', 'program', 'plain', 'mine'].map((name) => statSync(pathOf(name)).mode & 0o100),
        [0o100, 0o100, 0, 0],
      );
      assert.equal(git('status', '--porcelain').toString(), '?? mine\n');
    });

    it('makes the folders of a deleted file again, and removes what one that was killed has left there', async () => {
      mkdirSync(pathOf('deep'));
      put('deep/x', '1');
      await turn('t', ['deep/x', undefined]);
      rmSync(pathOf('deep'), { recursive: true });
      mkdirSync(pathOf('deep'));
      put(`deep/.tapline-${sha256(pathOf('deep/x')).slice(0, 16)}`, 'half of');
      await discard(turnUri('t'));
      assert.deepEqual([readdirSync(pathOf('deep')), onDisk('deep/x')], [['x'], '1']);
      await turn('u', ['deep/x', undefined]);
      rmSync(pathOf('deep'), { recursive: true });
      await discard(turnUri('u'));
      assert.equal(onDisk('deep/x'), '1');
    });

    it('waits for no turn: while one runs it is refused, and so is another one at the same time', async () => {
      await turn('t', ['a', '1']);
      begin('u');
      const refused = (await failure(discard(changes))) as [number, string];
      assert.equal(refused[0], ErrorCode.TurnInProgress);
      await changesets.invoke(changes, { operationId: 'keep' });
      end('u');
      const both = await Promise.all([failure(discard(turnUri('t'))), failure(discard(turnUri('t')))]);
      assert.deepEqual(
        both.map((one) => (one as [number])[0]),
        ['n', ErrorCode.Conflict],
      );
    });

    it('is refused while a turn runs for every kind of changeset, and other operations are not', async () => {
      const done: string[] = [];
      const channel = changesetUri({ kind: 'other', session });
      const other = {
        ...{ kind: 'other', listed: async () => undefined, read: async () => ({ status: 'ready' as const, files: [] }) },
        invoke: async (_target: unknown, { operationId }: { operationId: string }) => {
          done.push(operationId);
          return {};
        },
      };
      changesets.dispose();
      changesets = new Changesets({
        ...{ store, logger: nullLogger, sources: [other], isRead: () => false },
        facts: (uri) => ({ uri, workingDirectory: folder, createdAt: 0 }),
      });
      begin('inner', helper);
      const [code] = (await failure(discard(channel))) as [number, string];
      assert.equal(code, ErrorCode.TurnInProgress);
      await changesets.invoke(channel, { operationId: 'commit' });
      end('inner', helper);
      await discard(channel);
      assert.deepEqual(done, ['commit', 'discard']);
    });

    it('of all turns, newest first, brings back the files of the beginning', async () => {
      const name = fc.constantFrom('a', 'b', 'c');
      const lines = fc.array(fc.constantFrom('x', 'y', 'z', '', '}'), { maxLength: 6 });
      const text = fc.option(
        fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.join('\n') + (ends ? '\n' : '')),
        { nil: undefined },
      );
      const steps = fc.array(fc.array(fc.tuple(name, text), { maxLength: 4 }), { maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(fc.tuple(text, text, text), steps, async (beginning, all) => {
          changesets.dispose();
          open();
          const names = ['a', 'b', 'c'];
          names.forEach((each, index) => put(each, beginning[index]));
          for (const [index, each] of all.entries()) await turn(`t${index}`, ...each);
          for (const index of [...all.keys()].reverse()) {
            if ((await ofTurn(`t${index}`))?.length) assert.deepEqual(await discard(turnUri(`t${index}`)), {});
            assert.deepEqual(await ofTurn(`t${index}`), []);
          }
          assert.deepEqual(names.map(onDisk), beginning);
          assert.deepEqual(ofSession(), []);
        }),
        { numRuns: Number(process.env.RUNS ?? 25) },
      );
    });
  });

  it('are kept by taking files out of the list, and what they are then is the beginning of later changes', async () => {
    await change('a', '1');
    await change('b', '1');
    await changesets.invoke(changes, { operationId: 'keep', target: resource('a') });
    assert.deepEqual(ofSession(), [[undefined, '1']]);
    await change('a', '2');
    await changesets.invoke(changes, { operationId: 'keep', target: resource('b') });
    assert.deepEqual(ofSession(), [['1', '2']]);
    const refused = (target: ChangesetOperationTarget | undefined, operationId = 'keep') =>
      failure(changesets.invoke(changes, { operationId, ...(target && { target }) }));
    assert.match(String(await refused(resource('none'))), /have no file/);
    assert.match(String(await refused(range('a', 0, 1))), /cannot be done for a range/);
    assert.match(String(await refused(undefined, 'commit')), /no operation commit/);
  });

  it('are neither discarded nor kept without a question', () => {
    for (const { id, confirmation } of sessionOperations) assert.ok(confirmation, id);
    assert.match(String(sessionOperations.find(({ id }) => id === 'keep')?.confirmation), /cannot be discarded from here any more/);
  });

  it('are listed while there is something in them, and are channels while somebody reads them', async () => {
    const listed = () => store.session(session)?.changesets?.map(({ changeKind }) => changeKind);
    const settled = async () => {
      for (let round = 0; round < 20; round++) await Promise.resolve();
    };
    await settled();
    assert.equal(listed(), undefined);
    await turn('t', ['a', '1']);
    await settled();
    assert.deepEqual(listed(), ['session', 'turn']);
    const channel = turnUri('t');
    read.add(channel);
    changesets.open(channel);
    assert.deepEqual([store.changeset(channel)?.status, store.sessionOf(channel)], ['computing', undefined]);
    await settled();
    assert.deepEqual([store.changeset(channel)?.status, shown(store.changeset(channel))], ['ready', [[undefined, '1']]]);
    const statuses: unknown[] = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.channel === channel && 'status' in envelope.action) statuses.push(envelope.action.status);
    });
    await discard(channel);
    assert.deepEqual([shown(store.changeset(channel)), listed()], [[], ['turn']]);
    assert.deepEqual([statuses[0], statuses.at(-1)], ['running', 'ready']);
    changesets.letGo();
    assert.notEqual(store.changeset(channel), undefined);
    read.clear();
    changesets.letGo([channel]);
    assert.equal(store.changeset(channel), undefined);
    changesets.open(turnUri('none'));
    changesets.open(changesetUri({ kind: 'other', session }));
    assert.deepEqual([store.kindOf(turnUri('none')), store.kindOf(changesetUri({ kind: 'other', session }))], [undefined, undefined]);
    changesets.open(channel);
    for (const each of store.family(session).reverse()) store.delete(each.channel);
    assert.equal(store.changeset(channel), undefined);
  });

  it('look through the turns once, and follow what becomes of them', async () => {
    const isListed = async () => (await turns.listed(session)) !== undefined;
    begin('talk');
    end('talk');
    assert.equal(await isListed(), false);
    const chatOf = store.chat.bind(store);
    let looked = 0;
    store.chat = (chat) => {
      looked++;
      return chatOf(chat);
    };
    for (const turnId of ['more', 'again']) {
      begin(turnId);
      tell(turnId, []);
      end(turnId);
      assert.equal(await turns.listed(session), undefined);
    }
    assert.equal(looked, 0);
    begin('t');
    tell('t', [await change('a', '1')]);
    assert.equal(await isListed(), true);
    end('t');
    looked = 0;
    assert.equal(await isListed(), true);
    assert.equal(looked, 0);
    const fork = { resource: 'ahp-chat://fork', title: '', status: 1, modifiedAt: '', turns: [...(chatOf(first)?.turns ?? [])] };
    store.dispatch(first, { type: 'chat/truncated', turnId: 'again' });
    assert.equal(await isListed(), false);
    const { turns: _turns, ...chat } = fork;
    store.add({ channel: fork.resource, kind: 'chat', state: fork }, session);
    store.dispatch(session, { type: 'session/chatAdded', summary: chat });
    assert.equal(await isListed(), true);
    store.dispatch(session, { type: 'session/chatRemoved', chat: fork.resource });
    assert.equal(await isListed(), false);
  });

  it('ask Git after a turn and after an operation, but not for each file that a turn changes', async () => {
    const asked: string[] = [];
    const source = {
      ...{ kind: 'uncommitted', asksGit: true },
      listed: async () => {
        asked.push('listed');
        return { label: 'U', uriTemplate: channel, changeKind: 'uncommitted' };
      },
      read: async () => {
        asked.push('read');
        return { status: 'ready' as const, files: [] };
      },
      invoke: async () => ({}),
    };
    const channel = changesetUri({ kind: 'uncommitted', session });
    sources.push(source);
    read.add(channel);
    const settled = async () => {
      for (let round = 0; round < 40; round++) await Promise.resolve();
    };
    changesets.open(channel);
    await settled();
    assert.deepEqual(asked.splice(0), ['listed', 'read']);
    begin('t');
    tell('t', [await change('a', '1'), await change('b', '1')]);
    await settled();
    assert.deepEqual(asked.splice(0), []);
    const listed = () => store.session(session)?.changesets?.map(({ changeKind }) => changeKind);
    assert.deepEqual(listed(), ['session', 'uncommitted']);
    await change('c', '1');
    end('t');
    await settled();
    assert.deepEqual(asked.splice(0), ['listed', 'read']);
    await changesets.invoke(channel, { operationId: 'commit' });
    assert.deepEqual(asked.splice(0), ['listed', 'read']);
  });

  it('remember what was discarded of the turns that are there', async () => {
    await turn('t', ['a', '1']);
    await turn('u', ['b', '1']);
    await discard(turnUri('u'));
    await discard(turnUri('t'));
    const noted = () =>
      (store.session(session)?._meta?.['tapline.discarded'] as { turnId: string }[] | undefined)?.map(({ turnId }) => turnId);
    assert.deepEqual(noted(), ['u', 't']);
    store.dispatch(first, { type: 'chat/truncated', turnId: 't' });
    assert.deepEqual(noted(), ['t']);
    store.dispatch(first, { type: 'chat/truncated' });
    assert.equal(noted(), undefined);
  });

  it('show what a turn changes that goes on after its files were discarded', async () => {
    begin('t');
    tell('t', [await change('a', 'one')]);
    const part = { kind: 'error' as const, error: { errorType: 'x', message: 'y' }, resumable: true };
    store.dispatch(first, { type: 'chat/error', turnId: 't', duration: 1, part });
    await discard(turnUri('t'));
    store.dispatch(first, { type: 'chat/turnResume', turnId: 'other' });
    assert.deepEqual(await ofTurn('t'), []);
    store.dispatch(first, { type: 'chat/turnResume', turnId: 't' });
    tell('t', [await change('a', 'two')]);
    end('t');
    assert.deepEqual(await ofTurn('t'), [[undefined, 'two']]);
    await discard(turnUri('t'));
    assert.deepEqual([onDisk('a'), await ofTurn('t'), ofSession()], [undefined, [], []]);
  });

  /** Of files that are gone already. */
  function turnWith(files: number): void {
    begin('t');
    const content = contents.put(session, 'x', 'text/plain');
    tell(
      't',
      Array.from({ length: files }, (_, index) => ({ after: { uri: uriOf(`f${index}`), content } })),
    );
    end('t');
  }

  it('remember of a turn whose files were all discarded that it is the whole turn, however many they are', async () => {
    turnWith(310);
    await discard(turnUri('t'), resource('f0'));
    await discard(turnUri('t'));
    assert.deepEqual(await ofTurn('t'), []);
    assert.deepEqual(store.session(session)?._meta?.['tapline.discarded'], [{ turnId: 't' }]);
    await turn('u', ['a', '1'], ['b', '1']);
    await discard(turnUri('u'), resource('a'));
    assert.deepEqual(await ofTurn('u'), [[undefined, '1']]);
    await discard(turnUri('u'), resource('b'));
    assert.deepEqual(store.session(session)?._meta?.['tapline.discarded'], [{ turnId: 't' }, { turnId: 'u' }]);
  });

  it('still show the files of a turn that are more than are shown at once', async () => {
    turnWith(1001);
    await discard(turnUri('t'));
    assert.notEqual((await ofTurn('t'))?.length, 0);
  });
});
