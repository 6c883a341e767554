import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIn, rawManifest } from '../../../test/support/manifest.ts';
import { ANSWER_KEY, SELECTION_KEY, commandIds, commandName } from '../commandTable.ts';
import { manifestParts } from './manifestParts.ts';

const extension = join(import.meta.dirname, '..');
const root = join(extension, '../..');
const manifest = manifestIn();
const { contributes } = manifest;
const settings: Record<string, Record<string, string>> = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

function sourcesIn(folder: string): string {
  return (
    readdirSync(folder, { withFileTypes: true })
      // It has the conditions.
      .filter(({ name }) => name !== 'commandTable.ts' && !name.endsWith('.test.ts'))
      .map((entry) => (entry.isDirectory() ? sourcesIn(join(folder, entry.name)) : readFileSync(join(folder, entry.name), 'utf8')))
      .join('\n')
  );
}

describe('manifest', () => {
  it('has what the tables say', () => {
    const { contributes: made, description, untrusted } = manifestParts();
    const raw = rawManifest();
    assert.deepEqual({ ...raw.contributes, ...made }, raw.contributes, 'Run “npm run manifest”.');
    assert.deepEqual([raw.description, raw.capabilities.untrustedWorkspaces.description], [description, untrusted]);
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

  it('has each setting in a group, in an order, described, with an example where there is more to enter than a tick', () => {
    const orders = contributes.configuration.map(({ order }: { order: number }) => order);
    assert.deepEqual(
      orders,
      orders.map((_order: number, at: number) => at + 1),
    );
    for (const { id, title, properties } of contributes.configuration) {
      assert.ok(id && title);
      Object.values(properties as Record<string, { order: number }>).forEach(({ order }, at) => assert.equal(order, at + 1));
    }
    for (const [name, { markdownDescription, description, type, ...schema }] of Object.entries(settings)) {
      assert.ok(markdownDescription && description === undefined, name);
      if (type !== 'boolean' && !schema.enum) assert.match(markdownDescription, /Example: `/, name);
    }
  });

  it('says of each choice of a setting what it means', () => {
    let found = 0;
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { enum: choices, enumDescriptions } = value as { enum?: unknown; enumDescriptions?: string[] };
      if (Array.isArray(choices)) {
        found++;
        assert.equal(enumDescriptions?.length, choices.length, path);
        // VS Code shows them as they are.
        for (const text of enumDescriptions) assert.doesNotMatch(text, /[`\[\]#]/, path);
      }
      for (const [name, one] of Object.entries(value)) look(one, `${path}.${name}`);
    };
    look(settings, '');
    assert.ok(found >= 5);
  });

  it('links only to settings that there are', () => {
    const linked = [...JSON.stringify(settings).matchAll(/`#([\w.]+)#`/g)];
    assert.ok(linked.length >= 2);
    for (const [, name = ''] of linked) assert.ok(name in settings, name);
  });

  it('reads exactly the declared settings', () => {
    const source = readFileSync(join(extension, 'settings.ts'), 'utf8');
    const table = /const names = \{([^}]*)\}/.exec(source)?.[1] ?? '';
    const openCtx = /const openCtxNames = \{([^}]*)\}/.exec(source)?.[1] ?? '';
    const quoted = (text: string) => Array.from(text.matchAll(/'([^']+)'/g), ([, name]) => name ?? '');
    const names = [...quoted(table).map((name) => `tapline.${name}`), ...quoted(openCtx)];
    assert.deepEqual(names.sort(), Object.keys(settings).sort());
  });

  it('names only files that exist', () => {
    const icons = [manifest.icon, ...contributes.viewsContainers.activitybar.map(({ icon }: { icon: string }) => icon)];
    const steps: { media: { svg: string; altText: string } }[] = contributes.walkthroughs.flatMap((one: { steps: object[] }) => one.steps);
    for (const file of [...icons, ...steps.map(({ media }) => media.svg)]) {
      assert.ok(existsSync(join(root, file)), file);
      assert.match(file, /^media\/(?:walkthrough\/)?[^/]+$/, 'only these folders go into the package');
    }
  });

  it('has a picture of each step of the walkthrough that follows the theme, has no words, and is described', () => {
    for (const { steps } of contributes.walkthroughs as { steps: { id: string; media: { svg: string; altText: string } }[] }[])
      for (const { id, media } of steps) {
        assert.match(media.altText, /^\p{Lu}.{20,}\.$/u, id);
        const picture = readFileSync(join(root, media.svg), 'utf8');
        assert.match(picture, /var\(--vscode-/, id);
        assert.doesNotMatch(picture, /<text|<script|href=|#[\da-f]{3,8}\b/i, id);
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

  /** Those that can be used at any time: they begin something, show where a thing would be, or help to find out what is wrong. */
  const alwaysUsable = [
    'newPortalEntry',
    'newSession',
    ...['connectCopilot', 'addModel', 'signInToGitHub', 'installEngine'],
    ...['addHost', 'connectVsCodeHost'],
    ...['showProviders', 'copyProvider', 'showOpenCtxProviders', 'showJobs', 'openPortal'],
    ...['getStarted', 'openSettings', 'showLog', 'copyDiagnostics', 'reportIssue', 'replayWireLog'],
    ...['removeData', 'updateTapline'],
  ];

  it('hides each command from the palette while it cannot be used, except those that always can', () => {
    const entries: { command: string; when?: string }[] = contributes.menus.commandPalette;
    assert.equal(new Set(entries.map(({ command }) => command)).size, entries.length, 'one entry a command');
    for (const { command, when } of entries) assert.ok(when, command);
    const withoutEntry = commandIds.filter((id) => !entries.some(({ command }) => command === commandName(id)));
    assert.deepEqual([...withoutEntry].sort(), [...alwaysUsable].sort());
  });

  it('offers what is done with changes only for rows that have it, and does not say whose changes they are', () => {
    const { commandPalette, 'view/item/context': rows } = contributes.menus as Record<
      string,
      { command: string; when: string; group: string }[]
    >;
    const when = (id: (typeof commandIds)[number]) => commandPalette?.find(({ command }) => command === commandName(id))?.when;
    assert.deepEqual((['openChange', 'runChangeOperation', 'discardChanges', 'keepChanges'] as const).map(when), [
      'tapline.changedFilesShown',
      'tapline.changeOperationOffered',
      'tapline.discardOffered',
      'tapline.keepOffered',
    ]);
    const inline = rows
      ?.filter(({ when: row, group }) => row.startsWith('view == tapline.changes') && group.startsWith('inline'))
      .sort((one, other) => one.group.localeCompare(other.group));
    assert.deepEqual(
      inline?.map(({ command, when: row }) => [command, /\/ (\w+)/.exec(row)?.[1]]),
      [
        [commandName('discardChanges'), 'discard'],
        [commandName('keepChanges'), 'keep'],
        [commandName('runChangeOperation'), 'others'],
      ],
    );
    const { title } = contributes.commands.find(({ command }: { command: string }) => command === commandName('discardChanges'));
    assert.equal(title, 'Discard Changes…');
  });

  it('names what a command of the palette does by a verb, in title case, with “…” only at the end', () => {
    const isHidden = (command: string) =>
      contributes.menus.commandPalette.some(
        (entry: { command: string; when: string }) => entry.command === command && entry.when === 'false',
      );
    const verbs =
      'Add|Allow|Answer|Approve|Archive|Ask|Browse|Choose|Clear|Comment|Commit|Connect|Continue|Copy|Delete|Deny|Discard|Do|Edit|Enter|Export|Filter|Find|Focus|Forget|Fork|Get|Go|Group|Install|Jump|Keep|' +
      // As VS Code has it: New File…, New Terminal.
      'Lend|Let|Load|Mark|Never|New|Open|Pause|Pin|Reconnect|Refresh|Remove|Rename|Replay|Report|Restart|Review|Revoke|Run|Search|Set|Show|Sign|Start|Stop|Switch|Try|Turn|' +
      'Type|Unarchive|Unpin|Update|Watch';
    const smallWords = new Set('a an the and or of to in on at for by from with into as about'.split(' '));
    for (const { command, title } of contributes.commands as { command: string; title: string }[]) {
      if (isHidden(command)) continue;
      assert.match(title, new RegExp(`^(?:${verbs})(?: |…?$)`), command);
      assert.doesNotMatch(title, /\.|…./, command);
      assert.doesNotMatch(title, /\bthe\b/i, `${command}: “the” tells nothing in a title`);
      const [, ...rest] = title.split(' ');
      for (const word of rest) assert.ok(smallWords.has(word) || /^\p{Lu}/u.test(word), `${command}: “${word}” in “${title}”`);
      for (const word of rest) assert.ok(!smallWords.has(word.toLowerCase()) || /^(?:In|On)$|^\p{Ll}/u.test(word), `${command}: “${word}”`);
    }
  });

  it('offers one of two opposites at most', () => {
    const when = new Map<string, string>(
      contributes.menus.commandPalette.map((entry: { command: string; when: string }) => [entry.command, entry.when]),
    );
    const pairs = [
      ['archiveSession', 'unarchiveSession'],
      ['markSessionRead', 'markSessionUnread'],
      ['pinSession', 'unpinSession'],
      ['groupSessionsByDate', 'groupSessionsByProject'],
      ['startWireLog', 'stopWireLog'],
      ['startGateway', 'stopGateway'],
    ] as const;
    for (const [one, other] of pairs) assert.notEqual(when.get(commandName(one)), when.get(commandName(other)), one);
    const start = /tapline\.gatewayOff =~ \/(.+)\//.exec(when.get(commandName('startGateway')) ?? '')?.[1] ?? '';
    assert.equal(when.get(commandName('stopGateway')), '!tapline.gatewayOff');
    for (const off of ['user', 'unused']) assert.match(off, new RegExp(start));
    for (const off of ['', 'setting']) assert.doesNotMatch(off, new RegExp(start));
  });

  it('has one log in the palette, which lists all that there are', () => {
    const logs = commandIds.filter((id) => /Log$/.test(id) && !/WireLog$/.test(id));
    const hidden = contributes.menus.commandPalette.filter(({ when }: { when: string }) => when === 'false');
    const shown = logs.filter((id) => !hidden.some(({ command }: { command: string }) => command === commandName(id)));
    assert.deepEqual([logs.length, shown], [6, ['showLog']]);
  });

  it('calls one thing by one word', () => {
    const texts = contributes.commands.map(({ title }: { title: string }) => title);
    for (const text of texts)
      assert.doesNotMatch(text, /OpenCtx|Tap Gateway|Context Source|Plugin|(?<!Agent )Host\b(?! Settings| Token| Connections)/, text);
  });

  it('is named in documents as it is in the palette', () => {
    const titles = new Set<string>(contributes.commands.map(({ title }: { title: string }) => title));
    const documents = ['.', 'docs', 'media'].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
        .map((name) => join(folder, name)),
    );
    let found = 0;
    for (const file of documents)
      for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\*\*Tapline: ([^*]+)\*\*/g)) {
        found++;
        assert.ok(titles.has(name.replaceAll(/\s+/g, ' ')), `${file}: “${name}”`);
      }
    assert.ok(found > 30);
    const quoted = [...sourcesIn(join(root, 'src')).matchAll(/“Tapline: ([^”$]+)”/g)];
    assert.ok(quoted.length > 10);
    for (const [, name = ''] of quoted) assert.ok(titles.has(name), `“${name}” in a text`);
  });

  it('tests only context keys that the extension sets', () => {
    const sources = sourcesIn(extension);
    const { menus, keybindings, viewsWelcome, views } = contributes;
    const clauses: { when?: string }[] = [menus, views]
      .flatMap((lists) => Object.values(lists).flat() as never)
      .concat(keybindings, viewsWelcome);
    const conditions = clauses.map(({ when = '' }) => when).join('\n');
    const keys = new Set(Array.from(conditions.matchAll(/(?<![\w.-]|== )tapline\.\w+/g), ([key]) => key));
    for (const [, key] of JSON.stringify(contributes.walkthroughs).matchAll(/onContext:([\w.]+)/g)) keys.add(key ?? '');
    assert.ok(keys.size >= 25);
    for (const key of keys) assert.ok(sources.includes(`'${key}'`), key);
  });
});
