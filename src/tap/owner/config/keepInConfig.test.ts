import assert from 'node:assert/strict';
import { type KeptInConfig, withEmitter } from './keepInConfig.ts';
import { parseTapConfig } from './tapConfig.ts';

const emitter: KeptInConfig = {
  ...{ name: 'tests', stream: 'tests', command: 'npm test', runInterval: '5m', includeStderr: false, ownership: 'userOwned' },
  eventFilter: [{ match: 'FAIL', outcome: 'inject' }],
};

describe('An emitter that is written into tap.config.json', () => {
  const read = (text: string) => parseTapConfig(text, 'x').emitters;

  it('is read back as it was', () => {
    const all: KeptInConfig[] = [
      emitter,
      { ...emitter, name: 'other', stream: 'ci', cwd: 'sub', maxRuns: 3, includeStderr: true, ownership: 'modelOwned', description: 'x' },
      { name: 'ask', stream: 'ask', prompt: 'Look', runInterval: 'idle', eventFilter: [], ownership: 'userOwned' },
    ];
    const text = all.reduce<string | undefined>((before, one) => withEmitter(before, one), undefined) ?? '';
    const { command, runInterval, eventFilter } = emitter;
    assert.deepEqual(read(text), [
      { name: 'tests', command, runInterval, eventFilter, lifespan: 'persistent' },
      {
        ...{
          name: 'other',
          command,
          cwd: 'sub',
          stream: 'ci',
          runInterval,
          eventFilter,
          maxRuns: 3,
          includeStderr: true,
          description: 'x',
        },
        ...{ ownership: 'modelOwned', lifespan: 'persistent' },
      },
      { name: 'ask', prompt: 'Look', runInterval: 'idle', lifespan: 'persistent' },
    ]);
    assert.match(text, /^\{\n {2}"emitters": \[\n {4}\{\n {6}"name": "tests",\n {6}"command": "npm test",/);
  });

  it('leaves comments, other fields and the way the file is written as they are', () => {
    const before = `// Of the team.\r\n{\r\n\t"other": {"a":1}, // kept\r\n\t"emitters": [\r\n\t\t// The log.\r\n\t\t{ "name": "Log", "command": "tail -f x" },\r\n\t],\r\n}\r\n`;
    const after = withEmitter(before, emitter);
    for (const part of ['// Of the team.\r\n', '"other": {"a":1}, // kept\r\n', '// The log.\r\n', '"command": "tail -f x"'])
      assert.ok(after.includes(part), after);
    assert.deepEqual(
      read(after).map(({ name }) => name),
      ['log', 'tests'],
    );
    assert.ok(!/[^\r]\n/.test(after) && after.includes('\t\t\t"name": "tests"'), JSON.stringify(after));
    const again = withEmitter(after, { ...emitter, command: 'npm run other', name: 'log', stream: 'log' });
    assert.deepEqual(
      read(again).map(({ name, command }) => [name, command]),
      [
        ['log', 'npm run other'],
        ['tests', 'npm test'],
      ],
      'one of its name is replaced',
    );
    assert.ok(again.includes('// The log.'));
  });

  it('begins the list, or the file, where there is none', () => {
    for (const text of [undefined, '', ' \n', '{}', '{"providers":[]}', '{ "emitters": [] }'])
      assert.deepEqual(
        read(withEmitter(text, emitter)).map(({ name }) => name),
        ['tests'],
        text,
      );
  });
});
