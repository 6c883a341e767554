import assert from 'node:assert/strict';
import { sessionState } from '../../../test/fakes/models.ts';
import type { Customization, McpServerState } from '../../ahp/channels/shapes/customizations.ts';
import { wellFormed } from '../../ahp/wellFormed/wellFormed.ts';
import { type CustomizationRow, customizationRows, waitingServers } from './sessionCustomizations.ts';

const auth = { reason: 'required' as const, resource: { resource: 'https://mcp.example' } };
const server = (state: McpServerState, fields: object = {}): Customization =>
  ({ type: 'mcpServer', id: 's', uri: 'x:/s', name: 'Search', state, ...fields }) as Customization;
const plugin = (fields: object = {}): Customization =>
  ({ type: 'plugin', id: 'p', uri: 'file:///p', name: 'Plugin', ...fields }) as Customization;
const skill = { type: 'skill' as const, id: 'k', uri: 'file:///p/k.md', name: 'Skill', description: 'Does it' };

const rows = (customizations: unknown[], fields: object = {}, can = true): CustomizationRow[] =>
  customizationRows(wellFormed.session(sessionState({ customizations: customizations as Customization[], ...fields })), () => can);
const facts = (...customizations: unknown[]) => rows(customizations).map(({ name, facts: all }) => [name, ...all]);
const labels = (row: CustomizationRow | undefined) => row?.choices.map(({ label }) => label);
const decisions = (row: CustomizationRow | undefined, label: string) => {
  const does = row?.choices.find((choice) => choice.label === label)?.does;
  return does?.kind === 'perform' && does.action.type === 'session/customizationToggled' ? does.action.enablement : undefined;
};

describe('customizationRows', () => {
  it('has what a plugin or a folder contains below it, and leaves out folders with nothing in them', () => {
    const folder = { type: 'directory', id: 'd', uri: 'file:///d', name: 'skills', enabled: true, contents: 'skill', writable: true };
    assert.deepEqual(
      rows([plugin({ children: [skill] }), { ...folder, children: [], load: { kind: 'loaded' } }]).map(({ id, kind, parent, file }) => [
        id,
        kind,
        parent,
        file,
      ]),
      [
        ['p', 'plugin', undefined, undefined],
        ['k', 'skill', 'Plugin', 'file:///p/k.md'],
      ],
    );
    // What failed is said.
    assert.deepEqual(facts({ ...folder, load: { kind: 'error', message: 'No access' } }), [['skills', 'failed: No access']]);
  });

  it('says how each is: the narrowest decision holds', () => {
    const everywhere = { kind: 'global', enabled: false };
    const here = { kind: 'session', enabled: true };
    assert.deepEqual(facts(plugin({ enablement: [everywhere] })), [['Plugin', 'off everywhere']]);
    assert.deepEqual(facts(plugin({ enablement: [everywhere, here] })), [['Plugin']]);
    const inFolder = plugin({ enablement: [{ kind: 'workspace', uri: 'file:///w', enabled: false }], children: [skill] });
    assert.deepEqual(facts(inFolder), [['Plugin', '1 part'], ['Skill']]);
    const there = rows([inFolder], { workingDirectories: ['file:///w'] });
    assert.deepEqual(
      there.map((row) => [row.name, ...row.facts]),
      [
        ['Plugin', 'off in this folder', '1 part'],
        ['Skill', 'off with its plugin'],
      ],
    );
    assert.deepEqual(facts(server({ kind: 'starting', blocking: true })), [['Search', 'starting, and messages wait for it']]);
    assert.deepEqual(facts(server({ kind: 'error', error: { errorType: 'x', message: 'It\nended' } })), [['Search', 'failed: It ended']]);
  });

  it('lets each be switched in three scopes, so that what is chosen happens', () => {
    const other = { kind: 'workspace' as const, uri: 'file:///other', enabled: false };
    const [row] = rows([plugin({ enablement: [other, { kind: 'session', enabled: false }] })], { workingDirectories: ['file:///w'] });
    const everywhere = 'Turn On Everywhere, Except in Folders with Their Own Decision';
    assert.deepEqual(labels(row), ['Turn On for This Session', 'Turn On in This Folder', everywhere, 'Forget What Was Decided']);
    assert.deepEqual(decisions(row, 'Turn On for This Session'), [other, { kind: 'session', enabled: true }]);
    // The decision for the session would still win.
    assert.deepEqual(decisions(row, 'Turn On in This Folder'), [other, { kind: 'workspace', uri: 'file:///w', enabled: true }]);
    assert.deepEqual(decisions(row, everywhere), [other, { kind: 'global', enabled: true }]);
    assert.deepEqual(decisions(row, 'Forget What Was Decided'), [other]);
  });

  it('has one switch for what has one', () => {
    const [, row] = rows([plugin({ children: [skill] })]);
    assert.deepEqual(labels(row), ['Turn Off']);
    assert.deepEqual(decisions(row, 'Turn Off'), [{ kind: 'session', enabled: false }]);
  });

  it('lets a server be started, stopped, left to start alone, and signed in to', () => {
    const own = (state: McpServerState) => labels(rows([server(state)])[0])?.filter((label) => !label.startsWith('Turn'));
    assert.deepEqual(own({ kind: 'stopped' }), ['Start']);
    assert.deepEqual(own({ kind: 'ready' }), ['Stop']);
    assert.deepEqual(own({ kind: 'starting', blocking: true }), ['Do Not Wait for It', 'Stop']);
    assert.deepEqual(own({ kind: 'authRequired', ...auth }), ['Sign In…', 'Stop']);
  });

  it('has no button for what the host cannot do', () => {
    assert.deepEqual(labels(rows([server({ kind: 'ready' })], {}, false)[0]), []);
  });

  it('shows what it does not know, and survives what makes no sense', () => {
    const all = rows([
      7,
      null,
      { type: 'dream', id: 'd' },
      { type: 'plugin' },
      server(undefined as never),
      plugin({ children: 'x', enablement: [{ kind: 'session' }] }),
    ]);
    assert.deepEqual(
      all.map(({ id, kind, facts: said }) => [id, kind, said]),
      [
        ['d', 'unknown', []],
        ['s', 'mcpServer', []],
        ['p', 'plugin', []],
      ],
    );
  });
});

describe('waitingServers', () => {
  it('names those that need a sign-in and are on, also in plugins', () => {
    const waiting = server({ kind: 'authRequired', ...auth });
    const state = (...customizations: Customization[]) => wellFormed.session(sessionState({ customizations }));
    assert.deepEqual(waitingServers(state(waiting, plugin({ children: [{ ...waiting, id: 'c', name: 'Inner' }] }))), ['Search', 'Inner']);
    assert.deepEqual(
      waitingServers(
        state(server({ kind: 'ready' }), server({ kind: 'authRequired', ...auth }, { enablement: [{ kind: 'global', enabled: false }] })),
      ),
      [],
    );
  });
});
