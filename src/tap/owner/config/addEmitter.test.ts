import assert from 'node:assert/strict';
import { emitterStatus } from '../../../../test/webview/watchedEmitters.ts';
import { addEmitter } from './addEmitter.ts';
import { parseTapConfig } from './tapConfig.ts';

const PATH = '/w/tap.config.json';
const filter = [{ match: 'FAIL', outcome: 'inject' as const }];

describe('an emitter that is kept in the file of its folder', () => {
  it('makes the file where there is none, with what it does', () => {
    const status = emitterStatus({ eventFilter: filter, stream: 'tests', includeStderr: true });
    const [kept] = parseTapConfig(addEmitter(undefined, PATH, status), PATH).emitters;
    assert.deepEqual(kept, {
      ...{ name: 'npm-test', command: 'npm test', runInterval: '5m', eventFilter: filter, stream: 'tests', includeStderr: true },
      ...{ ownership: 'userOwned', lifespan: 'persistent' },
    });
  });

  it('comes after the others, whose comments stay', () => {
    const before =
      '{\n  // Ours.\n  "providers": [],\n  "emitters": [\n    { "name": "a", "command": "x", "runInterval": "1m" }, // first\n  ],\n}\n';
    const after = addEmitter(before, PATH, emitterStatus());
    assert.match(after, /\/\/ Ours\./);
    assert.match(after, /\/\/ first/);
    assert.deepEqual(
      parseTapConfig(after, PATH).emitters.map(({ name }) => name),
      ['a', 'npm-test'],
    );
  });

  it('changes nothing of a file that has the name, or is wrong', () => {
    const text = addEmitter('', PATH, emitterStatus());
    assert.throws(() => addEmitter(text, PATH, emitterStatus()), /has an emitter “npm-test” already/);
    assert.throws(() => addEmitter('{ "emitters": [}', PATH, emitterStatus()), /is not JSON/);
  });
});
