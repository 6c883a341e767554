import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER_KEY, SELECTION_KEY, commandIds, commandName } from './commandTable.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { contributes } = manifest;

describe('manifest', () => {
  it('declares exactly the commands of the table, each with a title and a category', () => {
    const declared = contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual([...declared].sort(), commandIds.map(commandName).sort());
    for (const { title, category } of contributes.commands) assert.ok(title && category === 'Tapline');
  });

  it('uses only declared commands in menus and keybindings', () => {
    const declared = new Set(contributes.commands.map(({ command }: { command: string }) => command));
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings] as { command: string }[];
    for (const { command } of used) assert.ok(declared.has(command), command);
    const linked = [
      ...JSON.stringify([contributes.walkthroughs, contributes.viewsWelcome]).matchAll(/(?:command|onCommand):(tapline\.\w+)/g),
    ];
    assert.ok(linked.length >= 6);
    for (const [, command] of linked) assert.ok(declared.has(command), command);
  });

  it('tells an answer by a key from one of the palette, and binds it to a card that has the focus', () => {
    const bound = contributes.keybindings.filter(({ command }: { command: string }) => /^tapline\.(approve|deny)$/.test(command));
    assert.equal(bound.length, 2);
    for (const { args, when } of bound) assert.deepEqual([args, when], [ANSWER_KEY, 'tapline.callFocused']);
  });

  it('binds F2 and Delete to the selected sessions of the tree only', () => {
    const bound = contributes.keybindings.filter(({ args }: { args?: string }) => args === SELECTION_KEY);
    assert.deepEqual(
      bound.map(({ command, key }: Record<string, string>) => [command, key]),
      [
        ['tapline.renameSession', 'f2'],
        ['tapline.deleteSession', 'delete'],
      ],
    );
    for (const { when } of bound) assert.equal(when, 'focusedView == tapline.sessions && listFocus && !inputFocus');
  });

  it('describes every setting', () => {
    for (const [name, setting] of Object.entries(contributes.configuration.properties) as [string, Record<string, string>][]) {
      assert.ok(setting.description ?? setting.markdownDescription, name);
    }
  });

  it('reads exactly the declared settings', () => {
    const source = readFileSync(join(import.meta.dirname, 'settings.ts'), 'utf8');
    const table = /const names = \{([^}]*)\}/.exec(source)?.[1] ?? '';
    const openCtx = /const openCtxNames = \{([^}]*)\}/.exec(source)?.[1] ?? '';
    const quoted = (text: string) => Array.from(text.matchAll(/'([^']+)'/g), ([, name]) => name ?? '');
    const names = [...quoted(table).map((name) => `tapline.${name}`), ...quoted(openCtx)];
    assert.deepEqual(names.sort(), Object.keys(contributes.configuration.properties).sort());
  });

  it('names only files that exist', () => {
    const icons = [manifest.icon, ...contributes.viewsContainers.activitybar.map(({ icon }: { icon: string }) => icon)];
    const steps = contributes.walkthroughs.flatMap(({ steps }: { steps: { media: { markdown: string } }[] }) => steps);
    for (const file of [...icons, ...steps.map(({ media }: { media: { markdown: string } }) => media.markdown)]) {
      assert.ok(existsSync(join(root, file)), file);
      assert.match(file, /^media\/[^/]+$/, 'only this folder goes into the package');
    }
  });

  it('gives each visible view a size, because one without takes the room of the others', () => {
    for (const { id, visibility, initialSize } of contributes.views.tapline) assert.ok(visibility === 'hidden' || initialSize > 0, id);
  });

  it('lets a collapsed view that appears later take no room of the session', () => {
    for (const { id, when, visibility, initialSize } of contributes.views.tapline)
      assert.ok(when === undefined || visibility !== 'collapsed' || initialSize < 0.1, id);
  });

  it('asks for no newer VS Code than the API that it is compiled against', () => {
    const types = JSON.parse(readFileSync(join(root, 'node_modules/@types/vscode/package.json'), 'utf8'));
    assert.equal(manifest.engines.vscode, `^${types.version}`);
  });

  it('tests only context keys that the extension sets', () => {
    const sources = (function read(folder: string): string {
      return readdirSync(folder, { withFileTypes: true })
        .map((entry) => (entry.isDirectory() ? read(join(folder, entry.name)) : readFileSync(join(folder, entry.name), 'utf8')))
        .join('\n');
    })(import.meta.dirname);
    const conditions =
      JSON.stringify(contributes.menus) + JSON.stringify(contributes.keybindings) + JSON.stringify(contributes.viewsWelcome);
    const keys = new Set(
      [
        ...conditions.matchAll(/(?<![\w.:])tapline\.(ready|hostCount|filtered|gatewayOff|\w*(?:Shown|NeedsYou|Running|Focused|Offered))/g),
      ].map(([key]) => key),
    );
    for (const [, key] of JSON.stringify(contributes.walkthroughs).matchAll(/onContext:([\w.]+)/g)) keys.add(key ?? '');
    assert.ok(keys.size >= 7);
    for (const key of keys) assert.ok(sources.includes(`'${key}'`), key);
  });
});
