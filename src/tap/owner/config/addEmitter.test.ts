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

  it('has its injector off where the user has switched it off', () => {
    const injector = { enabled: false, waiting: 2, dropped: 0, isPaused: false };
    const off = emitterStatus({ stream: 'tests', injector });
    const one = addEmitter(undefined, PATH, off);
    assert.equal(parseTapConfig(one, PATH).emitters[0]?.injector, false);
    // The others of the stream are off as well.
    const two = addEmitter(one, PATH, { ...off, name: 'lint' });
    assert.deepEqual(
      parseTapConfig(two, PATH).emitters.map((emitter) => emitter.injector),
      [false, false],
    );
    const three = addEmitter(two, PATH, emitterStatus({ name: 'a', injector }));
    assert.deepEqual(
      parseTapConfig(three, PATH).emitters.map((emitter) => emitter.injector),
      [false, false, false],
    );
  });

  it('is refused where the file can switch its injector only with that of another', () => {
    const on = emitterStatus({ stream: 'tests' });
    const off = { ...on, injector: { ...on.injector, enabled: false } };
    assert.throws(
      () => addEmitter(addEmitter(undefined, PATH, on), PATH, { ...off, name: 'lint' }),
      /gets the lines of “npm-test”, while those of “lint” are held back/,
    );
    assert.throws(
      () => addEmitter(addEmitter(undefined, PATH, off), PATH, { ...on, name: 'lint' }),
      /gets the lines of “lint”, while those of “npm-test” are held back/,
    );
    assert.equal(parseTapConfig(addEmitter(addEmitter(undefined, PATH, on), PATH, { ...on, name: 'lint' }), PATH).emitters.length, 2);
  });

  it('changes nothing of a file that has the name, or is wrong', () => {
    const text = addEmitter('', PATH, emitterStatus());
    assert.throws(() => addEmitter(text, PATH, emitterStatus()), /has an emitter “npm-test” already/);
    assert.throws(() => addEmitter('{ "emitters": [}', PATH, emitterStatus()), /is not JSON/);
  });
});
